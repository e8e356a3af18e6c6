#include "mediator/source/plain_scalar.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/match.h"
#include "mediator/json/write.h"

namespace tipstaff::source {
namespace {

using Kind = PlainScalar::Kind;

TEST(PlainScalar, ReadsJsonsScalars) {
  for (const char* text : {"null", "true", "false", "0", "-1", "1.25", "-9223372036854775808",
                           "18446744073709551615", "1e-07"}) {
    const PlainScalar scalar = ReadPlainScalar(text);
    ASSERT_EQ(scalar.kind, Kind::kJson) << text;
    EXPECT_EQ(json::Dump(scalar.json.root()), text);
  }
}

TEST(PlainScalar, LeavesTextAlone) {
  for (const char* text : {"",
                           "x",
                           "truer",
                           "nothing",
                           "yes please",
                           "onward",
                           "1.2.3",
                           "30m",
                           "2MiB",
                           "10:99",
                           "a:1",
                           "0x",
                           "0xZZ",
                           "2026-05-01 is a day",
                           "2026-05",
                           "1-2",
                           "-",
                           "--",
                           ".",
                           "..",
                           ".x",
                           ".5.5",
                           "1,000",
                           "e5",
                           "1e",
                           "+",
                           "+x",
                           "$name",
                           "*.delete_*x",
                           "127.0.0.1",
                           "_1",
                           "08x",
                           "i18n"}) {
    EXPECT_EQ(ReadPlainScalar(text).kind, Kind::kString) << text;
  }
}

struct Case {
  const char* text;
  const char* fix;  // the JSON form that the label offers, "" for none
};

TEST(PlainScalar, RefusesWhatReadersDisagreeOn) {
  const Case kCases[] = {
      {"yes", "`true`"},
      {"Yes", "`true`"},
      {"YES", "`true`"},
      {"no", "`false`"},
      {"No", "`false`"},
      {"on", "`true`"},
      {"OFF", "`false`"},
      {"y", "`true`"},
      {"N", "`false`"},
      {"True", "`true`"},
      {"TRUE", "`true`"},
      {"tRuE", "`true`"},
      {"False", "`false`"},
      {"~", "`null`"},
      {"Null", "`null`"},
      {"NULL", "`null`"},
      {"0x1F", "`31`"},
      {"-0x10", "`-16`"},
      {"0b101", "`5`"},
      {"0o17", "decimal"},
      {"012", "decimal"},
      {"00", "decimal"},
      {"1_000", "`1000`"},
      {"+1", "`1`"},
      {"+1.5", "`1.5`"},
      {".5", "`0.5`"},
      {"-.5", "`-0.5`"},
      {"+.5", "`0.5`"},
      {"5.", "`5.0`"},
      {"089", "`89`"},
      {"1_0.5", "`10.5`"},
      {".inf", ""},
      {"-.INF", ""},
      {".nan", ""},
      {".NaN", ""},
      {"12:30", ""},
      {"12:30:45", ""},
      {"-1:00.5", ""},
      {"2026-05-01", ""},
      {"2026-5-1", ""},
      {"2026-05-01T09:00:00Z", ""},
      {"2026-05-01 09:00:00", ""},
      {"=", ""},
      {"<<", ""},
      {"0xFFFFFFFFFFFFFFFFFF", ""},
  };
  for (const Case& c : kCases) {
    const PlainScalar scalar = ReadPlainScalar(c.text);
    ASSERT_EQ(scalar.kind, Kind::kAmbiguous) << c.text;
    EXPECT_THAT(scalar.message, ::testing::HasSubstr(c.text));
    EXPECT_THAT(scalar.label, ::testing::HasSubstr(json::Quote(c.text))) << "how to quote it";
    EXPECT_THAT(scalar.label, ::testing::HasSubstr(c.fix)) << c.text;
    const bool offers_json = absl::StrContains(scalar.label, ", or ");
    EXPECT_EQ(offers_json, *c.fix != '\0') << c.text << ": " << scalar.label;
  }
}

TEST(PlainScalar, RefusesNumbersThatDoNotFit) {
  for (const char* text : {"18446744073709551616", "-9223372036854775809", "1e400", "-1e400"}) {
    EXPECT_EQ(ReadPlainScalar(text).kind, Kind::kOutOfRange) << text;
  }
  EXPECT_LT(ReadPlainScalar(std::string(100000, '9')).message.size(), 200u);
}

}  // namespace
}  // namespace tipstaff::source
