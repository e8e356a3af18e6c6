#include "tests/differential/plant.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "mediator/base/utf8.h"
#include "tests/differential/make_strings.h"

namespace tipstaff::differential {
namespace {

using Form = std::string (*)(const std::string&, Dice&);

bool IsLetterOrDigit(char c) { return absl::ascii_isalnum(static_cast<unsigned char>(c)); }

// Writes every character or some of them anew; those outside ASCII stay as they are, or are written
// byte by byte.
enum class Others { kStay, kByBytes };
template <typename Write>
std::string EachWritten(const std::string& text, Dice& dice, Write write,
                        Others others = Others::kStay) {
  const unsigned percent = dice.Chance(50) ? 100 : 40;
  const bool all = others == Others::kByBytes && dice.Chance(60);
  std::string out;
  for (const char c : text) {
    const bool ascii = static_cast<unsigned char>(c) < 0x80;
    const bool anew = ascii ? dice.Chance(percent) : all;
    absl::StrAppend(&out, anew ? write(c) : std::string(1, c));
  }
  return out;
}

std::string HexOf(char c, Dice& dice) {
  const std::string hex = absl::BytesToHexString(std::string(1, c));
  return dice.Chance(50) ? hex : absl::AsciiStrToUpper(hex);
}

// What does not encode: case, width, accents, and what stands between letters.

std::string InAnotherCase(const std::string& text, Dice& dice) {
  return EachWritten(text, dice,
                     [](char c) { return std::string(1, IsLetterOrDigit(c) ? c ^ 0x20 : c); });
}

std::string Wide(const std::string& text, Dice& dice) {
  return EachWritten(text, dice, [](char c) {
    if (c <= ' ' || c == 0x7f) return std::string(1, c);
    const int at = 0xff01 + (c - '!');  // its form of full width
    return std::string{'\xef', static_cast<char>(0x80 | ((at >> 6) & 0x3f)),
                       static_cast<char>(0x80 | (at & 0x3f))};
  });
}

std::string Accented(const std::string& text, Dice&) {
  return absl::StrReplaceAll(text, {{"e", "\xc3\xa9"}, {"E", "\xc3\xa9"}});
}

std::string Spread(const std::string& text, Dice& dice) {
  const std::string between =
      dice.Pick({" ", "-", ".", "\n", "\xe2\x80\x8b", ", ", "\xe2\x80\x93"});
  return EachWritten(text, dice, [&](char c) { return absl::StrCat(std::string(1, c), between); });
}

std::string Backwards(const std::string& text, Dice&) {
  std::string out;
  for (size_t at = 0, next = 0; at < text.size(); at = next) {
    next = at + 1;
    while (next < text.size() && (text[next] & 0xc0) == 0x80) ++next;
    out.insert(0, text.substr(at, next - at));
  }
  return out;
}

// Escapes.

std::string Percent(const std::string& text, Dice& dice) {
  const std::string out = EachWritten(
      text, dice, [&](char c) { return absl::StrCat("%", HexOf(c, dice)); }, Others::kByBytes);
  return dice.Chance(5) ? Wide(out, dice) : out;
}

std::string QuotedPrintable(const std::string& text, Dice& dice) {
  return EachWritten(
      text, dice, [&](char c) { return absl::StrCat("=", HexOf(c, dice)); }, Others::kByBytes);
}

std::string InC(const std::string& text, Dice& dice) {
  return EachWritten(
      text, dice,
      [&](char c) {
        const bool ascii = static_cast<unsigned char>(c) < 0x80;
        if (ascii && dice.Chance(5))
          return std::string(1, c) + dice.Pick({"\\v", "\\a", "\\e", "\\0"});
        return absl::StrCat("\\x", HexOf(c, dice));
      },
      Others::kByBytes);
}

std::string InOctal(const std::string& text, Dice& dice) {
  const std::string before = dice.Pick({"\\", "\\", "\\0"});
  return EachWritten(
      text, dice,
      [&](char c) {
        return absl::StrCat(before, absl::StrFormat("%03o", static_cast<unsigned char>(c)));
      },
      Others::kByBytes);
}

std::string InCss(const std::string& text, Dice& dice) {
  const std::string after = dice.Pick({" ", "\n", ""});
  return EachWritten(text, dice,
                     [&](char c) { return absl::StrCat("\\0000", HexOf(c, dice), after); });
}

std::string InJson(const std::string& text, Dice& dice) {
  return EachWritten(text, dice, [&](char c) {
    if (!IsLetterOrDigit(c)) return std::string(1, c) + "\\n";
    const std::string hex = HexOf(c, dice);
    return dice.Chance(80)
               ? absl::StrCat("\\u00", hex)
               : absl::StrReplaceAll(dice.Pick({"\\u{#}", "\\U000000#", "%u00#"}), {{"#", hex}});
  });
}

std::string InHtml(const std::string& text, Dice& dice) {
  const std::string begin = dice.Pick({"&", "&", "&amp;"}), end = dice.Pick({";", ";", ""});
  return EachWritten(text, dice, [&](char c) {
    switch (dice.Below(4)) {
      case 0:
        return absl::StrCat(begin, "#x", HexOf(c, dice), end);
      case 1:
        return absl::StrCat(begin, "#", std::string(dice.Below(40), '0'), static_cast<int>(c), end);
      case 2:
        if (!IsLetterOrDigit(c)) return begin + dice.Pick({"nbsp;", "hyphen;", "num;", "lt;"});
        [[fallthrough]];
      default:
        return absl::StrCat(begin, "#", static_cast<int>(c), end);
    }
  });
}

// Letters of Latin-1 as one byte each.
std::string InLatin1(const std::string& text, Dice& dice) {
  return absl::StrReplaceAll(text,
                             {{"\xc3\xa9", dice.Pick({"\\xe9", "\\351", "\\0351", "%E9", "=e9"})}});
}

// As in a string of JSON, once or more often.
std::string Quoted(const std::string& text, Dice& dice) {
  std::string out = text;
  for (size_t times = 1 + dice.Below(2); times > 0; --times) {
    out = absl::StrReplaceAll(out, {{"\\", "\\\\"}, {"\"", "\\\""}, {"\n", "\\n"}});
  }
  return dice.Chance(50) ? absl::StrCat("\"", out, "\"") : out;
}

// Encodings of the whole.

// UTF-16, of either order; what is not UTF-8 is left out.
std::string InUtf16(absl::string_view text, bool big_endian) {
  std::string out;
  while (!text.empty()) {
    const base::CodePoint point = base::FirstCodePoint(text);
    text.remove_prefix(point.bytes);
    if (!point.valid) continue;
    const uint32_t over = point.value - 0x10000;
    const std::vector<uint32_t> units =
        point.value < 0x10000
            ? std::vector<uint32_t>{point.value}
            : std::vector<uint32_t>{0xd800 + (over >> 10), 0xdc00 + (over & 0x3ff)};
    for (const uint32_t unit : units) {
      const char high = static_cast<char>(unit >> 8), low = static_cast<char>(unit);
      out += big_endian ? std::string{high, low} : std::string{low, high};
    }
  }
  return out;
}

std::string InHex(const std::string& text, Dice& dice) {
  const std::string before = dice.Pick({"", "", "0x", "\\x"});
  const std::string after = before == "0x" ? ", " : dice.Pick({"", "", " ", ":", "\n"});
  const std::string bytes = dice.Chance(15) ? InUtf16(text, dice.Chance(50)) : text;
  std::string out;
  for (const char c : bytes) absl::StrAppend(&out, before, HexOf(c, dice), after);
  if (dice.Chance(5)) out = Wide(out, dice);
  return dice.Chance(20) ? absl::StrCat(dice.Pick({"7", "id=", "f "}), out) : out;
}

// Every few characters, what is no digit.
std::string InPieces(const std::string& text, Dice& dice) {
  const std::string between = dice.Pick({"\n> ", " . ", "&", "-", "_", "+", "/", "\xe2\x80\x8b",
                                         "\xe2\x80\x93", "\xc3\xa9", "=", "\", \""});
  const size_t piece = 1 + dice.Below(20);
  std::string out;
  for (size_t at = 0; at < text.size(); at += piece) {
    absl::StrAppend(&out, at == 0 ? "" : between, text.substr(at, piece));
  }
  return out;
}

// Not within a character: what is not UTF-8 would come out as U+FFFD, which the reference does not
// know.
size_t PlaceIn(const std::string& text, Dice& dice) {
  size_t place = dice.Below(text.size());
  while (place > 0 && (text[place] & 0xc0) == 0x80) --place;
  return place;
}

std::string InBase64(const std::string& text, Dice& dice) {
  std::string bytes = absl::StrCat(dice.Pick({"", "", "x", "xy", "key: ", "\xff\xfe "}), text);
  if (dice.Chance(15)) bytes = InUtf16(bytes, dice.Chance(50));
  std::string out = dice.Chance(50) ? absl::Base64Escape(bytes) : absl::WebSafeBase64Escape(bytes);
  if (dice.Chance(20)) out = InPieces(out, dice);
  if (dice.Chance(5)) out = Wide(out, dice);
  if (dice.Chance(20)) out.insert(PlaceIn(out, dice), dice.Pick({"\n", "\r\n", " "}));
  return dice.Chance(20) ? absl::StrCat(dice.Pick({"a", "ab", "base64,", "to "}), out) : out;
}

std::string InSomeForm(const std::string& text, Dice& dice) {
  constexpr Form kPlain[] = {InAnotherCase, Wide, Accented, Spread, Backwards};
  constexpr Form kEncoded[] = {Percent, QuotedPrintable, InC,      InOctal,  InCss, InJson,
                               InHtml,  InHex,           InBase64, InLatin1, Quoted};
  std::string out = text;
  if (dice.Chance(50)) out = kPlain[dice.Below(std::size(kPlain))](out, dice);
  // Three levels are found, and a fourth is not, or not for certain.
  for (size_t n = dice.Chance(15) ? 2 + dice.Below(3) : dice.Below(3); n > 0; --n) {
    out = kEncoded[dice.Below(std::size(kEncoded))](out, dice);
  }
  return dice.Chance(15) ? Backwards(out, dice) : out;
}

// Whole characters, in `parts` runs of any length.
std::vector<std::string> Split(const std::string& text, size_t parts, Dice& dice) {
  std::vector<std::string> out(1);
  for (size_t at = 0; at < text.size(); ++at) {
    const bool begins = (text[at] & 0xc0) != 0x80;
    if (begins && out.size() < parts && dice.Chance(static_cast<unsigned>(200 / text.size()) + 1)) {
      out.emplace_back();
    }
    out.back() += text[at];
  }
  return out;
}

bool IsNumber(const std::string& text) {
  return !text.empty() && text.size() < 16 && text[0] != '0' &&
         std::all_of(text.begin(), text.end(), absl::ascii_isdigit);
}

Tree ValueOf(const std::string& text, Dice& dice) {
  return IsNumber(text) && dice.Chance(70) ? Tree::Literal(text) : Tree::Text(text);
}

// In consecutive values of a list or an object.
Tree InParts(const std::string& form, Dice& dice) {
  Tree whole = dice.Chance(50) ? Tree::List() : Tree::Object();
  for (const std::string& part : Split(form, 2 + dice.Below(3), dice)) {
    if (whole.kind == Tree::Kind::kList) {
      whole.items.push_back(ValueOf(part, dice));
    } else {
      whole.Set(absl::StrCat("k", whole.members.size()), ValueOf(part, dice));
    }
  }
  return whole;
}

// In the place of a text that is there, or behind it.
bool IntoAText(const std::string& form, Dice& dice, Tree& arguments) {
  std::vector<Tree*> all;
  ForEach(arguments, [&](Tree& part) {
    if (part.kind == Tree::Kind::kText) all.push_back(&part);
  });
  if (all.empty()) return false;
  Tree& part = *dice.Pick(all);
  part.text = dice.Chance(50) ? form : absl::StrCat(part.text, form);
  return true;
}

}  // namespace

const std::vector<std::string>& PlantedTexts() {
  static const auto* texts = new std::vector<std::string>{
      "planted text 4711", "zebra-17-quilt", "THE BLUE LANTERN",
      "deadbeefcafe",      "490127765103",   "see the attached file",
      "abababababab",      "abcd4dcba",      "\xc3\xa9t\xc3\xa9-12345-\xc3\xa9t\xc3\xa9"};
  return *texts;
}

void Plant(const std::string& text, Dice& dice, Tree& arguments) {
  std::string form = InSomeForm(text, dice);
  if (dice.Chance(25)) form = Changed(form, dice);
  if (dice.Chance(10)) form = InSomeForm(Changed(text, dice), dice);
  if (dice.Chance(30))
    form = absl::StrCat(dice.Pick({"see ", "\"", "-- "}), form, dice.Pick({"", ".", "\n"}));
  if (arguments.kind != Tree::Kind::kObject) arguments = Tree::Object();
  const std::string name = dice.Pick({"x", "y", "z", "a"});
  const size_t place = dice.Below(5);
  if (place == 0 && IntoAText(form, dice, arguments)) return;
  if (place == 1 && form.find('\0') == std::string::npos) {  // which names do not have
    arguments.Set(name, Tree::Object({{form, Tree::Number(1)}}));
  } else if (place == 2 || place == 3) {
    arguments.Set(name, InParts(form, dice));
  } else {
    arguments.Set(name, ValueOf(form, dice));
  }
}

}  // namespace tipstaff::differential
