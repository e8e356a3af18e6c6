// yaml-cpp's syntax errors in words that say what to do.
#pragma once

#include <cstddef>
#include <string>

#include "absl/strings/string_view.h"

namespace tipstaff::source {

struct SyntaxMessage {
  const char* code;  // one of codes.h
  std::string message;
  std::string label;
};

// `offset` is where yaml-cpp stopped in `text`. An error without words of ours keeps yaml-cpp's.
SyntaxMessage ExplainSyntaxError(absl::string_view parser_message, absl::string_view text,
                                 size_t offset);

// Whether the parser met a colon that no key stands before.
bool IsStrayColon(absl::string_view parser_message);

// Whether the parser looked for the end of a `[` or `{`.
bool IsUnclosedFlow(absl::string_view parser_message);

}  // namespace tipstaff::source
