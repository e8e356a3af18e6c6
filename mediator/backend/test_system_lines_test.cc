#include "mediator/backend/test_system_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mediator/backend/limits.h"
#include "mediator/json/parse.h"

namespace tipstaff::backend {
namespace {

using ::testing::HasSubstr;

TEST(TestSystemLines, SayWhatIsAsked) {
  Request request{.number = 3, .tool = "post", .canonical = R"({"text":"a"})"};
  EXPECT_EQ(CallLine(7, "run_a", request),
            R"({"type":"call","id":7,"run":"run_a","call":3,"tool":"post",)"
            R"("arguments":{"text":"a"}})");
  request.submission_key = "k";
  EXPECT_EQ(CallLine(8, "run_a", request),
            R"({"type":"call","id":8,"run":"run_a","call":3,"tool":"post","key":"k",)"
            R"("arguments":{"text":"a"}})");
  request.token = "a.b.c";
  EXPECT_EQ(CallLine(9, "run_a", request),
            R"({"type":"call","id":9,"run":"run_a","call":3,"tool":"post","key":"k",)"
            R"("token":"a.b.c","arguments":{"text":"a"}})");
  EXPECT_EQ(CancelLine(7), R"({"type":"cancel","id":7})");
  EXPECT_EQ(QueryLine(9, "run_a", 3), R"({"type":"query","id":9,"run":"run_a","call":3})");
}

TEST(TestSystemLines, AnswersAreRead) {
  const auto ok = ParseAnswer(R"({"id":7,"outcome":"ok","result":{"a":[1]}})");
  ASSERT_TRUE(ok.ok()) << ok.status();
  EXPECT_EQ(ok->id, 7u);
  EXPECT_EQ(ok->outcome, call::OutcomeKind::kOk);
  EXPECT_EQ(ok->result.Find("a").size(), 1u);
  EXPECT_FALSE(ok->took_place);

  const auto refused = ParseAnswer(R"({"id":8,"outcome":"refused","message":"too late"})");
  ASSERT_TRUE(refused.ok()) << refused.status();
  EXPECT_EQ(refused->outcome, call::OutcomeKind::kRefused);
  EXPECT_EQ(refused->message, "too late");

  const auto done = ParseAnswer(R"({"id":9,"took_place":"not_yet"})");
  ASSERT_TRUE(done.ok()) << done.status();
  EXPECT_EQ(done->took_place, run::TookPlace::kNotYet);
  EXPECT_FALSE(done->outcome);
}

TEST(TestSystemLines, WhatIsNoAnswerIsRefused) {
  const struct {
    const char* reason;
    std::string line;
    const char* message;
  } kCases[] = {
      {"no JSON", "what?", ""},
      {"nothing", "", ""},
      {"two values", R"({"id":1,"took_place":"done"} {})", ""},
      {"two readers would disagree", R"({"id":1,"id":2,"took_place":"done"})", ""},
      {"nested without end", std::string(100, '['), ""},
      {"no object", "[1]", "no JSON object"},
      {"no id", R"({"outcome":"ok","result":1})", "`id`"},
      {"an id that was never given", R"({"id":0,"took_place":"done"})", "`id`"},
      {"an id as a text", R"({"id":"1","took_place":"done"})", "`id`"},
      {"neither", R"({"id":1})", "neither"},
      {"both", R"({"id":1,"outcome":"ok","result":1,"took_place":"done"})", "both"},
      {"an outcome that is the mediator's to say", R"({"id":1,"outcome":"cancelled"})",
       "`outcome`"},
      {"an outcome that only stubs have", R"({"id":1,"outcome":"stub_error"})", "`outcome`"},
      {"an outcome as a number", R"({"id":1,"outcome":1})", "`outcome`"},
      {"no result", R"({"id":1,"outcome":"ok"})", "without a `result`"},
      {"another word for a query", R"({"id":1,"took_place":"yes"})", "`took_place`"},
  };
  for (const auto& c : kCases) {
    const absl::Status status = ParseAnswer(c.line).status();
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << c.reason << ": " << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr(c.message)) << c.reason;
  }
}

TEST(TestSystemLines, AMessageIsCut) {
  const auto answer =
      ParseAnswer(R"({"id":1,"outcome":"failed","message":")" + std::string(100000, 'x') + "\"}");
  ASSERT_TRUE(answer.ok()) << answer.status();
  EXPECT_EQ(answer->message.size(), kMaxSystemNoteBytes);
}

TEST(TestSystemLines, AMessageIsCutBetweenCharacters) {
  std::string message = "x";
  for (int i = 0; i < 1000; ++i) message += "é";
  const auto answer = ParseAnswer(R"({"id":1,"outcome":"failed","message":")" + message + "\"}");
  ASSERT_TRUE(answer.ok()) << answer.status();
  EXPECT_EQ(answer->message, message.substr(0, kMaxSystemNoteBytes - 1));
}

}  // namespace
}  // namespace tipstaff::backend
