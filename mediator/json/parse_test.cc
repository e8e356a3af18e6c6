#include "mediator/json/parse.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "mediator/json/builder.h"
#include "mediator/json/write.h"

namespace tipstaff::json {
namespace {

using ::testing::HasSubstr;

struct Refused {
  const char* reason;
  std::string bytes;
  const char* message;
};

TEST(Parse, RefusesWhatTwoReadersMayReadDifferently) {
  const Refused kCases[] = {
      {"the same key twice", R"({"path":"/safe","path":"/etc"})", "a key twice"},
      {"the same key after unescaping", R"({"path":1,"p\u0061th":2})", "a key twice"},
      {"in an inner object", R"({"a":[{"b":1,"b":2}]})", "a key twice"},
      {"among many", R"({"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1,"a":2})",
       "a key twice"},
      {"NUL in a key", R"({"path\u0000":1})", "U+0000"},
      {"lone high surrogate", R"(["\ud800"])", "not JSON"},
      {"lone low surrogate", R"(["\udc00"])", "not JSON"},
      {"invalid UTF-8", "[\"\xff\"]", "not JSON"},
      {"overlong UTF-8", "[\"\xc0\xaf\"]", "not JSON"},
      {"integer over uint64", "18446744073709551616", "64 bits"},
      {"integer under int64", "-9223372036854775809", "64 bits"},
      {"overflow", "1e400", "out of range"},
      {"a fraction that would be rounded to an integer", "9007199254740993.5", "cannot be kept"},
      {"one just under an integer", "0.99999999999999999999", "cannot be kept"},
      {"one too small to be told from zero", "1e-400", "cannot be kept"},
      {"a whole number outside 64 bits that would be rounded into them", "-9223372036854775809.0",
       "cannot be kept"},
      {"two values", "1 2", "not JSON"},
      {"trailing comma", "[1,]", "not JSON"},
      {"comment", "[1]//x", "not JSON"},
      {"NaN", "NaN", "not JSON"},
      {"leading zero", "01", "not JSON"},
      {"raw control character", "[\"\x01\"]", "not JSON"},
      {"nothing", "", "not JSON"},
      {"byte order mark", "\xef\xbb\xbf{}", "byte order mark"},
      {"unfinished", "{\"a\":", "not JSON at byte 5: a value is due"},
      {"unfinished string", "[\"abc", "not JSON at byte 5: a string does not end"},
      {"unfinished escape", "\"\\", "not JSON at byte 2: there is no such escape"},
      {"unfinished unicode escape", "\"\\u12", "four hexadecimal digits"},
      {"unknown escape", R"("\x41")", "not JSON at byte 2: there is no such escape"},
      {"two high surrogates", R"("\ud800\ud800")", "half a surrogate pair"},
      {"a high surrogate and a letter", R"("\ud800\n")", "half a surrogate pair"},
      {"surrogate in UTF-8", "\"\xed\xa0\x80\"", "not UTF-8"},
      {"UTF-8 cut by the quote", "\"\xe2\x82\"", "not UTF-8"},
      {"UTF-8 outside a string", "\xc2\xa0 1", "a value is due"},
      {"wrong closer", "[1}", "`,` or `]` is due"},
      {"wrong closer of an object", "{\"a\":1]", "`,` or `}` is due"},
      {"closer alone", "]", "a value is due"},
      {"no key", "{1:2}", "a key in double quotes is due"},
      {"no colon", "{\"a\" 1}", "`:` is due"},
      {"trailing comma in an object", "{\"a\":1,}", "a key in double quotes is due"},
      {"plus sign", "+1", "a value is due"},
      {"minus alone", "-", "a digit is due"},
      {"no digit before the point", ".5", "a value is due"},
      {"no digit behind the point", "1.", "a digit is due"},
      {"no digit in the exponent", "1e+", "a digit is due"},
      {"leading zero after a minus", "-012", "does not begin with 0"},
      {"hexadecimal", "0x10", "the end of the text is due"},
      {"word cut short", "tru", "a value is due"},
      {"word gone on", "nullx", "the end of the text is due"},
      {"form feed for space", "[\f1]", "a value is due"},
      {"NUL byte after the value", std::string("1\0", 2), "not JSON"},
  };
  for (const Refused& c : kCases) {
    const absl::StatusOr<Document> result = Parse(c.bytes);
    ASSERT_FALSE(result.ok()) << c.reason;
    EXPECT_EQ(result.status().code(), absl::StatusCode::kInvalidArgument) << c.reason;
    EXPECT_THAT(result.status().message(), HasSubstr(c.message)) << c.reason;
  }
}

TEST(Parse, UnescapesStrings) {
  const absl::StatusOr<Document> document =
      Parse(R"({"\u0061\n":"\"\\\/\b\f\n\r\t\u00e9\u20AC\ud83d\ude00 plain é€😀 \u0000 end"})");
  ASSERT_TRUE(document.ok()) << document.status();
  using std::string_literals::operator""s;
  EXPECT_EQ(std::string(document->root().Find("a\n").string()),
            "\"\\/\b\f\n\r\té€😀 plain é€😀 \0 end"s);
}

TEST(Parse, NamesTheByteOfTheProblem) {
  EXPECT_THAT(Parse(R"({"a":1,"a":2})").status().message(), HasSubstr("one object at byte 12"));
  EXPECT_THAT(Parse("[1, 99999999999999999999]").status().message(), HasSubstr("at byte 4"));
  EXPECT_THAT(Parse("[1, 2 3]").status().message(), HasSubstr("at byte 6"));
}

TEST(Parse, BoundsDepthWithoutRecursion) {
  const auto nested = [](int depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_TRUE(Parse(nested(kMaxDepth)).ok());
  EXPECT_THAT(Parse(nested(kMaxDepth + 1)).status().message(), HasSubstr("nested deeper than 32"));
  EXPECT_FALSE(Parse(std::string(200000, '[')).ok());
  const absl::StatusOr<Document> deep = Parse(nested(200000), {.max_depth = 200000});
  ASSERT_TRUE(deep.ok());
  EXPECT_EQ(Dump(deep->root()), nested(200000));
  EXPECT_TRUE(Equal(deep->root(), Document(*deep).root()));
}

TEST(Parse, KeepsNumbersExactly) {
  struct Case {
    const char* literal;
    const char* canonical;
    Kind kind;
  };
  const Case kCases[] = {
      {"9007199254740993", "9007199254740993", Kind::kInteger},
      {"9007199254740993.0", "9007199254740993", Kind::kInteger},
      {"18446744073709551615", "18446744073709551615", Kind::kUnsigned},
      {"-9223372036854775808", "-9223372036854775808", Kind::kInteger},
      {"-9223372036854775808.0", "-9223372036854775808", Kind::kInteger},
      {"1.0", "1", Kind::kInteger},
      {"1e16", "10000000000000000", Kind::kInteger},
      {"100e-2", "1", Kind::kInteger},
      {"-0", "0", Kind::kInteger},
      {"-0.0", "0", Kind::kInteger},
      {"0e99999999999", "0", Kind::kInteger},
      {"0.1", "0.1", Kind::kDouble},
      {"1e20", "1e+20", Kind::kDouble},
      {"9007199254740993e00000000", "9007199254740993", Kind::kInteger},
      {"9223372036854775807e-00000000", "9223372036854775807", Kind::kInteger},
      {"0.9007199254740993e+00000016", "9007199254740993", Kind::kInteger},
      {"0e-999999999999999999999", "0", Kind::kInteger},
      {"123456789012345678901.0", "1.2345678901234568e+20", Kind::kDouble},
      {"18446744073709551616.0", "1.8446744073709552e+19", Kind::kDouble},
      {"-9223372036854777856e0", "-9.223372036854778e+18", Kind::kDouble},
  };
  for (const Case& c : kCases) {
    const absl::StatusOr<Document> document = Parse(c.literal);
    ASSERT_TRUE(document.ok()) << c.literal << " " << document.status();
    EXPECT_EQ(document->root().kind(), c.kind) << c.literal;
    EXPECT_EQ(Canonical(document->root()), c.canonical) << c.literal;
    EXPECT_TRUE(Equal(Parse(c.canonical)->root(), document->root())) << c.literal;
  }
}

// What is written is read again as the same value: records are read so.
TEST(Parse, ReadsEveryNumberThatIsWritten) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 200'000; ++i) {
    double value;
    const uint64_t bits = random();
    std::memcpy(&value, &bits, sizeof value);
    // Half of them where doubles pass the integers of 64 bits.
    if (i % 2 == 0) value = std::ldexp(1 + (bits >> 12) * 0x1p-52, 60 + bits % 12);
    if (!std::isfinite(value)) continue;
    Builder builder;
    builder.Double(i % 4 < 2 ? value : -value);
    const Document document = *std::move(builder).Build();
    const std::string text = Canonical(document.root());
    const absl::StatusOr<Document> again = Parse(text);
    ASSERT_TRUE(again.ok()) << text << " " << again.status();
    ASSERT_TRUE(Equal(again->root(), document.root())) << text;
    ASSERT_EQ(Canonical(again->root()), text);
  }
}

}  // namespace
}  // namespace tipstaff::json
