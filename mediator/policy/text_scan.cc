#include "mediator/policy/text_scan.h"

#include <algorithm>
#include <array>
#include <utility>

#include "absl/strings/str_cat.h"
#include "mediator/policy/digits.h"
#include "mediator/policy/letters.h"

namespace tipstaff::policy::internal {
namespace {

// Random bytes that are read as UTF-16 have a character of ASCII in every 350th place.
constexpr size_t kNear = 2 * 64;   // bytes
constexpr size_t kLeastAscii = 3;  // as in `%41`
// Of a text with an escape that says a planted one: U+FDFA, `\fdfa`, has eighteen letters.
constexpr size_t kLeastEscaped = 5;

// Of bytes: what they are as characters of ASCII, and as others.
constexpr uint8_t kIsDigit = 1, kBeginsEscape = 2, kIsHole = 4, kMayLead = 8;
const std::array<uint8_t, 256> kKinds = [] {
  std::array<uint8_t, 256> made{};
  for (int c = 0; c < 128; ++c) made[c] = Digits::MayBe(static_cast<char>(c)) ? kIsDigit : 0;
  for (const char c : {'%', '=', '&', '\\'}) made[static_cast<size_t>(c)] |= kBeginsEscape;
  for (int c = 0x80; c < 256; ++c) made[c] = c < 0xc2 || c > 0xf4 ? kIsHole : kIsHole | kMayLead;
  made[0] = kIsHole;
  return made;
}();

bool GoesOn(char byte) { return (byte & 0xc0) == 0x80; }

std::string WithoutHoles(absl::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  size_t kept = 0;  // what follows the last hole begins there
  for (size_t at = 0; at < bytes.size();) {
    const base::CodePoint point = NextCodePoint(bytes.substr(at));
    if (!point.valid || point.value == 0) {
      text.append(bytes.data() + kept, at - kept);
      kept = at + point.bytes;
    }
    at += point.bytes;
  }
  text.append(bytes.data() + kept, bytes.size() - kept);
  return text;
}

bool IsHighSurrogate(uint32_t c) { return c >= 0xd800 && c < 0xdc00; }
bool IsLowSurrogate(uint32_t c) { return c >= 0xdc00 && c < 0xe000; }
uint32_t OfPair(uint32_t high, uint32_t low) {
  return 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
}
// ASCII of any width.
bool IsAscii(uint32_t c) { return c - 0x20 < 0x5f || c - 0xff01 < 0x5e; }

}  // namespace

bool Utf8Scan::Take(absl::string_view bytes, size_t end, const Looking& looking) {
  while (at_ < end) {
    if (!search_.has_begun()) Skip(bytes, end, looking);
    if (at_ >= end) break;
    const base::CodePoint point = NextCodePoint(bytes.substr(at_));
    at_ += point.bytes;
    if (point.valid ? TakeCharacter(point.value, looking) : TakeNone(bytes, looking)) return true;
  }
  return false;
}

// What is decoded and no text takes most of the time, and nothing foretells its bytes: nothing
// branches on them but for those that are worth a look.
void Utf8Scan::Skip(absl::string_view bytes, size_t end, const Looking& looking) {
  size_t at = at_, from = from_, digits = digits_;
  unsigned kinds = kinds_, after_none = after_none_ ? 1 : 0;
  for (const size_t most = std::min(end, bytes.size() - 1); at < most; ++at) {
    const uint8_t byte = static_cast<uint8_t>(bytes[at]);
    const unsigned kind = kKinds[byte], is_none = byte >> 7, ends = is_none & after_none;
    const bool leads = ((kind & kMayLead) != 0) & GoesOn(bytes[at + 1]);
    const bool begins = (is_none == 0) & looking.planted.MayBegin(byte);
    const bool may_encode = (digits >= Digits::kLeast) | ((kinds & kBeginsEscape) != 0);
    if (leads | begins | ((ends != 0) & may_encode)) break;
    from = ends != 0 ? at + 1 : from;
    digits = ends != 0 ? 0 : digits + (kind & kIsDigit);
    kinds = ends != 0 ? 0 : kinds | kind;
    after_none = is_none & ~ends;
  }
  at_ = at;
  from_ = from;
  digits_ = std::min(digits, Digits::kLeast);
  kinds_ = static_cast<uint8_t>(kinds & ~unsigned{kMayLead});
  after_none_ = after_none != 0;
}

bool Utf8Scan::TakeCharacter(uint32_t c, const Looking& looking) {
  after_none_ = false;
  if (search_.has_begun() || looking.planted.MayBegin(c)) {
    if (const auto found = search_.Take(c)) {
      looking.found(found);
      return true;
    }
  }
  if (c < 0x80) {
    Note(kKinds[c]);
  } else {
    for (const char one : Letters::Get().Ascii(c)) Note(kKinds[static_cast<size_t>(one)]);
  }
  return false;
}

bool Utf8Scan::TakeNone(absl::string_view bytes, const Looking& looking) {
  kinds_ |= kIsHole;
  if (!std::exchange(after_none_, true)) return false;
  if (End(bytes, at_, looking)) return true;
  search_.Forget();
  from_ = at_;
  digits_ = 0;
  kinds_ = 0;
  after_none_ = false;
  return false;
}

void Utf8Scan::Note(uint8_t kind) {
  digits_ += (kind & kIsDigit) != 0 && digits_ < Digits::kLeast ? 1 : 0;
  kinds_ |= kind;
}

bool Utf8Scan::End(absl::string_view bytes, size_t end, const Looking& looking) const {
  if (!looking.further) return false;
  const bool may_be_escaped = (kinds_ & kBeginsEscape) != 0 && end - from_ >= kLeastEscaped;
  if (digits_ < Digits::kLeast && !may_be_escaped) return false;
  const absl::string_view all = bytes.substr(from_, end - from_);
  return looking.look((kinds_ & kIsHole) != 0 ? absl::string_view(WithoutHoles(all)) : all);
}

bool Utf8Scan::Finish(absl::string_view bytes, const Looking& looking) const {
  return End(bytes, bytes.size(), looking);
}

size_t Utf8Scan::Behind(size_t at, bool further) const {
  return further ? at - std::min(at, from_) : 0;
}

void Utf8Scan::AppendState(size_t at, bool further, std::string& out) const {
  absl::StrAppend(&out, at_ - at, ",", search_.node(), ",", after_none_);
  if (further)
    absl::StrAppend(&out, ",", static_cast<int64_t>(at - from_), ",", digits_, ",", kinds_);
  out += ';';
}

bool Utf16Scan::Take(absl::string_view bytes, size_t end, const Looking& looking) {
  for (; at_ < end && at_ + 1 < bytes.size(); at_ += 2) {
    const uint32_t unit = UnitAt(bytes, at_);
    // Nearly none of random ones are worth more than this.
    if (!search_.has_begun() && !looking.planted.MayBegin(unit) && !IsLowSurrogate(unit) &&
        !IsAscii(unit)) {
      continue;
    }
    if (TakeNotable(bytes, unit, looking)) return true;
  }
  // What is long over is of no concern to what comes.
  return part_count_ > 0 && at_ > part_last_ + kNear && EndPart(bytes, looking);
}

bool Utf16Scan::TakeNotable(absl::string_view bytes, uint32_t unit, const Looking& looking) {
  const uint32_t high = at_ >= 2 && IsLowSurrogate(unit) ? UnitAt(bytes, at_ - 2) : 0;
  const Planted::Found found = search_.Take(IsHighSurrogate(high) ? OfPair(high, unit) : unit);
  if (found) {
    looking.found(found);
    return true;
  }
  return looking.further && IsAscii(unit) && AddAscii(bytes, looking);
}

bool Utf16Scan::AddAscii(absl::string_view bytes, const Looking& looking) {
  if (part_count_ == 0 || at_ - part_last_ > kNear) {
    if (EndPart(bytes, looking)) return true;
    part_first_ = at_;
  }
  part_last_ = at_;
  if (part_count_ < kLeastAscii) ++part_count_;
  return false;
}

bool Utf16Scan::EndPart(absl::string_view bytes, const Looking& looking) {
  const bool over = Finish(bytes, looking);
  part_count_ = 0;
  return over;
}

bool Utf16Scan::Finish(absl::string_view bytes, const Looking& looking) const {
  return part_count_ == kLeastAscii && looking.look(TextOfPart(bytes));
}

std::string Utf16Scan::TextOfPart(absl::string_view bytes) const {
  std::string text;
  const size_t end = std::min(part_last_ + kNear, bytes.size() - 1);
  const size_t before = std::min(part_first_ / 2 * 2, kNear);
  for (size_t at = part_first_ - before; at < end; at += 2) {
    const uint32_t unit = UnitAt(bytes, at);
    const uint32_t low = IsHighSurrogate(unit) && at + 2 < end ? UnitAt(bytes, at + 2) : 0;
    AppendCharacter(IsLowSurrogate(low) ? OfPair(unit, low) : unit, text);
    if (IsLowSurrogate(low)) at += 2;
  }
  return text;
}

size_t Utf16Scan::Behind(size_t at, bool further) const {
  if (!further) return std::min<size_t>(at, 2);  // half a pair
  const size_t first = part_count_ > 0 ? std::min(at, part_first_) : at;
  return at - first + std::min(first, kNear);
}

void Utf16Scan::AppendState(size_t at, std::string& out) const {
  absl::StrAppend(&out, at_ - at, ",", search_.node(), ",", part_count_);
  if (part_count_ > 0) absl::StrAppend(&out, ",", at - part_first_, ",", at - part_last_);
  out += ';';
}

void Utf16Scan::Move(int64_t bytes) {
  at_ += bytes;
  part_first_ += bytes;
  part_last_ += bytes;
}

}  // namespace tipstaff::policy::internal
