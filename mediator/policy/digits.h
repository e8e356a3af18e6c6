// What a text may be in hex or base64, whatever stands between the digits.
#pragma once

#include <string>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"

namespace tipstaff::policy::internal {

// The characters of a text that may be digits of hex or base64. Those in compatibility form, such
// as full-width ones, may be digits or stand between some: each is a reading of its own, and so is
// whether `+` and `/`, or `-` and `_`, are digits.
class Digits {
 public:
  // A shorter text says no planted one, of eight letters.
  static constexpr size_t kLeast = 11;

  // `text` is UTF-8.
  explicit Digits(absl::string_view text);

  // Whether `look` says so of what the hex digits say, from the first on or from the second; in
  // `0x4f` the 0 may be none.
  using Look = absl::FunctionRef<bool(absl::string_view bytes)>;
  bool AnyHex(Look look) const;
  // Of what base64's say, from each of the first four on, with padding or without.
  bool AnyBase64(Look look) const;

 private:
  void Take(char c, bool compatible);
  std::string HexValues(bool compatible, bool prefixes) const;
  std::string Base64Values(bool compatible, bool standard, bool url) const;

  std::string found_;  // ASCII, with the highest bit set for one in compatibility form
  bool has_compatible_ = false, has_standard_ = false, has_url_ = false;  // `+` `/`, and `-` `_`
  bool has_prefix_ = false;                                               // perhaps
};

}  // namespace tipstaff::policy::internal
