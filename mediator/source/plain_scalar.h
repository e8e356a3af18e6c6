// What an unquoted scalar means.
#pragma once

#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "mediator/json/document.h"

namespace tipstaff::source {

struct PlainScalar {
  enum class Kind {
    kString,
    kJson,        // null, true, false or a number: `json`
    kAmbiguous,   // YAML readers disagree: `message`, and `label` says what to write
    kOutOfRange,  // a number that does not fit: `message` and `label`
  };
  Kind kind = Kind::kString;
  json::Document json;
  std::string message;
  std::string label;
};

// Null, true, false and numbers are spelt as in JSON. What YAML 1.1 or 1.2 readers (any of their
// schemas) may take for another type than a string is ambiguous. Everything else is a string.
PlainScalar ReadPlainScalar(absl::string_view text);

}  // namespace tipstaff::source
