#include "mediator/policy/letters.h"

#include <unicase.h>
#include <unictype.h>
#include <uninorm.h>
#include <unistr.h>

#include <algorithm>
#include <iterator>

namespace tipstaff::policy::internal {
namespace {

constexpr size_t kLongestForm = 18;  // code points of an NFKD form, U+FDFA's

std::vector<uint32_t> LettersOf(uint32_t c) {
  uint32_t folded[2 * kLongestForm];
  size_t size = std::size(folded);
  if (u32_casefold(&c, 1, nullptr, UNINORM_NFKD, folded, &size) != folded) return {};
  std::vector<uint32_t> letters;
  std::copy_if(folded, folded + size, std::back_inserter(letters), uc_is_alnum);
  return letters;
}

std::string AsciiOf(uint32_t c) {
  if (c < 0x80) return std::string(1, static_cast<char>(c));
  int tag;
  uint32_t form[2 * kLongestForm];
  if (uc_decomposition(c, &tag, form) < 0) return "";
  size_t size = std::size(form);
  if (u32_normalize(UNINORM_NFKC, &c, 1, form, &size) != form) return "";
  const bool ascii =
      std::all_of(form, form + size, [](uint32_t one) { return one > 0 && one < 0x80; });
  return ascii ? std::string(form, form + size) : "";
}

bool IsSurrogate(uint32_t c) { return c >= 0xd800 && c < 0xe000; }

}  // namespace

const Letters& Letters::Get() {
  static const Letters* letters = new Letters;
  return *letters;
}

Letters::Letters() : letters_(kKept), ascii_(kKept) {
  for (uint32_t c = 0; c < kKept; ++c) {
    if (!IsSurrogate(c)) Keep(c);
  }
}

void Letters::Keep(uint32_t c) {
  std::vector<uint32_t> letters = LettersOf(c);
  if (letters.size() == 1) {
    letters_[c] = letters[0];
  } else if (!letters.empty()) {
    letters_[c] = kSeveral;
    several_[c] = std::move(letters);
  }
  std::string ascii = AsciiOf(c);
  if (ascii.size() == 1) {
    ascii_[c] = ascii[0];
  } else if (!ascii.empty()) {
    ascii_[c] = kLonger;
    longer_[c] = std::move(ascii);
  }
}

void AppendCharacter(uint32_t c, std::string& out) {
  uint8_t bytes[6];
  const int size = u8_uctomb(bytes, c, sizeof bytes);
  if (size > 0) out.append(reinterpret_cast<const char*>(bytes), size);
}

std::string InAscii(absl::string_view text) {
  const Letters& letters = Letters::Get();
  std::string out;
  out.reserve(text.size());
  size_t kept = 0;  // what stays as it is begins there
  for (size_t at = base::AsciiRun(text); at < text.size();) {
    const base::CodePoint point = NextCodePoint(text.substr(at));
    const absl::string_view ascii =
        point.valid && point.bytes > 1 ? letters.Ascii(point.value) : absl::string_view();
    if (!ascii.empty()) {
      out.append(text.data() + kept, at - kept);
      out.append(ascii.data(), ascii.size());
      kept = at + point.bytes;
    }
    at += point.bytes;
  }
  out.append(text.data() + kept, text.size() - kept);
  return out;
}

}  // namespace tipstaff::policy::internal
