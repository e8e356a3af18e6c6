#include "mediator/upstream/header_value.h"

#include <gtest/gtest.h>

#include "mediator/upstream/limits.h"

namespace tipstaff::upstream {
namespace {

TEST(HeaderValue, EncodesWhatIsNotPlain) {
  const struct {
    const char* text;
    const char* value;
    const char* why;
  } kRows[] = {
      {"get_report", "get_report", "plain"},
      {"a b", "a b", "a space within"},
      {"file:///a?b=c", "file:///a?b=c", "a URI"},
      {" a", "=?base64?IGE=?=", "a space at the beginning"},
      {"a ", "=?base64?YSA=?=", "a space at the end"},
      {"Grüße", "=?base64?R3LDvMOfZQ==?=", "not ASCII"},
      {"a\r\nX: y", "=?base64?YQ0KWDogeQ==?=", "a header of its own"},
      {"a\tb", "=?base64?YQli?=", "a control character"},
      {"=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=", "looks encoded"},
      {"=?base64?x", "=?base64?x", "does not"},
  };
  for (const auto& row : kRows) EXPECT_EQ(HeaderValue(row.text), row.value) << row.why;
}

TEST(IsSessionId, TakesVisibleAscii) {
  EXPECT_TRUE(IsSessionId("1868a90c-5b1e.!~"));
  for (const char* bad : {"", "a b", "a\r\nb", "ü", "a\x7f"}) EXPECT_FALSE(IsSessionId(bad)) << bad;
  EXPECT_TRUE(IsSessionId(std::string(kMaxSessionBytes, 'x')));
  EXPECT_FALSE(IsSessionId(std::string(kMaxSessionBytes + 1, 'x')));
}

TEST(IsHeaderName, TakesTokens) {
  EXPECT_TRUE(IsHeaderName("X-Api-Key"));
  for (const char* bad : {"", "A B", "A:", "A\n", "Ä"}) EXPECT_FALSE(IsHeaderName(bad)) << bad;
}

}  // namespace
}  // namespace tipstaff::upstream
