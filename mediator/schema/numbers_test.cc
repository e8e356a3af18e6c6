#include "mediator/schema/numbers.h"

#include <gtest/gtest.h>

#include "mediator/json/parse.h"

namespace tipstaff::schema {
namespace {

TEST(Compare, IsExact) {
  struct Row {
    const char* a;
    const char* b;
    int order;
    const char* reason;
  };
  const Row kRows[] = {
      {"1", "1.0", 0, "one number"},
      {"1", "1.5", -1, "a fraction above"},
      {"-1", "-1.5", 1, "a fraction below zero"},
      {"9007199254740993", "9007199254740992", 1, "one double for both"},
      {"2251799813685249", "2251799813685248.5", 1, "half a step"},
      {"18446744073709551615", "9223372036854775807", 1, "over the signed range"},
      {"-9223372036854775808", "18446744073709551615", -1, "the ends"},
      {"18446744073709551615", "18446744073709551616.0", -1, "a double over the range"},
      {"-9223372036854775808", "-1e300", 1, "far below"},
      {"1e300", "1e299", 1, "doubles"},
      {"0", "1e-300", -1, "hardly over zero"},
  };
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.reason);
    const json::Document a = json::MustParse(row.a), b = json::MustParse(row.b);
    EXPECT_EQ(Compare(a.root(), b.root()), row.order);
    EXPECT_EQ(Compare(b.root(), a.root()), -row.order);
  }
}

TEST(IsMultipleOf, TakesDecimalsAsWritten) {
  struct Row {
    const char* number;
    const char* divisor;
    bool expected;
    const char* reason;
  };
  const Row kRows[] = {
      {"10", "2", true, "integers"},
      {"7", "2", false, "integers"},
      {"-6", "3", true, "the sign does not matter"},
      {"0", "0.7", true, "zero is a multiple of all"},
      {"0.0075", "0.0001", true, "75 of them, which doubles miss"},
      {"0.00751", "0.0001", false, "75.1 of them"},
      {"0.3", "0.1", true, "3 of them, which doubles miss"},
      {"4.5", "1.5", true, "3 of them"},
      {"35", "1.5", false, "23.3 of them"},
      {"1e308", "0.5", true, "the quotient is over every double"},
      {"1e308", "0.123456789", false, "the quotient is over every double"},
      {"18446744073709551615", "5", true, "the largest integer"},
      {"18446744073709551615", "18446744073709551615", true, "itself"},
      {"9007199254740993", "2", false, "a double would be even"},
      {"1e-300", "1e300", false, "far apart"},
      {"1", "1e-300", true, "far apart the other way"},
  };
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.reason);
    const json::Document number = json::MustParse(row.number);
    const json::Document divisor = json::MustParse(row.divisor);
    EXPECT_EQ(IsMultipleOf(number.root(), divisor.root()), row.expected)
        << row.number << " of " << row.divisor;
  }
}

TEST(IsIntegral, HasNoFraction) {
  for (const char* text : {"1", "1.0", "1e30", "-5", "18446744073709551615"}) {
    EXPECT_TRUE(IsIntegral(json::MustParse(text).root())) << text;
  }
  for (const char* text : {"1.5", "1e-3"}) {
    EXPECT_FALSE(IsIntegral(json::MustParse(text).root())) << text;
  }
}

}  // namespace
}  // namespace tipstaff::schema
