// Bytes that were decoded from a text, looked through as texts of one kind after the other. A scan
// can be left at any byte, and taken up from there by another one of the same bytes.
#pragma once

#include <cstdint>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "mediator/policy/planted.h"

namespace tipstaff::policy::internal {

// What is looked for in texts.
struct Looking {
  const Planted& planted;
  // Called with one that is there; nothing is looked at any more.
  absl::FunctionRef<void(Planted::Found found)> found;
  // Called with parts of the texts that may be encodings of others, as UTF-8, if `further`. True
  // where the search is over.
  absl::FunctionRef<bool(absl::string_view text)> look;
  bool further = true;
};

// Both scans are given all bytes each time, and look at those up to `end`. They may look at
// kAhead more of them. Take() and Finish() are true where the search is over. All that they depend
// on of the bytes before are the state, which AppendState() says, and the last Behind() of them.
inline constexpr size_t kAhead = 3;

// As UTF-8. Single bytes that are none, and zeros, are left out; two in a row end a text: what was
// decoded and is no text goes no further.
class Utf8Scan {
 public:
  explicit Utf8Scan(const Planted& planted) : search_(planted) {}

  bool Take(absl::string_view bytes, size_t end, const Looking& looking);
  bool Finish(absl::string_view bytes, const Looking& looking) const;

  size_t Behind(size_t at, bool further) const;
  void AppendState(size_t at, bool further, std::string& out) const;
  // As if so many bytes more, or fewer, stood before.
  void Move(int64_t bytes) {
    from_ += bytes;
    at_ += bytes;
  }

 private:
  void Skip(absl::string_view bytes, size_t end, const Looking& looking);
  bool TakeCharacter(uint32_t c, const Looking& looking);
  bool TakeNone(absl::string_view bytes, const Looking& looking);
  bool End(absl::string_view bytes, size_t end, const Looking& looking) const;
  void Note(uint8_t kind);

  Planted::Search search_;
  size_t at_ = 0;      // what comes next
  size_t from_ = 0;    // where this text begins
  size_t digits_ = 0;  // at most as many as make it worth a look
  uint8_t kinds_ = 0;  // of its characters
  bool after_none_ = false;
};

// As UTF-16 of one order, from the first byte or the second one on. A surrogate without its other
// half is no letter. Those parts may be encodings where several characters of ASCII, of any width,
// stand near one another, with what is around them.
class Utf16Scan {
 public:
  Utf16Scan(const Planted& planted, bool big_endian, size_t from)
      : search_(planted), first_(big_endian ? 0 : 1), at_(from) {}

  bool Take(absl::string_view bytes, size_t end, const Looking& looking);
  bool Finish(absl::string_view bytes, const Looking& looking) const;

  size_t at() const { return at_; }
  size_t Behind(size_t at, bool further) const;
  void AppendState(size_t at, std::string& out) const;
  void Move(int64_t bytes);

 private:
  bool TakeNotable(absl::string_view bytes, uint32_t unit, const Looking& looking);
  bool AddAscii(absl::string_view bytes, const Looking& looking);
  bool EndPart(absl::string_view bytes, const Looking& looking);
  uint32_t UnitAt(absl::string_view bytes, size_t at) const {
    return static_cast<uint32_t>(static_cast<uint8_t>(bytes[at + first_]) << 8 |
                                 static_cast<uint8_t>(bytes[at + 1 - first_]));
  }
  std::string TextOfPart(absl::string_view bytes) const;

  Planted::Search search_;
  size_t first_;  // which byte of two is the more significant one
  size_t at_;     // the unit that comes next
  // The last part: its first and last character of ASCII, and how many it has, at most as many as
  // make it worth a look.
  size_t part_first_ = 0, part_last_ = 0, part_count_ = 0;
};

}  // namespace tipstaff::policy::internal
