// `--bind` on the command line.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace tipstaff::cli {

inline constexpr char kCanaryHelp[] =
    "a text that was planted where the agent reads: a call that carries it out, encoded or not, is "
    "denied; may be given several times";
inline constexpr char kBindHelp[] =
    "a binding: name=text, or name:=JSON for anything else, as in 'reviewers:=[\"a@x.example\"]'";

// A JSON object from the options' values. InvalidArgument names the one that is wrong.
absl::StatusOr<std::string> BindingsJson(const std::vector<std::string>& options);

}  // namespace tipstaff::cli
