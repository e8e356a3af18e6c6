// Bytes that were decoded from a text, read as text again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"

namespace tipstaff::policy::internal {

using LookAtText = absl::FunctionRef<bool(absl::string_view text)>;

// Whether `look` says so of a stretch of UTF-8 in `bytes`. Single bytes that are none, and zeros,
// are left out of a stretch; two in a row end it: what was decoded and is no text goes no further.
bool AnyUtf8(absl::string_view bytes, LookAtText look);

// UTF-16 of either order, from the first byte on. The bytes must outlive it.
class Utf16 {
 public:
  Utf16(absl::string_view bytes, bool big_endian) : bytes_(bytes), first_(big_endian ? 0 : 1) {}

  bool done() const { return at_ + 2 > bytes_.size(); }
  size_t at() const { return at_; }  // where the next character begins
  // A surrogate without its other half is itself. Only where not `done`.
  uint32_t Next() {
    const uint32_t unit = UnitAt(at_);
    at_ += 2;
    if (unit < 0xd800 || unit > 0xdbff || done()) return unit;
    const uint32_t second = UnitAt(at_);
    if (second < 0xdc00 || second > 0xdfff) return unit;
    at_ += 2;
    return 0x10000 + ((unit - 0xd800) << 10) + (second - 0xdc00);
  }

 private:
  uint32_t UnitAt(size_t at) const {
    return static_cast<uint32_t>(static_cast<uint8_t>(bytes_[at + first_]) << 8 |
                                 static_cast<uint8_t>(bytes_[at + 1 - first_]));
  }

  absl::string_view bytes_;
  size_t first_;  // which byte of two is the more significant one
  size_t at_ = 0;
};

// Those parts of UTF-16 in which an encoding may be written: where several characters of ASCII, of
// any width, stand near one another, with what is around them.
class AsciiParts {
 public:
  // As Utf16 has it.
  AsciiParts(absl::string_view bytes, bool big_endian) : bytes_(bytes), big_endian_(big_endian) {}

  // The character that begins at `at`, in their order.
  void Take(uint32_t c, size_t at) {
    if ((c >= 0x20 && c < 0x7f) || (c > 0xff00 && c < 0xff5f)) Add(at);
  }
  // Whether `look` says so of one, as UTF-8.
  bool Any(LookAtText look) const;

 private:
  struct Part {
    size_t first, last, count;  // characters of ASCII
  };

  void Add(size_t at);

  absl::string_view bytes_;
  bool big_endian_;
  std::vector<Part> parts_;
};

// Of a text that holds characters as if they were bytes (controls, U+0080 to U+00FF): those bytes.
// Empty for any other text.
std::string CharactersAsBytes(absl::string_view text);

}  // namespace tipstaff::policy::internal
