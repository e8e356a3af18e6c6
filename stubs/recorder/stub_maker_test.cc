#include "stubs/recorder/stub_maker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"

namespace tipstaff::recorder {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

call::Tool ToolOf(const std::string& name, call::Effect effect) {
  return {.name = name,
          .effect = effect,
          .input_schema = json::MustParse(R"({"type":"object"})"),
          .output_schema = json::MustParse("null")};
}

class StubMakerTest : public ::testing::Test {
 protected:
  StubMakerTest() {
    recording_.system = "tickets";
    recording_.tools = {ToolOf("get_ticket", call::Effect::kRead),
                        ToolOf("set_status", call::Effect::kWrite),
                        ToolOf("search", call::Effect::kRead)};
  }
  void Answered(const std::string& tool, const std::string& arguments, const std::string& answer) {
    recording_.calls.push_back({.number = recording_.calls.size() + 1,
                                .tool = tool,
                                .arguments = json::MustParse(arguments),
                                .answer = json::MustParse(answer)});
  }
  void Failed(const std::string& tool, const std::string& arguments, const std::string& error,
              const std::string& message) {
    recording_.calls.push_back({.number = recording_.calls.size() + 1,
                                .tool = tool,
                                .arguments = json::MustParse(arguments),
                                .kind = RecordedCall::Kind::kError,
                                .error = error,
                                .message = message});
  }
  void Make() {
    absl::StatusOr<MadeStub> made = MakeStub(recording_, {"recorded", "What it was."});
    ASSERT_TRUE(made.ok()) << made.status();
    made_ = *std::move(made);
    source::Diagnostics diagnostics;
    const auto stub = engine::Stub::Load({"recorded", made_.files}, diagnostics);
    ASSERT_NE(stub, nullptr) << source::RenderText(diagnostics);
    state_ = *engine::State::Create(stub, {.seed = "any", .backend = "b"});
  }
  std::string Ask(const std::string& tool, const std::string& arguments) {
    const engine::Reply reply = state_->Call(++number_, tool, json::MustParse(arguments));
    if (reply.kind == call::OutcomeKind::kOk) return json::Dump(reply.value.root());
    return absl::StrCat(reply.error, ": ", reply.message);
  }

  Recording recording_;
  MadeStub made_;
  std::unique_ptr<engine::State> state_;
  uint64_t number_ = 0;
};

constexpr char kOne[] = R"({"ticket_id":"T-1"})";

TEST_F(StubMakerTest, AnswersTheRecordedCallsInTheirOrder) {
  Answered("search", R"({"q":"a"})", R"({"found":["T-1"]})");
  Answered("search", R"({"q":"a"})", R"({"found":["T-1","T-2"]})");
  Failed("search", R"({"q":""})", "invalid_query", "a query has a letter");
  Make();
  EXPECT_EQ(Ask("search", R"({"q":"a"})"), R"({"found":["T-1"]})");
  EXPECT_EQ(Ask("search", R"({"q":""})"), "invalid_query: a query has a letter");
  EXPECT_EQ(Ask("search", R"({"q":"a"})"), R"({"found":["T-1","T-2"]})");
  EXPECT_EQ(Ask("search", R"({"q":"a"})"), R"({"found":["T-1","T-2"]})") << "the last one repeats";
  EXPECT_THAT(Ask("search", R"({"q":"b"})"), HasSubstr("unmatched"));
  EXPECT_THAT(Ask("set_status", kOne), HasSubstr("unmatched")) << "nobody called it";
  EXPECT_THAT(made_.by_tables, IsEmpty());
  EXPECT_THAT(made_.unused, ElementsAre("get_ticket", "set_status"));
}

TEST_F(StubMakerTest, KeepsContentOfAnyForm) {
  const std::string image =
      R"({"content":[{"type":"image","data":"AAEC","mimeType":"image/png"}],"isError":true})";
  recording_.calls.push_back({.number = 1,
                              .tool = "search",
                              .arguments = json::MustParse("{}"),
                              .kind = RecordedCall::Kind::kContent,
                              .answer = json::MustParse(image)});
  Make();
  const engine::Reply reply = state_->Call(1, "search", json::MustParse("{}"));
  EXPECT_TRUE(reply.is_content);
  EXPECT_EQ(reply.kind, call::OutcomeKind::kToolError);
  EXPECT_EQ(json::Dump(reply.value.root()), image);
}

TEST_F(StubMakerTest, FindsTheRowsThatReadsAndWritesAreAbout) {
  Answered("get_ticket", kOne, R"({"id":"T-1","status":"open","n":1})");
  Answered("set_status", R"({"ticket_id":"T-1","status":"done"})",
           R"({"ticket_id":"T-1","now":"done","ok":true})");
  Answered("get_ticket", kOne, R"({"id":"T-1","status":"done","n":1})");
  Failed("get_ticket", R"({"ticket_id":"T-9"})", "not_found", "there is no such ticket");
  Make();
  EXPECT_THAT(made_.by_tables, ElementsAre("get_ticket", "set_status"));
  EXPECT_EQ(Ask("get_ticket", kOne), R"({"id":"T-1","status":"open","n":1})");
  // In another order, with another value.
  EXPECT_EQ(Ask("get_ticket", kOne), R"({"id":"T-1","status":"open","n":1})");
  EXPECT_EQ(Ask("set_status", R"({"ticket_id":"T-1","status":"odd"})"),
            R"({"ticket_id":"T-1","now":"odd","ok":true})");
  EXPECT_EQ(Ask("get_ticket", kOne), R"({"id":"T-1","status":"odd","n":1})");
  EXPECT_EQ(Ask("get_ticket", R"({"ticket_id":"T-9"})"), "not_found: there is no such ticket");
}

TEST_F(StubMakerTest, GoesBackToRepliesWhereTablesCannotTell) {
  // A time that nothing explains changes with the write.
  Answered("get_ticket", kOne, R"({"id":"T-1","status":"open","at":"09:00"})");
  Answered("set_status", R"({"ticket_id":"T-1","status":"done"})", R"({"ok":true})");
  Answered("get_ticket", kOne, R"({"id":"T-1","status":"done","at":"09:05"})");
  Make();
  EXPECT_THAT(made_.by_tables, IsEmpty());
  EXPECT_EQ(Ask("get_ticket", kOne), R"({"id":"T-1","status":"open","at":"09:00"})");
  EXPECT_EQ(Ask("set_status", R"({"ticket_id":"T-1","status":"done"})"), R"({"ok":true})");
  EXPECT_EQ(Ask("get_ticket", kOne), R"({"id":"T-1","status":"done","at":"09:05"})");
}

TEST_F(StubMakerTest, KeepsTextsWhateverTheyHold) {
  for (const char* text :
       {"$args.q", "$$", "${slot:x}", "a: b # c", "\u202e", "yes", "\u0001", "\U0001F600", "- x"}) {
    recording_.calls.clear();
    const std::string quoted = json::Quote(text);
    Answered("get_ticket", kOne, absl::StrCat(R"({"id":"T-1","text":)", quoted, "}"));
    Answered("search", absl::StrCat("{\"q\":", quoted, "}"), absl::StrCat("{\"a\":", quoted, "}"));
    Make();
    EXPECT_EQ(Ask("get_ticket", kOne), json::Dump(recording_.calls[0].answer.root()));
    EXPECT_EQ(Ask("search", json::Dump(recording_.calls[1].arguments.root())),
              json::Dump(recording_.calls[1].answer.root()));
  }
}

TEST_F(StubMakerTest, TheFilesItWritesAreTestsOfTheStub) {
  Answered("search", R"({"q":"a"})", R"({"found":[]})");
  Make();
  EXPECT_THAT(made_.files["tests/recorded.yaml"],
              HasSubstr(R"({"tool":"search","args":{"q":"a"},"expect":{"ok":{"found":[]}}})"));
}

TEST_F(StubMakerTest, NeedsACall) {
  EXPECT_EQ(MakeStub(recording_, {"recorded", ""}).status().code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace tipstaff::recorder
