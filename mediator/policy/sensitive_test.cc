// Which values the ledger does not keep, as skills say it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "mediator/policy/explain.h"
#include "mediator/policy/testing/skill_text.h"

namespace tipstaff::policy {
namespace {

using Keeping = Grant::Keeping;

std::string SkillWith(const std::string& name, const std::string& permission) {
  return absl::StrCat("skill: ", name, R"(
backends: {mail: {stub: mailbox}}
finalize: none
permissions:
)",
                      permission);
}

class SensitiveTest : public ::testing::Test {
 protected:
  std::shared_ptr<const Grant> Granted(const std::vector<std::string>& permissions) {
    std::vector<std::shared_ptr<const Skill>> skills;
    for (const std::string& permission : permissions) {
      const std::string name(1, static_cast<char>('a' + skills.size()));
      skills.push_back(MustLoad(SkillWith(name, permission), catalog_));
    }
    return MustGrant(skills, "{}", catalog_);
  }
  const FakeCatalog catalog_;
};

constexpr char kTool[] = "mail.search_messages";

TEST_F(SensitiveTest, CoversWhereverTheMarkApplies) {
  const struct {
    const char* schema;
    const char* arguments;
    bool sensitive;
    const char* why;
  } kRows[] = {
      {"{type: string, sensitive: true}", R"({"q":"s"})", true, "the argument"},
      {"{type: string, sensitive: false}", R"({"q":"s"})", false, "no"},
      {"{type: array, items: {type: string, sensitive: true}}", R"({"q":["s"]})", true, "items"},
      {"{type: object, patternProperties: {\"^a\": {sensitive: true}}}", R"({"q":{"ab":"s"}})",
       true, "members by a pattern"},
      {"{type: object, propertyNames: {sensitive: true}}", R"({"q":{"s":1}})", true, "names"},
      {"{anyOf: [{type: string, sensitive: true}, {type: integer}]}", R"({"q":7})", true,
       "a branch"},
      {"{$ref: \"#/$defs/s\", $defs: {s: {type: string, sensitive: true}}}", R"({"q":"s"})", true,
       "a definition"},
      {"{type: object, properties: {v: {type: string, sensitive: true}, "
       "more: {type: array, items: {$ref: \"#\"}}}}",
       R"({"q":{"more":[{"v":"s"}]}})", true, "a recursion"},
      {"{type: object, properties: {v: {type: string, sensitive: true}, "
       "copy: {$ref: \"#/properties/v\"}}}",
       R"({"q":{"copy":"s"}})", true, "a reference to another part"},
      {"{type: object, properties: {v: {type: string, sensitive: true}, w: {type: string}}}",
       R"({"q":{"w":"s"}})", false, "its neighbour is not"},
      {"{type: object, properties: {v: {type: string, sensitive: true}}}",
       R"({"q":"{\"v\":\"s\"}"})", true, "an object that was given as a text"},
  };
  for (const auto& row : kRows) {
    const auto grant = Granted(
        {absl::StrCat("  - id: p\n    tool: ", kTool, "\n    args:\n      q: ", row.schema, "\n")});
    ASSERT_NE(grant, nullptr) << row.why;
    EXPECT_EQ(grant->SensitiveArguments(kTool).AnyIn(json::MustParse(row.arguments).root()),
              row.sensitive)
        << row.why;
  }
}

TEST_F(SensitiveTest, ReferencesReachOtherArguments) {
  const auto grant = Granted({absl::StrCat(
      "  - id: p\n    tool: ", kTool,
      "\n    args:\n      a: {$ref: \"urn:b\"}\n      b: {$id: \"urn:b\", type: string, "
      "sensitive: true}\n      c: {type: string}\n")});
  EXPECT_TRUE(grant->SensitiveArguments(kTool).Touch("/a"));
  EXPECT_TRUE(grant->SensitiveArguments(kTool).Touch("/b"));
  EXPECT_FALSE(grant->SensitiveArguments(kTool).Touch("/c"));
}

TEST_F(SensitiveTest, AnyPermissionMarksForAll) {
  const std::string plain = absl::StrCat("  - id: p\n    tool: ", kTool,
                                         "\n    args: {q: {type: string}, r: {type: string}}\n");
  const std::string marked = absl::StrCat("  - id: p\n    tool: ", kTool,
                                          "\n    args: {q: {type: string, sensitive: true}}\n"
                                          "    result: {sensitive: [total]}\n");
  for (const auto& order : {std::vector<std::string>{plain, marked}, {marked, plain}}) {
    const auto grant = Granted(order);
    EXPECT_TRUE(grant->SensitiveArguments(kTool).Touch("/q"));
    EXPECT_TRUE(grant->SensitiveResult(kTool).Touch("/total"));
    EXPECT_EQ(grant->KeepingOf(kTool, "q"), Keeping::kDigest);
    EXPECT_EQ(grant->KeepingOf(kTool, "r"), Keeping::kAll);
    EXPECT_EQ(grant->KeepingOf(kTool, "s"), Keeping::kNothing);
    EXPECT_EQ(grant->KeepingOf("mail.read_message", "q"), Keeping::kNothing) << "not permitted";
    EXPECT_EQ(grant->KeepingOf("mail.none", "q"), Keeping::kNothing);
  }
  const auto without = Granted({plain});
  EXPECT_EQ(without->KeepingOf("mail.none", "q"), Keeping::kAll) << "nothing is sensitive";
}

TEST_F(SensitiveTest, NothingOfItIsShown) {
  const auto grant = Granted({absl::StrCat(
      "  - id: p\n    tool: ", kTool,
      "\n    args: {q: {type: object, sensitive: true, properties: {a: {type: string}}, "
      "additionalProperties: false}, r: {type: string}}\n")});
  const struct {
    const char* arguments;
    const char* pointer;
    const char* found;
  } kRows[] = {
      {R"({"q":{"SECRET":"x"},"r":"a"})", "/q", "what is not shown, as it is sensitive"},
      {R"({"q":{"a":7777},"r":"a"})", "/q", "what is not shown, as it is sensitive"},
      {R"({"q":"SECRET","r":"a"})", "/q", "what is not shown, as it is sensitive"},
      {R"({"r":"a"})", "/q", "nothing"},
  };
  for (const auto& row : kRows) {
    const call::Call call = CallOf(kTool, row.arguments);
    const call::Decision decision = Decide(*grant, {}, call);
    ASSERT_TRUE(decision.nearest.has_value()) << row.arguments;
    EXPECT_EQ(decision.nearest->pointer, row.pointer) << row.arguments;
    EXPECT_EQ(decision.nearest->found, row.found) << row.arguments;
    for (const char* secret : {"SECRET", "7777"}) {
      EXPECT_THAT(decision.detail, testing::Not(testing::HasSubstr(secret)));
      for (const Considered& one : Explain(*grant, {}, call).considered) {
        EXPECT_THAT(absl::StrCat(one.failed->pointer, one.failed->found),
                    testing::Not(testing::HasSubstr(secret)));
      }
    }
  }
}

}  // namespace
}  // namespace tipstaff::policy
