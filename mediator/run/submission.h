// The key under which a result is submitted: a receiver that declares an argument for it
// (call::Tool::idempotency_key) knows a repetition by it.
#pragma once

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "mediator/json/document.h"

namespace tipstaff::run {

// What a call is: its tool and its arguments (by their digest). The same for a repetition of it.
std::string CallIdentity(absl::string_view tool, absl::string_view arguments_digest);

// 64 hex digits, the same whenever it is computed. Another finalize of the run has another key,
// even with the same content: the first one was definitely refused, and a receiver that keeps
// answers by key would only repeat that.
std::string SubmissionKey(absl::string_view run, uint64_t number, absl::string_view identity);

// What is sent for a finalize: its arguments, with the key in `key_argument` unless that is "".
struct Submission {
  std::string key;
  json::Document arguments;
  std::string canonical;
};
Submission MakeSubmission(std::string key, absl::string_view key_argument,
                          const json::Document& arguments, absl::string_view canonical);

// `arguments` (an object) with member `name` = `key`, in place of what may stand there.
json::Document WithKey(const json::Document& arguments, absl::string_view name,
                       absl::string_view key);

}  // namespace tipstaff::run
