#include "mediator/cli/stub_reply.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mediator/json/parse.h"
#include "mediator/json/write.h"

namespace tipstaff::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

engine::Reply Ok(const char* value) {
  engine::Reply reply;
  reply.kind = call::OutcomeKind::kOk;
  reply.value = json::MustParse(value);
  return reply;
}

engine::Reply Error(call::OutcomeKind kind, const char* code, const char* message) {
  engine::Reply reply;
  reply.kind = kind;
  reply.error = code;
  reply.message = message;
  return reply;
}

std::string AsJson(const engine::Reply& reply) {
  json::Builder b(json::kMaxDepth + 8);
  AddReply("t", reply, b);
  return json::Dump(std::move(b).Build().value().root());
}

TEST(RenderReply, AlignsTheResultAndWhatChanged) {
  engine::Reply reply = Ok(R"({"id":"n1","long_name":[1,2],"rows":[{"a":1},{"a":2}]})");
  reply.changes = {{"b", "k1", "insert", json::MustParse(R"({"id":"k1","text":"x"})")},
                   {"a", "k2", "update", json::MustParse(R"({"id":"k2","s":"new","same":1})"),
                    json::MustParse(R"({"id":"k2","s":"old","same":1})")},
                   {"b", "k3", "delete", json::Document(), json::MustParse(R"({"id":"k3"})")}};
  reply.delay = absl::Seconds(2);
  reply.fault = 1;
  reply.note = "a note\nanother";
  reply.log = {"one", "two\n"};
  EXPECT_EQ(RenderReply(reply),
            "ok\n"
            "  id         \"n1\"\n"
            "  long_name  [1,2]\n"
            "  rows\n"
            "    - {\"a\":1}\n"
            "    - {\"a\":2}\n"
            "  changed a\n"
            "    update k2\n"
            "      s  \"old\" -> \"new\"\n"
            "  changed b\n"
            "    insert k1\n"
            "      text  \"x\"\n"
            "    delete k3\n"
            "  delay  2000 ms\n"
            "  note   a note\n"
            "  note   another\n"
            "  log    one\n"
            "  log    two\\n\n");
}

TEST(RenderReply, CutsWhatIsLong) {
  const std::string text(10'000, 'x');
  std::string rows;
  for (int i = 0; i < 100; ++i) rows += (i == 0 ? "" : ",") + std::string(R"({"a":1})");
  const std::string shown =
      RenderReply(Ok(("{\"a\":\"" + text + "\",\"r\":[" + rows + "]}").c_str()));
  EXPECT_LT(shown.size(), 1000u);
  EXPECT_THAT(shown, AllOf(HasSubstr("…"), HasSubstr("and 80 more")));
}

TEST(RenderReply, SaysWhichError) {
  EXPECT_EQ(RenderReply(Error(call::OutcomeKind::kToolError, "gone", "it is gone")),
            "error gone: it is gone\n");
  EXPECT_EQ(RenderReply(Error(call::OutcomeKind::kUnknown, "timed_out", "no answer")),
            "unknown timed_out: no answer\n");
  EXPECT_EQ(RenderReply(Ok(R"("a text")")), "ok\n  \"a text\"\n");
  EXPECT_EQ(RenderReply(Error(call::OutcomeKind::kRefused, "late", "too late")),
            "refused late: too late\n");
  EXPECT_EQ(RenderReply(Error(call::OutcomeKind::kStubError, "stub_error", "a.lua:3: x")),
            "stub_error: a.lua:3: x\n");
}

TEST(AddReply, HasTheDocumentedMembers) {
  engine::Reply reply = Ok(R"({"x":1})");
  EXPECT_EQ(AsJson(reply), R"({"tool":"t","kind":"ok","result":{"x":1},"changes":{}})");
  reply.changes = {{"b", "k", "insert", json::MustParse(R"({"id":"k"})")}};
  reply.delay = absl::Milliseconds(200);
  reply.note = "n";
  reply.log = {"l"};
  EXPECT_EQ(AsJson(reply),
            R"({"tool":"t","kind":"ok","result":{"x":1},"changes":{"b":[{"key":"k","op":"insert",)"
            R"("row":{"id":"k"}}]},"delay":"200 ms","note":"n","log":["l"]})");
  EXPECT_EQ(AsJson(Error(call::OutcomeKind::kToolError, "gone", "m")),
            R"({"tool":"t","kind":"error","error":"gone","message":"m","changes":{}})");
}

TEST(RenderRows, FitsALine) {
  EXPECT_EQ(RenderRows(json::MustParse("[]").root()), "no rows\n");
  EXPECT_EQ(RenderRows(json::MustParse(R"([{"id":"a","n":1},{"id":"bb","m":[2]}])").root()),
            "id  n  m\n"
            "a   1\n"
            "bb     [2]\n");
  std::string wide = "[{", many = "[";
  for (int i = 0; i < 12; ++i) {
    wide += (i == 0 ? "" : ",") +
            ("\"column" + std::to_string(i) + "\":\"" + std::string(20, 'x')) + "\"";
  }
  for (int i = 0; i < 60; ++i) many += std::string(i == 0 ? "" : ",") + R"({"a":1})";
  const std::string shown = RenderRows(json::MustParse(wide + "}]").root());
  EXPECT_THAT(shown, AllOf(HasSubstr("columns not shown: column5"), HasSubstr("column11")));
  EXPECT_LT(shown.find('\n'), 130u);
  EXPECT_THAT(RenderRows(json::MustParse(many + "]").root()), HasSubstr("and 10 more rows"));
}

}  // namespace
}  // namespace tipstaff::cli
