#include "mediator/doctor/converse.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"

namespace tipstaff::doctor {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

absl::StatusOr<std::vector<std::string>> Talk(const std::string& script,
                                              std::vector<Conversation::Line> lines,
                                              absl::Duration timeout = absl::Seconds(20)) {
  return Converse({{"/bin/sh", "-c", script}, std::move(lines)}, {"PATH=/usr/bin:/bin", "A=b"},
                  timeout);
}

TEST(ConverseTest, WaitsForTheAnswersOnly) {
  const auto answers = Talk(
      R"(echo a banner; read one; echo '{"method":"note"}'; echo '{"id":7,"result":1}';
         echo '{"id":"1","method":"ask"}'; echo '{"id":1,"result":2}'; read two; read three;
         echo "{\"id\":2,\"result\":\"$one $two $three\"}")",
      {{"x", "1"}, {"y", ""}, {"z", "2"}});
  ASSERT_TRUE(answers.ok()) << answers.status();
  EXPECT_THAT(*answers, ElementsAre(R"({"id":1,"result":2})", R"({"id":2,"result":"x y z"})"));
}

TEST(ConverseTest, TheEnvironmentIsTheOneGiven) {
  const auto answers = Talk(R"(echo "{\"id\":1,\"result\":\"$A $HOME\"}"; read x)", {{"x", "1"}});
  ASSERT_TRUE(answers.ok()) << answers.status();
  EXPECT_THAT(*answers, ElementsAre(R"({"id":1,"result":"b "})"));
}

TEST(ConverseTest, SaysWhyThereIsNoAnswer) {
  const absl::Status ended =
      Talk("printf 'no \\033 token\\nmore' >&2; exit 2", {{"x", "1"}}).status();
  EXPECT_EQ(ended.code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(ended.message(), "it ended without an answer: no \\x1b token");
  const absl::Status missing =
      Converse({{"/no/such/program"}, {{"x", "1"}}}, {}, absl::Seconds(20)).status();
  EXPECT_EQ(missing.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(missing.message()), HasSubstr("/no/such/program"));
}

TEST(ConverseTest, NothingThatItDoesMakesUsWait) {
  const absl::Time start = absl::Now();
  EXPECT_EQ(Talk("exec sleep 1000", {{"x", "1"}}, absl::Milliseconds(100)).status().code(),
            absl::StatusCode::kDeadlineExceeded);
  EXPECT_EQ(Talk("exec sleep 1000", {{std::string(1 << 20, 'x'), "1"}}, absl::Milliseconds(100))
                .status()
                .code(),
            absl::StatusCode::kDeadlineExceeded)
      << "it does not read";
  EXPECT_EQ(Talk("exec cat /dev/zero", {{"x", "1"}}).status().code(),
            absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(Talk("trap '' TERM; sleep 1000 & exec sleep 1000", {}).status().code(),
            absl::StatusCode::kOk)
      << "it stays when its input is closed, and so does its child";
  EXPECT_LT(absl::Now() - start, absl::Seconds(15));
}

TEST(ConverseTest, ALongAnswerIsWhole) {
  const auto answers = Talk(
      R"(printf '{"id":1,"result":"'; head -c 3000000 /dev/zero | tr '\0' x; echo '"}'; read x)",
      {{"x", "1"}});
  ASSERT_TRUE(answers.ok()) << answers.status();
  EXPECT_EQ((*answers)[0].size(), 3000000u + 20);
}

}  // namespace
}  // namespace tipstaff::doctor
