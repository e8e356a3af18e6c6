// Tables that say what their columns hold: what is refused when loading, and when a call makes a
// row that does not fit.
#include "stubs/engine/columns.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "mediator/json/write.h"
#include "stubs/engine/testing/small_stub.h"

namespace tipstaff::engine {
namespace {

using ::testing::HasSubstr;

// Line 1 is the empty one.
constexpr char kYaml[] = R"(
stub: small
description: Tickets.
tables:
  tickets:
    key: id
    columns:
      id: {type: string}
      status: {enum: [open, closed]}
      rank: {type: integer, maximum: 9}
      tags: {type: array, items: {type: string}}
      any: true
    required: [status]
fixtures: {tickets: fixtures/tickets.yaml}
tools:
  - name: add
    effect: write
    input: {type: object, properties: {id: {type: string}, status: {}, rank: {}, tags: {}, any: {}}}
    insert: {into: tickets, row: {id: $args.id, status: $args.status, rank: $args.rank, tags: $args.tags, any: $args.any}}
  - name: change
    effect: write
    input: {type: object, properties: {id: {type: string}, rank: {}, new: {}}}
    update: {table: tickets, key: $args.id, set: {rank: $args.rank, any: seen}}
  - name: find
    effect: read
    input: {type: object}
    select: {from: tickets, where: {status: open}, order: rank, columns: [id]}
  - {name: script, effect: write, input: {type: object, properties: {cells: {type: object}}}, lua: script.lua}
)";
constexpr char kTickets[] = "- {id: t1, status: open, rank: 1}\n- {id: t2, status: closed}\n";
constexpr char kScript[] = R"(
return function(ctx, args)
  ctx.tables.tickets:update("t1", {rank = 2})
  ctx.tables.tickets:update("t2", args.cells)
  return ctx.ok{}
end)";

std::map<std::string, std::string> Files() {
  return {{"stub.yaml", kYaml}, {"fixtures/tickets.yaml", kTickets}, {"script.lua", kScript}};
}

TEST(Columns, LetRowsThatFitPass) {
  const std::unique_ptr<State> state = MakeState(LoadSmallStub(Files()));
  const Reply added =
      state->Call(1, "add",
                  json::MustParse(R"({"id":"t3","status":"open","rank":9,"tags":["x"],)"
                                  R"("any":{"x":[1]}})"));
  EXPECT_EQ(added.kind, call::OutcomeKind::kOk) << added.message;
  EXPECT_EQ(state->Call(2, "change", json::MustParse(R"({"id":"t2","rank":3})")).kind,
            call::OutcomeKind::kOk);
  EXPECT_EQ(json::Canonical(state->Call(3, "find", json::MustParse("{}")).value.root()),
            R"({"tickets":[{"id":"t1"},{"id":"t3"}]})");
}

TEST(Columns, ARowThatDoesNotFitIsTheStubsMistake) {
  const struct {
    const char* reason;
    const char* tool;
    const char* arguments;
    const char* words;
  } kCalls[] = {
      {"another value", "add", R"({"id":"t3","status":"done"})",
       "table `tickets`, row `t3`, column `status`: expected one of `open`, `closed`, found "
       "`done`"},
      {"another type", "add", R"({"id":"t3","status":"open","rank":"many"})",
       "row `t3`, column `rank`: expected an integer, found a string"},
      {"out of range, by an update", "change", R"({"id":"t1","rank":10})",
       "row `t1`, column `rank`: expected at most 9, found 10"},
      {"within a value", "add", R"({"id":"t3","status":"open","tags":["a",1]})",
       "column `tags` at `/1`: expected a string, found 1"},
      {"a required one left out", "add", R"({"id":"t3"})",
       "column `status`: expected a value, found none"},
      {"by a script, whose first change is undone too", "script", R"({"cells":{"status":"gone"}})",
       "script.lua:4: table `tickets`, row `t2`, column `status`: expected"},
      {"a column that is not listed", "script", R"({"cells":{"stauts":"open"}})",
       "found a column that is not listed: did you mean `status`?"},
  };
  const std::shared_ptr<const Stub> stub = LoadSmallStub(Files());
  for (const auto& c : kCalls) {
    const std::unique_ptr<State> state = MakeState(stub);
    const std::string before = json::Canonical(state->Table("tickets")->root());
    const Reply reply = state->Call(1, c.tool, json::MustParse(c.arguments));
    EXPECT_EQ(reply.kind, call::OutcomeKind::kStubError) << c.reason;
    EXPECT_THAT(reply.message, HasSubstr(c.words)) << c.reason;
    EXPECT_TRUE(reply.changes.empty()) << c.reason;
    EXPECT_EQ(json::Canonical(state->Table("tickets")->root()), before) << c.reason;
  }
}

TEST(Columns, AreCheckedWhenTheStubIsLoaded) {
  const struct {
    const char* reason;
    const char* file;
    const char* from;
    const char* to;
    const char* code;
    const char* words;
    const char* place;
  } kMistakes[] = {
      {"a row of the fixture", "fixtures/tickets.yaml", "rank: 1}", "rank: one}", "S012",
       "row `t1` of `tickets`, column `rank`: expected an integer, found a string",
       "fixtures/tickets.yaml:1:32"},
      {"a row that lacks a column", "fixtures/tickets.yaml", ", status: closed", "", "S012",
       "column `status`: expected a value, found none", "fixtures/tickets.yaml:2:3"},
      {"a column that is not listed", "fixtures/tickets.yaml", "status: closed",
       "status: closed, rnk: 1", "S012", "did you mean `rank`?", "fixtures/tickets.yaml:2:"},
      {"no schema", "stub.yaml", "rank: {type: integer, maximum: 9}", "rank: integer", "S007",
       "column `rank`: ", "stub.yaml:10"},
      {"a schema that does not compile", "stub.yaml", "type: integer, maximum",
       "type: int, maximum", "S007", "column `rank`: ", "stub.yaml:10"},
      {"columns of another kind", "stub.yaml", "    required: [status]",
       "  more: {key: id, columns: []}", "S003", "`columns` must be a mapping", "stub.yaml:13"},
      {"no key among them", "stub.yaml", "id: {type: string}\n", "id2: {type: string}\n", "S019",
       "the key column `id` is not listed", "stub.yaml:8"},
      {"a key that is no text", "stub.yaml", "id: {type: string}\n", "id: {type: integer}\n",
       "S019", "cannot hold text", "stub.yaml:8:11"},
      {"an unknown one is required", "stub.yaml", "[status]", "[state]", "S008",
       "unknown column `state`", "stub.yaml:13:16"},
      {"required of another kind", "stub.yaml", "[status]", "status", "S003",
       "`required` must be a sequence", "stub.yaml:13"},
      {"a condition on another column", "stub.yaml", "where: {status: open}",
       "where: {stats: open}", "S008", "did you mean `status`?", "stub.yaml:27"},
      {"an order by another column", "stub.yaml", "order: rank", "order: m", "S008",
       "unknown column `m`", "stub.yaml:27"},
      {"another column asked for", "stub.yaml", "columns: [id]", "columns: [idd]", "S008",
       "unknown column `idd`", "stub.yaml:27"},
      {"a row with another column", "stub.yaml", "any: $args.any", "an: $args.any", "S008",
       "unknown column `an`", "stub.yaml:19"},
      {"a row without a required column", "stub.yaml", " status: $args.status,", "", "S019",
       "`row` lacks the column `status`, which `tickets` requires", "stub.yaml:19"},
      {"a value that never fits", "stub.yaml", "status: $args.status", "status: done", "S019",
       "column `status`: expected one of", "stub.yaml:19"},
      {"nor in an update", "stub.yaml", "any: seen", "tags: seen", "S019",
       "column `tags`: expected an array", "stub.yaml:23"},
  };
  for (const auto& c : kMistakes) {
    std::map<std::string, std::string> files = Files();
    std::string& file = files[c.file];
    ASSERT_THAT(file, HasSubstr(c.from)) << c.reason;
    file = absl::StrReplaceAll(file, {{c.from, c.to}});
    std::string text;
    EXPECT_EQ(LoadSmallStub(files, &text), nullptr) << c.reason;
    EXPECT_THAT(text, HasSubstr(absl::StrCat("error[", c.code, "]"))) << c.reason;
    EXPECT_THAT(text, HasSubstr(c.words)) << c.reason;
    EXPECT_THAT(text, HasSubstr(absl::StrCat("--> small/", c.place))) << c.reason;
  }
}

}  // namespace
}  // namespace tipstaff::engine
