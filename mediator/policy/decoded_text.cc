#include "mediator/policy/decoded_text.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "mediator/policy/letters.h"

namespace tipstaff::policy::internal {
namespace {

// Stretches end where their last bytes say so: where two texts go on alike, those of both do soon.
constexpr size_t kLeastStretch = 1024, kMostStretch = 8192;
constexpr int kEndBits = 10;
// A scan that knows more of what came before is not worth sharing.
constexpr size_t kMostBehind = 512;
// Of what was looked through already only the key is made.
constexpr size_t kKnownIsCheaper = 8;

size_t EndOfStretch(absl::string_view bytes, size_t begin) {
  const size_t most = std::min(bytes.size(), begin + kMostStretch);
  for (size_t end = begin + kLeastStretch; end < most; ++end) {
    uint32_t last;
    std::memcpy(&last, bytes.data() + end - sizeof last, sizeof last);
    if ((last * 2654435761u) >> (32 - kEndBits) == 0) return end;
  }
  return most;
}

bool Take(absl::string_view bytes, size_t end, ReadAs as, const Looking& looking, Scans& scans) {
  if (scans.utf8.Take(bytes, end, looking)) return true;
  return as == ReadAs::kAnything &&
         std::any_of(std::begin(scans.utf16), std::end(scans.utf16),
                     [&](Utf16Scan& scan) { return scan.Take(bytes, end, looking); });
}

bool Finish(absl::string_view bytes, ReadAs as, const Looking& looking, const Scans& scans) {
  if (scans.utf8.Finish(bytes, looking)) return true;
  return as == ReadAs::kAnything && looking.further &&
         std::any_of(std::begin(scans.utf16), std::end(scans.utf16),
                     [&](const Utf16Scan& scan) { return scan.Finish(bytes, looking); });
}

void Move(Scans& scans, int64_t bytes) {
  scans.utf8.Move(bytes);
  for (Utf16Scan& scan : scans.utf16) scan.Move(bytes);
}

// All that the scans make of a stretch depends on. Empty for what is too much.
std::string KeyOf(absl::string_view bytes, size_t begin, size_t end, ReadAs as, int levels,
                  Scans& scans) {
  const bool further = levels > 0;
  size_t behind = scans.utf8.Behind(begin, further);
  std::string key = absl::StrCat(levels, ",", static_cast<int>(as), ",", end - begin, ";");
  scans.utf8.AppendState(begin, further, key);
  if (as == ReadAs::kAnything) {
    // Those that begin a character here come first, at an even place or at an odd one.
    if (scans.utf16[0].at() != begin) {
      std::swap_ranges(scans.utf16, scans.utf16 + 2, scans.utf16 + 2);
    }
    for (const Utf16Scan& scan : scans.utf16) {
      behind = std::max(behind, scan.Behind(begin, further));
      scan.AppendState(begin, key);
    }
  }
  if (behind > kMostBehind) return "";
  absl::StrAppend(&key, behind, ";", bytes.substr(begin - behind, end - begin + behind + kAhead));
  return key;
}

// Whether the character is one that stands for a byte in a text that is none.
bool IsByteOfNoText(uint32_t c) {
  return (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || (c >= 0x7f && c <= 0xff);
}

}  // namespace

bool DecodedText::Any(absl::string_view bytes, ReadAs as, int levels, const Looking& looking) {
  Scans scans(planted_);
  for (size_t begin = 0, end; begin < bytes.size(); begin = end) {
    end = EndOfStretch(bytes, begin);
    if (TakeStretch(bytes, begin, end, as, levels, looking, scans)) return true;
  }
  return Finish(bytes, as, looking, scans);
}

bool DecodedText::TakeStretch(absl::string_view bytes, size_t begin, size_t end, ReadAs as,
                              int levels, const Looking& looking, Scans& scans) {
  const bool is_short = end - begin < kLeastStretch;
  std::string key = is_short ? "" : KeyOf(bytes, begin, end, as, levels, scans);
  if (const auto it = after_.find(key); it != after_.end()) {
    scans = it->second;
    Move(scans, static_cast<int64_t>(begin));
    return too_much_((end - begin) / kKnownIsCheaper);
  }
  if (too_much_(end - begin) || Take(bytes, end, as, looking, scans)) return true;
  if (key.empty() || bytes_ + key.size() > kMostBytes) return false;
  bytes_ += key.size();
  const auto it = after_.emplace(std::move(key), scans).first;
  Move(it->second, -static_cast<int64_t>(begin));
  return false;
}

std::string CharactersAsBytes(absl::string_view text) {
  std::string bytes;
  bool any = false;
  while (!text.empty()) {
    const base::CodePoint point = NextCodePoint(text);
    text.remove_prefix(point.bytes);
    if (point.value > 0xff) continue;
    bytes += static_cast<char>(point.value);
    any = any || IsByteOfNoText(point.value);
  }
  return any ? bytes : "";
}

std::string BytesAsCharacters(absl::string_view bytes) {
  std::string text;
  size_t kept = 0;  // those before are in `text`
  for (size_t at = 0; at < bytes.size();) {
    const base::CodePoint point = NextCodePoint(bytes.substr(at));
    if (!point.valid) {
      if (kept == 0) text.reserve(bytes.size() * 3 / 2);
      text.append(bytes.data() + kept, at - kept);
      text += {static_cast<char>(0xc0 | (point.value >> 6)),
               static_cast<char>(0x80 | (point.value & 0x3f))};
      kept = at + 1;
    }
    at += point.bytes;
  }
  if (kept == 0) return "";
  text.append(bytes.data() + kept, bytes.size() - kept);
  return text;
}

}  // namespace tipstaff::policy::internal
