#include "mediator/schema/format.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "mediator/schema/host_name.h"
#include "mediator/schema/ip_address.h"

namespace tipstaff::schema {
namespace {

std::string Repeat(absl::string_view text, size_t times) {
  std::string out;
  for (size_t i = 0; i < times; ++i) out.append(text.data(), text.size());
  return out;
}

// What the official suite (format_suite_test.cc) does not ask.
TEST(HasFormat, IsStrict) {
  struct Row {
    Format format;
    std::string text;
    bool has;
    const char* reason;
  };
  const Row kRows[] = {
      {Format::kDateTime, "2016-12-31T23:59:60Z", true, "a leap second ends a month"},
      {Format::kDateTime, "2016-12-30T23:59:60Z", false, "and no other day"},
      {Format::kDateTime, "2017-01-01T00:59:60+01:00", true, "which is the first, to the east"},
      {Format::kDateTime, "2016-12-31T00:59:60+01:00", false, "23:59:60 on the 30th in UTC"},
      {Format::kDateTime, "2026-05-01 09:00:00Z", false, "a space for the T"},
      {Format::kDateTime, "2026-05-01T09:00:00.Z", false, "a point and no fraction"},
      {Format::kDateTime, "2026-05-01T09:00:00", false, "no offset"},
      {Format::kDate, std::string("2026-05-01\0", 11), false, "NUL at the end"},
      {Format::kDuration, "p1d", false, "lower case"},
      {Format::kDuration, "P", false, "nothing"},
      {Format::kEmail, "a@b\r\nBcc: c@d", false, "a header on a second line"},
      {Format::kEmail, Repeat("a", 65) + "@example.com", false, "a local part over 64 bytes"},
      {Format::kEmail, "\"a@example.com", false, "an open quote"},
      {Format::kEmail, "\"a\\", false, "an open escape"},
      {Format::kEmail, "a@example.com.", false, "a trailing dot"},
      {Format::kEmail, "a@[IPv6:::1%eth0]", false, "a zone"},
      {Format::kEmail, "a@[127.0.0.1", false, "an open bracket"},
      {Format::kEmail, "\xce\xb4@example.com", false, "a local part that is not ASCII"},
      {Format::kIdnEmail, "\xff@example.com", false, "not UTF-8"},
      {Format::kHostname, Repeat("a.", 126) + "a", true, "253 bytes"},
      {Format::kHostname, Repeat("a.", 127) + "a", false, "255 bytes"},
      {Format::kHostname, std::string("a\0b", 3), false, "NUL"},
      {Format::kHostname,
       "b\xc3\xbc"
       "cher.example",
       false, "not ASCII"},
      {Format::kHostname, "r3---sn-4g5e.example", true, "hyphens in the third and fourth place"},
      {Format::kIdnHostname,
       "b\xc3\xbc"
       "cher.example",
       true, "a U-label"},
      {Format::kIdnHostname,
       "B\xc3\x9c"
       "CHER.example",
       false, "upper case is no U-label"},
      {Format::kIdnHostname,
       "bu\xcc\x88"
       "cher.example",
       false, "not in form C"},
      {Format::kIdnHostname, "\xe2\x98\x83.example", false, "a symbol"},
      {Format::kIdnHostname,
       "a\xe2\x80\x8b"
       "b.example",
       false, "a zero-width space"},
      {Format::kIdnHostname, Repeat("\xc3\xbc", 100000), false, "a label of 100,000 letters"},
      {Format::kIpv6, std::string("::1\0", 4), false, "NUL at the end"},
      {Format::kUri, "https://example.com:/", true, "an empty port, as RFC 3986 has it"},
      {Format::kUri, "https://[::1]x/", false, "text after the bracket"},
      {Format::kUri, "https://[::1", false, "an open bracket"},
      {Format::kUri, "a:", true, "a scheme and nothing"},
      {Format::kUri, ":a", false, "no scheme"},
      {Format::kUri, "https://a/\r\n", false, "a line end"},
      {Format::kUriReference, ":a", false, "a colon in the first segment"},
      {Format::kIri, "https://a/\xe2\x80\xae", false, "a right-to-left override"},
      {Format::kIri, "https://a/\xee\x80\x80", false, "a private character in a path"},
      {Format::kUriTemplate, "{!a}", false, "a reserved operator"},
      {Format::kUriTemplate, "{a:b}", false, "a length that is no number"},
      {Format::kUriTemplate, "{{a}}", false, "braces in braces"},
      {Format::kUriTemplate, "%zz", false, "no escape"},
      {Format::kUriTemplate, Repeat("{", 100000), false, "100,000 open braces"},
      {Format::kJsonPointer, "\xff", false, "not UTF-8"},
      {Format::kRegex, "a{2,1}", false, "least over most"},
      {Format::kRegex, "a{99999999999999999999,99999999999999999999}", true, "large numbers"},
      {Format::kRegex, "a{,2}", false, "no least"},
      {Format::kRegex, "a**", false, "two quantifiers"},
      {Format::kRegex, "a*?", true, "a lazy one"},
      {Format::kRegex, "(?=a)*", false, "a quantifier after look-ahead, with the flag u"},
      {Format::kRegex, "(?<!a)b", true, "look-behind"},
      {Format::kRegex, "]", false, "a bracket alone, with the flag u"},
      {Format::kRegex, "}", false, "a brace alone, with the flag u"},
      {Format::kRegex, "\\1(a)", true, "a reference to a group further on"},
      {Format::kRegex, "\\2(a)", false, "a reference to no group"},
      {Format::kRegex, "\\99999999999", false, "a number without end"},
      {Format::kRegex, "\\k<b>(?<a>x)", false, "a reference to no name"},
      {Format::kRegex, "(?<a>x)(?<a>y)", false, "a name twice"},
      {Format::kRegex, "(?<1>x)", false, "a name that begins with a digit"},
      {Format::kRegex, "(?<\xc3\xa4>x)", true, "a name of letters that are not ASCII"},
      {Format::kRegex, "[z-a]", false, "a range backwards"},
      {Format::kRegex, "[a-\\d]", false, "a range that ends in a class"},
      {Format::kRegex, "[a-]", true, "a hyphen at the end"},
      {Format::kRegex, "[\\-\\b]", true, "a hyphen and a backspace"},
      {Format::kRegex, "\\-", false, "an escaped hyphen outside a class"},
      {Format::kRegex, "[a", false, "an open class"},
      {Format::kRegex, "[a-", false, "an open range"},
      {Format::kRegex, "\\", false, "a lone backslash"},
      {Format::kRegex, "\\u{110000}", false, "over Unicode"},
      {Format::kRegex, "[\\u{1f600}-\\ud83d\\ude4f]", true,
       "a pair of surrogates is one character"},
      {Format::kRegex, "\\u{0000000041}", true, "leading zeros"},
      {Format::kRegex, "\\u{}", false, "no digits"},
      {Format::kRegex, "\\u{12", false, "an open brace"},
      {Format::kRegex, "\\p{Script=Greek}\\P{Lu}", true, "properties"},
      {Format::kRegex, "\\p{=x}", false, "a property without a name"},
      {Format::kRegex, "\\01", false, "an octal escape"},
      {Format::kRegex, "\\c1", false, "a control escape without a letter"},
      {Format::kRegex, Repeat("(", 100000) + Repeat(")", 100000), true, "100,000 groups deep"},
      {Format::kRegex, Repeat("(?<", 100000), false, "100,000 open names"},
  };
  for (const Row& row : kRows) {
    EXPECT_EQ(HasFormat(row.format, row.text), row.has)
        << FormatName(row.format) << ": " << row.text.substr(0, 80) << ": " << row.reason;
  }
}

TEST(Format, NamesGoBack) {
  for (int i = 0; i <= static_cast<int>(Format::kRegex); ++i) {
    const Format format = static_cast<Format>(i);
    EXPECT_EQ(FindFormat(FormatName(format)), format);
    EXPECT_FALSE(FormatInWords(format).empty());
  }
  EXPECT_FALSE(FindFormat("Date").has_value());
  EXPECT_FALSE(FindFormat("").has_value());
}

TEST(AsciiHostName, GivesTheFormThatIsLookedUp) {
  HostNameRules international;
  international.international = true;
  EXPECT_EQ(AsciiHostName("WWW.Example.COM"), "www.example.com");
  EXPECT_EQ(AsciiHostName("b\xc3\xbc"
                          "cher.example",
                          international),
            "xn--bcher-kva.example");
  EXPECT_EQ(AsciiHostName("XN--Bcher-KVA.example"), "xn--bcher-kva.example");
  EXPECT_EQ(AsciiHostName("stra\xc3\x9f"
                          "e.de",
                          international),
            "xn--strae-oqa.de");
  international.deviations = false;
  EXPECT_EQ(AsciiHostName("stra\xc3\x9f"
                          "e.de",
                          international),
            std::nullopt);
  EXPECT_EQ(AsciiHostName("xn--strae-oqa.de", international), "xn--strae-oqa.de");
}

TEST(IpAddress, IsWrittenInOneForm) {
  EXPECT_EQ(NormalIpv6("2001:DB8:0:0:0:0:0:1"), "2001:db8::1");
  EXPECT_EQ(NormalIpv6("::ffff:127.0.0.1"), "::ffff:127.0.0.1");
  EXPECT_EQ(NormalIpv6("::1%lo"), std::nullopt);
  for (const char* name : {"2130706433", "0x7f.1", "127.1", "a.0X7F", "1.2.3.4.", "0x"}) {
    EXPECT_TRUE(EndsInNumber(name)) << name;
  }
  for (const char* name : {"", "a", "1.a", "0xg", "127.0.0.1.example"}) {
    EXPECT_FALSE(EndsInNumber(name)) << name;
  }
}

// Bytes that nobody chose crash nothing; run under the sanitizers.
TEST(HasFormat, TakesAnyBytes) {
  std::mt19937 random(7);
  const std::string alphabet =
      "a0.-:/@%[]{}()\\?#*+,=<>\"xn \xc3\xbc\xd7\x90\xe2\x80\x8d\xff\n~^|PT";
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    const size_t size = random() % 24;
    for (size_t i = 0; i < size; ++i) {
      text +=
          random() % 4 == 0 ? static_cast<char>(random()) : alphabet[random() % alphabet.size()];
    }
    for (int i = 0; i <= static_cast<int>(Format::kRegex); ++i) {
      const Format format = static_cast<Format>(i);
      const bool has = HasFormat(format, text);
      EXPECT_EQ(has, HasFormat(format, text)) << FormatName(format);
    }
  }
}

}  // namespace
}  // namespace tipstaff::schema
