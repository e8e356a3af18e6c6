#include "tests/differential/make_strings.h"

namespace tipstaff::differential {
namespace {

// Controls, what cannot be seen, overrides, other widths, and what shells and readers act on.
const std::vector<std::string>& Pieces() {
  static const auto* pieces = new std::vector<std::string>{"\n",
                                                           "\t",
                                                           "\r",
                                                           std::string(1, '\0'),
                                                           "\x7f",
                                                           "\xc2\x85",
                                                           "\xe2\x80\xa8",
                                                           "\xe2\x80\xae",
                                                           "\xe2\x80\x8b",
                                                           "\xef\xbb\xbf",
                                                           "\xef\xbc\x9b",
                                                           "\xef\xbc\x8e",
                                                           "\xef\xbc\x8f",
                                                           "\xef\xbc\x9a",
                                                           "\xe2\x80\x9c",
                                                           "\xe2\x80\x93",
                                                           "\xc3\xa9",
                                                           "\xf0\x9f\x98\x80",
                                                           " ",
                                                           "-",
                                                           "/",
                                                           ".",
                                                           "..",
                                                           "@",
                                                           "%",
                                                           "%2e",
                                                           ";",
                                                           "$",
                                                           "\\",
                                                           ":",
                                                           "~1",
                                                           "a",
                                                           "A",
                                                           "0",
                                                           "9",
                                                           "x@y",
                                                           "#",
                                                           "?",
                                                           "=",
                                                           "'",
                                                           "+",
                                                           "&"};
  return *pieces;
}

}  // namespace

const std::vector<PatternTexts>& Patterns() {
  static const auto* patterns =
      new std::vector<PatternTexts>{{"^rep_[a-z]+$", {"rep_a", "rep_abc"}},
                                    {"^[a-z]{2,4}$", {"ab", "abcd"}},
                                    {"b", {"b", "abc"}},
                                    {"^a.c$", {"abc", "a-c"}},
                                    {"^(?:foo|bar)+$", {"foo", "foobar"}},
                                    {"^\\d{3}-\\w*$", {"123-", "123-a_1"}},
                                    {"\\.txt$", {"a.txt", ".txt"}},
                                    {"^[^@\\s]+@[^@\\s]+$", {"d@a.example", "a@b"}},
                                    {"^$", {""}},
                                    {"\\bcat\\b", {"cat", "a cat."}},
                                    {"^[A-Z][a-z]*(?: [A-Z][a-z]*)?$", {"Ab", "Ab Cd"}},
                                    {"^x*?y", {"y", "xxy"}}};
  return *patterns;
}

const std::vector<std::string>& TextsOfFormat(const std::string& format) {
  static const auto* dates =
      new std::vector<std::string>{"2024-02-29", "1999-12-31", "2023-02-29", "2000-02-29",
                                   "1900-02-29", "2024-04-31", "2024-00-10", "2024-1-1"};
  static const auto* times = new std::vector<std::string>{
      "2024-02-29T12:00:00Z",      "1998-12-31T23:59:60Z",      "1998-12-30T23:59:60Z",
      "1999-01-01T00:59:60+01:00", "1998-12-31T22:59:60-01:00", "2024-01-01t00:00:00.5z",
      "2024-01-01 00:00:00Z",      "2024-01-01T24:00:00Z",      "2024-01-01T00:00:00+24:00",
      "2024-01-01T00:00:00",       "2024-01-01T00:00:61Z",      "2024-01-01T00:00:00.Z",
      "2024-01-01T00:00:00-00:00"};
  static const auto* uuids = new std::vector<std::string>{
      "2eb8aa08-aa98-11ea-b4aa-73b441d16380", "2EB8AA08-AA98-11EA-B4AA-73B441D16380",
      "2eb8aa08aa9811eab4aa73b441d16380", "{2eb8aa08-aa98-11ea-b4aa-73b441d16380}"};
  static const auto* addresses =
      new std::vector<std::string>{"192.0.2.1", "0.0.0.0",    "255.255.255.255", "256.0.0.1",
                                   "192.0.2",   "192.0.02.1", "0x7f.0.0.1"};
  static const auto* none = new std::vector<std::string>{""};
  return format == "date"        ? *dates
         : format == "date-time" ? *times
         : format == "uuid"      ? *uuids
         : format == "ipv4"      ? *addresses
                                 : *none;
}

const std::vector<std::string>& Paths() {
  static const auto* paths = new std::vector<std::string>{"out/a.txt",
                                                          "out/b/c.json",
                                                          "out/A.TXT",
                                                          "in/x",
                                                          "a",
                                                          "out",
                                                          "out-evil/a.txt",
                                                          "out/.hidden",
                                                          "out/.git/config",
                                                          "out/AGENTS.md",
                                                          "out/con.txt",
                                                          "out/a.tar.gz",
                                                          ".env",
                                                          "out/../a.txt",
                                                          "out//a.txt",
                                                          "out/a.desktop",
                                                          "/out/a.txt",
                                                          "out/.txt",
                                                          "out/sub/.npmrc",
                                                          "out/a b.txt"};
  return *paths;
}

const std::vector<std::string>& Urls() {
  static const auto* urls = new std::vector<std::string>{"https://a.example/w/x",
                                                         "https://a.example",
                                                         "https://A.Example:443/w/",
                                                         "http://a.example/w/",
                                                         "https://x.b.example/docs?q=1#f",
                                                         "https://b.example/docs",
                                                         "https://127.0.0.1/w/",
                                                         "https://a.example:8443/w/x",
                                                         "https://user@a.example/w/",
                                                         "https://a.example/w/../x",
                                                         "https://a.example/w/%2e%2e/x",
                                                         "https://a.example/w/%2Fx",
                                                         "https://a.example/w/%C3%A9",
                                                         "https://a.example/w/%252e",
                                                         "https://a.example/w/..;p/x",
                                                         "https://a.example.evil.example/w/",
                                                         "https://2130706433/w/",
                                                         "ftp://x.b.example/docs",
                                                         "https://a.example:/w/",
                                                         "https://a.example/W/x",
                                                         "https://a.example/w/%c0%ae",
                                                         "//a.example/w/",
                                                         "https:a.example/w/",
                                                         "https://a.example/w/[x]"};
  return *urls;
}

const std::vector<std::string>& Addresses() {
  static const auto* addresses = new std::vector<std::string>{"d@a.example",
                                                              "e@b.example",
                                                              "E@B.example",
                                                              "d@A.EXAMPLE",
                                                              "d@x.a.example",
                                                              "d@y.b.example",
                                                              "1@a.example",
                                                              "D <d@a.example>",
                                                              "d@a.example,e@b.example",
                                                              ".d@a.example",
                                                              "d..e@a.example",
                                                              "d@a.example.",
                                                              "d%x@a.example",
                                                              "d@127.0.0.1",
                                                              "d@a_b.example",
                                                              "-d@a.example",
                                                              "d@b-.example",
                                                              "d+x@a.example",
                                                              "d@",
                                                              "@a.example",
                                                              "d@@a.example",
                                                              "d@a.example\nBcc: e@b.example",
                                                              "\"d\"@a.example",
                                                              "d@[127.0.0.1]"};
  return *addresses;
}

const std::vector<std::string>& Names() {
  static const auto* names =
      new std::vector<std::string>{"a", "b", "c", "d", "e", "xa", "x1", "a/b", "a~b", "k\n"};
  return *names;
}

std::string AnyText(Dice& dice) {
  if (dice.Chance(50)) {
    return dice.Pick(
        {"a", "b", "ab", "abc", "rep_a", "rep_b", "x", "", "open", "closed", "long text"});
  }
  std::string text;
  for (size_t n = dice.Below(5); n > 0; --n) {
    text += dice.Chance(70) ? std::string(1, static_cast<char>('a' + dice.Below(26)))
                            : dice.Pick(Pieces());
  }
  return text;
}

std::string Changed(const std::string& text, Dice& dice) {
  std::string changed = text;
  const size_t at = dice.Below(text.size() + 1);
  const bool whole = text.find_first_of("\xc2\xc3\xe2\xef\xf0") == std::string::npos;
  if (dice.Chance(60) || text.empty() || !whole) {
    // Not into the middle of a character.
    return dice.Chance(50) || !whole ? changed + dice.Pick(Pieces())
                                     : changed.insert(at, dice.Pick(Pieces()));
  }
  if (dice.Chance(50)) return changed.erase(dice.Below(text.size()), 1);
  const size_t place = dice.Below(text.size());
  changed[place] = static_cast<char>(changed[place] ^ (dice.Chance(50) ? 0x20 : 0x01));
  return static_cast<unsigned char>(changed[place]) < 0x80 ? changed : text;
}

}  // namespace tipstaff::differential
