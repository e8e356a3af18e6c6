// Transitions between states, and templates of results.
#include "stubs/engine/transition.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "mediator/json/write.h"
#include "stubs/engine/changes.h"
#include "stubs/engine/testing/small_stub.h"

namespace tipstaff::engine {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Line 1 is the empty one.
constexpr char kYaml[] = R"(
stub: small
description: States.
clock: {start: "2026-05-01T09:00:00Z", per_call: 1s}
ids: {receipt: "r_{seq}"}
tables:
  tickets: {key: id, columns: {id: {type: string}, status: {enum: [open, started, closed]}, was: true, at: true}}
fixtures: {tickets: fixtures/tickets.yaml}
tools:
  - name: move
    effect: write
    input: {type: object, properties: {id: {type: string}, to: {}}}
    transition:
      table: tickets
      key: $args.id
      column: status
      to: $args.to
      allowed: {open: [started, closed], started: [closed], closed: []}
      set: {was: $from, at: $now}
      not_found: no such ticket
    result: {id: $row.id, from: $from, to: $to, receipt: $id.receipt, who: $bindings.who, none: $row.was.x, at: $now, price: $$5}
  - name: one
    effect: read
    input: {type: object, properties: {id: {type: string}}}
    select: {from: tickets, where: {id: $args.id}, one: true}
    result: {ticket: $row, asked: [$args.id], nested: {status: $row.status}}
  - name: all
    effect: read
    input: {type: object, properties: {cursor: {type: string}}}
    select: {from: tickets, columns: [id], page: {size: 1, cursor: $args.cursor}}
    result: {items: $rows, count: $total, more: $next_cursor}
  - name: add
    effect: write
    input: {type: object, properties: {id: {type: string}}}
    insert: {into: tickets, row: {id: $args.id, status: open}}
    result: {created: $row.id}
  - name: drop
    effect: write
    input: {type: object, properties: {id: {type: string}}}
    delete: {table: tickets, key: $args.id}
    result: {was: $row}
)";
constexpr char kTickets[] = "- {id: t1, status: open}\n- {id: t2, status: closed}\n";

std::map<std::string, std::string> Files(absl::string_view from = "", absl::string_view to = "") {
  return {{"stub.yaml", from.empty() ? kYaml : absl::StrReplaceAll(kYaml, {{from, to}})},
          {"fixtures/tickets.yaml", kTickets}};
}

class TransitionTest : public ::testing::Test {
 protected:
  Reply Call(const char* tool, const char* arguments) {
    return state_->Call(++number_, tool, json::MustParse(arguments));
  }
  std::string Value(const char* tool, const char* arguments) {
    const Reply reply = Call(tool, arguments);
    EXPECT_EQ(reply.kind, call::OutcomeKind::kOk) << reply.error << ": " << reply.message;
    return json::Canonical(reply.value.root());
  }
  std::unique_ptr<State> state_ = MakeState(LoadSmallStub(Files()), "s", R"({"who":"ann"})");
  uint64_t number_ = 0;
};

TEST_F(TransitionTest, GoesWhereTheStateAllows) {
  const Reply reply = Call("move", R"({"id":"t1","to":"started"})");
  EXPECT_EQ(json::Canonical(reply.value.root()),
            R"({"at":"2026-05-01T09:00:00Z","from":"open","id":"t1","price":"$5",)"
            R"("receipt":"r_1","to":"started","who":"ann"})")
      << reply.message;
  EXPECT_EQ(ChangesInFull(reply.changes),
            R"({"tickets":[{"key":"t1","op":"update","row":{"at":"2026-05-01T09:00:00Z",)"
            R"("id":"t1","status":"started","was":"open"}}]})");
}

TEST_F(TransitionTest, SaysWhatIsAllowed) {
  const std::string before = json::Canonical(state_->Table("tickets")->root());
  const Reply reply = Call("move", R"({"id":"t1","to":"open"})");
  EXPECT_EQ(reply.kind, call::OutcomeKind::kToolError);
  EXPECT_EQ(reply.error, "invalid_transition");
  EXPECT_EQ(reply.message,
            "`status` cannot go from `open` to `open`: from there it can go to `started` and "
            "`closed`");
  EXPECT_EQ(Call("move", R"({"id":"t2","to":"open"})").message,
            "`status` cannot go from `closed` to `open`: nothing follows `closed`");
  EXPECT_THAT(Call("move", "{\"id\":\"t1\",\"to\":\"\\u001b[2J\"}").message, HasSubstr("\\x1b[2J"));
  EXPECT_EQ(Call("move", R"({"id":"t9","to":"open"})").message, "no such ticket");
  EXPECT_EQ(Call("move", R"({"id":"t1","to":7})").kind, call::OutcomeKind::kStubError);
  EXPECT_EQ(Call("move", R"({"to":"open"})").kind, call::OutcomeKind::kStubError);
  EXPECT_EQ(json::Canonical(state_->Table("tickets")->root()), before);
}

TEST_F(TransitionTest, ResultsAreWhatTheTemplateSays) {
  EXPECT_EQ(Value("one", R"({"id":"t1"})"),
            R"({"asked":["t1"],"nested":{"status":"open"},"ticket":{"id":"t1","status":"open"}})");
  EXPECT_EQ(Call("one", R"({"id":"t9"})").error, "not_found");
  const Reply page = Call("all", "{}");
  const std::string cursor(page.value.root().StringOr("more", ""));
  EXPECT_NE(cursor, "");
  EXPECT_THAT(json::Canonical(page.value.root()), HasSubstr(R"({"count":2,"items":[{"id":"t1"}])"));
  EXPECT_EQ(Value("all", absl::StrCat(R"({"cursor":")", cursor, "\"}").c_str()),
            R"({"count":2,"items":[{"id":"t2"}]})");
  EXPECT_EQ(Value("add", R"({"id":"t3"})"), R"({"created":"t3"})");
  EXPECT_EQ(Value("drop", R"({"id":"t3"})"), R"({"was":{"id":"t3","status":"open"}})");
}

TEST(TransitionLoad, IsChecked) {
  const struct {
    absl::string_view from, to;
    const char* code;
    const char* words;
    const char* place;
  } kMistakes[] = {
      {"effect: write\n    input: {type: object, properties: {id: {type: string}, to: {}}}",
       "effect: read\n    input: {type: object, properties: {id: {type: string}, to: {}}}", "S011",
       "cannot have `transition`", "stub.yaml:13"},
      {"      column: status\n", "", "S004", "`column`", "stub.yaml"},
      {"column: status", "column: stauts", "S008", "did you mean `status`?", "stub.yaml:16"},
      {"column: status", "column: id", "S010", "the key of a row is no state", "stub.yaml:16"},
      {"started: [closed]", "startd: [closed]", "S008", "did you mean `started`?", "stub.yaml:18"},
      {"started: [closed]", "started: [close]", "S008", "did you mean `closed`?", "stub.yaml:18"},
      {"started: [closed]", "started: closed", "S003", "must be a sequence", "stub.yaml:18"},
      {"{open: [started, closed], started: [closed], closed: []}", "{}", "S022", "allows nothing",
       "stub.yaml:18"},
      {"to: $args.to", "to: open", "S022", "no state of `allowed` leads to `open`", "stub.yaml:17"},
      {"set: {was: $from,", "set: {status: $from,", "S010", "`set` cannot have the column `status`",
       "stub.yaml:19"},
      {"set: {was: $from,", "set: {wos: $from,", "S008", "did you mean `was`?", "stub.yaml:19"},
      {"set: {was: $from,", "set: {was: $row,", "S009", "here also $from, $to", "stub.yaml:19"},
      {"id: $row.id,", "id: $row.idd,", "S008", "did you mean `id`?", "stub.yaml:21"},
      {"to: $to,", "to: $to.x,", "S009", "`$to` has no parts", "stub.yaml:21"},
      {"to: $to,", "to: $rows,", "S009", "here also $row, $from, $to", "stub.yaml:21"},
      {"    result: {created: $row.id}", "    result: $row", "S003", "`result` must be a mapping",
       "stub.yaml:36"},
      {"created: $row.id", "created: $next_cursor", "S009", "here also $row;", "stub.yaml:36"},
  };
  for (const auto& c : kMistakes) {
    std::string text;
    ASSERT_THAT(kYaml, HasSubstr(std::string(c.from)));
    EXPECT_EQ(LoadSmallStub(Files(c.from, c.to), &text), nullptr) << c.to;
    EXPECT_THAT(text, HasSubstr(absl::StrCat("error[", c.code, "]"))) << c.to;
    EXPECT_THAT(text, HasSubstr(c.words)) << c.to;
    EXPECT_THAT(text, HasSubstr(absl::StrCat("--> small/", c.place))) << c.to;
  }
}

TEST(TransitionLoad, WarnsOfStatesThatNothingLeadsTo) {
  const struct {
    const char* reason;
    absl::string_view from, to;
    const char* words;  // "" for none
  } kStubs[] = {
      {"all are reached", "", "", ""},
      {"one is left out of `allowed`", "open: [started, closed]", "open: [closed]",
       "warning[S022]: nothing leads to the state `started`"},
      {"one that only the enum has", "closed]}, was", "closed, frozen]}, was",
       "warning[S022]: nothing leads to the state `frozen`"},
      {"a row may be added in any state", "status: open}}", "status: $args.id}}", ""},
  };
  for (const auto& c : kStubs) {
    std::map<std::string, std::string> files = Files(c.from, c.to);
    if (c.reason == std::string("a row may be added in any state")) {
      files["stub.yaml"] =
          absl::StrReplaceAll(files["stub.yaml"], {{"open: [started, closed]", "open: [closed]"}});
    }
    std::string text;
    EXPECT_NE(LoadSmallStub(files, &text), nullptr) << c.reason << text;
    if (c.words[0] == '\0') {
      EXPECT_EQ(text, "") << c.reason;
    } else {
      EXPECT_THAT(text, HasSubstr(c.words)) << c.reason;
    }
  }
}

}  // namespace
}  // namespace tipstaff::engine
