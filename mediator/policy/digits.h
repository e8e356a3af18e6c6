// What a text may be in hex or base64, whatever stands between the digits.
#pragma once

#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"

namespace tipstaff::policy::internal {

// Texts that were looked at. Thread-compatible.
class Seen {
 public:
  // Whether the text has not been seen yet with so many levels of encodings that it may still be
  // in. Remembers no more than kMostBytes in all.
  bool Add(absl::string_view text, int levels);

 private:
  static constexpr size_t kMostBytes = 32 << 20;

  absl::flat_hash_map<std::string, int> levels_;  // by text
  size_t bytes_ = 0;
};

// Digits' values, whatever text they stood in.
struct SeenDigits {
  Seen hex, base64;
};

// The characters of a text that may be digits of hex or base64. Those in compatibility form, such
// as full-width ones, may be digits or stand between some: each is a reading of its own, and so is
// whether `+` and `/`, or `-` and `_`, are digits.
class Digits {
 public:
  // A shorter text says no planted one, of eight letters.
  static constexpr size_t kLeast = 11;

  // `text` is UTF-8.
  explicit Digits(absl::string_view text);

  // A digit of base64, as those of hex are.
  static bool MayBe(char c);

  // Whether `look` says so of what the hex digits say, from the first on or from the second; in
  // `0x4f` the 0 may be none. Only of digits that `seen` has not.
  using Look = absl::FunctionRef<bool(absl::string_view bytes)>;
  bool AnyHex(SeenDigits& seen, int levels, Look look) const;
  // Of what base64's say, from each of the first four on, with padding or without.
  bool AnyBase64(SeenDigits& seen, int levels, Look look) const;

 private:
  void Take(char c, bool compatible);
  std::string HexValues(bool compatible, bool prefixes) const;
  std::string Base64Values(bool compatible, bool standard, bool url) const;

  std::string found_;  // ASCII, with the highest bit set for one in compatibility form
  bool has_compatible_ = false, has_standard_ = false, has_url_ = false;  // `+` `/`, and `-` `_`
  bool has_prefix_ = false;                                               // perhaps
};

}  // namespace tipstaff::policy::internal
