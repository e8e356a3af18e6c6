// Where things stand in a JSON text, so that a part of it can be changed and the rest kept.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace tipstaff::clients {

struct MemberPlace {
  std::string key;  // unescaped
  size_t key_begin = 0;
  size_t value_begin = 0;
  size_t value_end = 0;
};

struct ObjectPlace {
  size_t begin = 0;  // of `{`
  size_t end = 0;    // of `}`
  std::vector<MemberPlace> members;
};

// The object that begins at `at` or behind white space from there; nullopt when the value there is
// no object. `text` is JSON (json::Parse took it).
std::optional<ObjectPlace> ObjectAt(absl::string_view text, size_t at);

// The text with comments (`//`, `/* */`) and commas before a closing bracket turned into spaces,
// byte for byte: what editors' parsers read of it. Line ends stay.
std::string WithoutComments(absl::string_view text);

// "12:7": line and column of a byte, counted from 1, columns in code points.
std::string LineAndColumn(absl::string_view text, size_t at);

}  // namespace tipstaff::clients
