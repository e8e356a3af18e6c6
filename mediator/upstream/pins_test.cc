#include "mediator/upstream/pins.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"

namespace tipstaff::upstream {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

std::string ToolOf(const std::string& name, const std::string& more = "") {
  return absl::StrCat(
      R"({"name":)", json::Quote(name),
      R"(,"description":"d","inputSchema":{"type":"object","properties":{"key":{"type":)",
      R"("string"}}})", more, "}");
}

Inventory Small() {
  Inventory inventory;
  inventory.generation = "legacy";
  inventory.server_info = json::MustParse(R"({"name":"s","version":"1"})");
  inventory.tools = {
      ToolOf("create", R"(,"annotations":{"readOnlyHint":true},"x":9007199254740993)"),
      ToolOf("a name with spaces")};
  inventory.resources = {R"({"uri":"a://1","name":"page"})", R"({"uri":"a://2","name":"page"})"};
  inventory.resource_templates = {R"({"uriTemplate":"a://{id}","name":"any"})"};
  inventory.prompts = {R"({"name":"guide","arguments":[{"name":"topic","required":true}]})"};
  return inventory;
}

Pins Pinned(const Inventory& inventory, const Pins* before = nullptr) {
  std::vector<std::string> problems;
  Pins pins = Pins::Of("tickets", inventory, before, problems);
  EXPECT_THAT(problems, IsEmpty());
  return pins;
}

TEST(Pins, ReadWhatTheyWrote) {
  const Pins pins = Pinned(Small());
  const absl::StatusOr<Pins> read = Pins::Parse(pins.Text());
  ASSERT_TRUE(read.ok()) << read.status() << pins.Text();
  EXPECT_EQ(read->Text(), pins.Text());
  EXPECT_EQ(read->upstream(), "tickets");
  EXPECT_EQ(read->generation(), mcp::Generation::kLegacy);
  EXPECT_THAT(pins.Text(), HasSubstr("9007199254740993")) << "as it came";
}

TEST(Pins, AToolIsAWriteUntilSomebodySaysOtherwise) {
  const Pins pins = Pinned(Small());
  const PinnedItem* create = pins.Find(call::Kind::kTool, "create");
  ASSERT_NE(create, nullptr);
  EXPECT_EQ(create->tool.effect, call::Effect::kWrite) << "its own annotations decide nothing";
  const auto edited = Pins::Parse(absl::StrReplaceAll(
      pins.Text(), {{R"("create", "effect": "write")",
                     R"("create", "effect": "read", "idempotency_key": "key")"}}));
  ASSERT_TRUE(edited.ok()) << edited.status();
  EXPECT_EQ(edited->Find(call::Kind::kTool, "create")->tool.effect, call::Effect::kRead);
  EXPECT_EQ(edited->Find(call::Kind::kTool, "create")->tool.idempotency_key, "key");
  const Pins again = Pinned(Small(), &*edited);
  EXPECT_EQ(again.Text(), edited->Text()) << "kept when it is pinned again";
}

TEST(Pins, NamesThatSkillsCanSay) {
  const Pins pins = Pinned(Small());
  std::vector<std::pair<std::string, std::string>> names;
  for (const PinnedItem& item : pins.items()) names.emplace_back(item.name, item.given);
  ASSERT_EQ(names.size(), 6u);
  EXPECT_EQ(names[0].first, "create");
  EXPECT_THAT(names[1].first, ::testing::MatchesRegex("a_name_with_spaces_[0-9a-f]{8}"));
  EXPECT_EQ(names[1].second, "a name with spaces");
  EXPECT_EQ(names[2], std::pair(std::string("page"), std::string("a://1")));
  EXPECT_THAT(names[3].first, ::testing::MatchesRegex("page_[0-9a-f]{8}"));
  const Pins again = Pinned(Small());
  EXPECT_EQ(again.items()[1].name, names[1].first) << "the same each time";
  Inventory longer = Small();
  longer.tools = {ToolOf(std::string(64, 'a')), ToolOf(std::string(63, 'a') + "b")};
  const Pins cut = Pinned(longer);
  EXPECT_LE(cut.items()[0].name.size(), 48u);
  EXPECT_NE(cut.items()[0].name, cut.items()[1].name);
}

TEST(Pins, OffersToolsPromptsResourcesAndCompletions) {
  std::vector<std::string> offered;
  for (const call::Tool& tool : Pinned(Small()).Tools()) {
    offered.push_back(call::FullName(tool.kind, tool.name));
  }
  EXPECT_THAT(offered,
              ::testing::IsSupersetOf({"create", "resource:page", "resource:any", "completion:any",
                                       "prompt:guide", "completion:guide"}));
}

TEST(Pins, QuarantinesAToolAndNotTheList) {
  const struct {
    const char* schema;
    const char* why;
  } kRows[] = {{R"({"type":"object","oneOf":[{}]})", "`oneOf` at the top"},
               {R"({"type":"object","anyOf":[{}]})", "`anyOf` at the top"},
               {R"({"type":"string"})", "not `object`"},
               {R"({"type":"object","properties":{"a":{"$ref":"#/nowhere"}}})", "input schema"}};
  for (const auto& row : kRows) {
    Inventory inventory = Small();
    inventory.tools.push_back(absl::StrCat(R"({"name":"bad","inputSchema":)", row.schema, "}"));
    const Pins pins = Pinned(inventory);
    const PinnedItem* bad = pins.Find(call::Kind::kTool, "bad");
    ASSERT_NE(bad, nullptr) << row.schema;
    EXPECT_THAT(bad->quarantine, HasSubstr(row.why)) << row.schema;
    const std::vector<call::Tool> tools = pins.Tools();
    EXPECT_TRUE(std::none_of(tools.begin(), tools.end(),
                             [](const call::Tool& tool) { return tool.name == "bad"; }));
    EXPECT_NE(pins.Find(call::Kind::kTool, "create"), nullptr) << "the others stay";
    EXPECT_TRUE(Pins::Parse(pins.Text()).ok());
  }
}

TEST(Pins, LeavesOutWhatHasNoName) {
  Inventory inventory = Small();
  inventory.tools = {ToolOf("twice"), ToolOf("twice"), R"({"inputSchema":{"type":"object"}})", "[]",
                     "{"};
  std::vector<std::string> problems;
  const Pins pins = Pins::Of("tickets", inventory, nullptr, problems);
  EXPECT_EQ(problems.size(), 4u) << ::testing::PrintToString(problems);
  EXPECT_EQ(pins.items().size(), 5u);
}

TEST(Pins, RefusesAFileThatWasChangedByHand) {
  const std::string good = Pinned(Small()).Text();
  const struct {
    const char* from;
    const char* to;
    const char* says;
  } kRows[] = {
      {R"("description":"d")", R"("description":"e")", "is not what its `digest` says"},
      {R"("effect": "write")", R"("effect": "none")", "unknown `effect` `none`"},
      {R"("effect": "write")", R"("effect": "write", "idempotency_key": "no")", "no argument `no`"},
      {R"("name": "create")", R"("name": "a b")", "cannot name a tool"},
      {R"("pins": 1)", R"("pins": 2)", "not a file of pins of this version"},
      {R"("tools": [)", R"("tools": {)", ""},
      {R"("name": "guide")", R"("name": "page", "digest": "x")", ""},
  };
  for (const auto& row : kRows) {
    const absl::Status status =
        Pins::Parse(absl::StrReplaceAll(good, {{row.from, row.to}})).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << row.to;
    EXPECT_THAT(std::string(status.message()), HasSubstr(row.says)) << row.to;
  }
}

TEST(Compare, SaysWhatChangedWasAddedOrIsGone) {
  const Pins pins = Pinned(Small());
  EXPECT_THAT(Compare(pins, Small()), IsEmpty());
  Inventory now = Small();
  std::swap(now.tools[0], now.tools[1]);
  EXPECT_THAT(Compare(pins, now), IsEmpty()) << "the order says nothing";
  now.tools = {ToolOf("create"), ToolOf("new")};
  now.resources.pop_back();
  std::vector<std::pair<std::string, Drift::Kind>> drifts;
  for (const Drift& drift : Compare(pins, now)) drifts.emplace_back(drift.name, drift.kind);
  ASSERT_EQ(drifts.size(), 4u);
  EXPECT_EQ(drifts[0], std::pair(std::string("create"), Drift::Kind::kChanged));
  EXPECT_EQ(drifts[1].second, Drift::Kind::kRemoved);
  EXPECT_EQ(drifts[2].second, Drift::Kind::kRemoved);
  EXPECT_EQ(drifts[3], std::pair(std::string("new"), Drift::Kind::kAdded));
  const Refused refused = RefusedBy(Compare(pins, now));
  EXPECT_EQ(refused.size(), 3u) << "what is new was never approved, and hurts nobody";
  EXPECT_EQ(refused.count({call::Kind::kTool, "create"}), 1u);
}

}  // namespace
}  // namespace tipstaff::upstream
