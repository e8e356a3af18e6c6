// Resources, prompts and completions as agents see and name them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mediator/json/write.h"
#include "mediator/policy/testing/skill_text.h"

namespace tipstaff::policy {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

call::Tool Offered(call::Kind kind, const char* name, const char* pinned, const char* input) {
  call::Tool tool;
  tool.name = name;
  tool.kind = kind;
  tool.effect = call::Effect::kRead;
  tool.input_schema = json::MustParse(input);
  if (*pinned != '\0') tool.pinned = json::MustParse(pinned);
  return tool;
}

class WikiCatalog final : public Catalog {
 public:
  absl::StatusOr<std::vector<call::Tool>> ToolsOf(const BackendRef&) const override {
    const char* uri = R"({"type":"object","properties":{"uri":{"type":"string"}}})";
    const char* topic =
        R"({"type":"object","properties":{"topic":{"type":"string"},"to":{"type":"string"}}})";
    return std::vector<call::Tool>{
        Offered(call::Kind::kResource, "home", R"({"uri":"wiki://home","name":"home","x":1})", uri),
        Offered(call::Kind::kResource, "plans", R"({"uri":"wiki://plans","name":"plans"})", uri),
        Offered(call::Kind::kResource, "page",
                R"({"uriTemplate":"wiki://page/{id}","name":"page"})", uri),
        Offered(call::Kind::kPrompt, "sum.up",
                R"({"name":"sum.up","title":"T","arguments":[{"name":"topic"},{"name":"to"}]})",
                topic),
        Offered(
            call::Kind::kCompletion, "sum.up", "",
            R"({"type":"object","properties":{"argument":{"type":"string"},"value":{"type":"string"}}})"),
    };
  }
  std::vector<std::string> NamesOf(BackendRef::Kind) const override { return {"wiki"}; }
};

constexpr char kSkill[] = R"(skill: a
backends: {w: {upstream: wiki}}
permissions:
  - {id: read, resource: "w.*", uri: {type: string, pattern: '^wiki://(home$|page/)'}}
  - {id: sum, prompt: w.sum.up, args: {topic: {type: string}}}
  - {id: help, completion: w.sum.up, args: {argument: {const: topic}, value: {type: string, maxBytes: 3}}}
deny:
  - {id: none, resource: w.page, reason: Not these., uri: {pattern: secret}}
finalize: none
)";

class PublishItemsTest : public testing::Test {
 protected:
  call::Decision DecideOf(const char* name, const char* arguments) {
    return Decide(*grant_, {}, CallOf(name, arguments));
  }
  const WikiCatalog catalog_;
  const std::shared_ptr<const Grant> grant_ =
      MustGrant({MustLoad(kSkill, catalog_)}, "{}", catalog_);
};

TEST_F(PublishItemsTest, ShowsWhatMayBeReadAsItWasPinned) {
  ASSERT_EQ(grant_->resources().size(), 1u) << "one whose URI no permission lets pass is not shown";
  EXPECT_EQ(grant_->resources()[0].json, R"({"uri":"wiki://home","name":"home","x":1})");
  ASSERT_EQ(grant_->resource_templates().size(), 1u);
  ASSERT_EQ(grant_->prompts().size(), 1u);
  EXPECT_EQ(grant_->prompts()[0].json,
            R"({"name":"w_sum_up","title":"T","arguments":[{"name":"topic"}]})")
      << "under its published name, with the arguments that may be given";
  EXPECT_TRUE(grant_->completes());
}

TEST_F(PublishItemsTest, FindsWhatANameMeans) {
  EXPECT_EQ(grant_->ResolveResource("wiki://home"), "resource:w.home");
  EXPECT_EQ(grant_->ResolveResource("wiki://plans"), "resource:w.plans") << "and is then denied";
  EXPECT_EQ(grant_->ResolveResource("wiki://page/7"), "resource:w.page");
  EXPECT_EQ(grant_->ResolveResource("wiki://page/7/8"), "");
  EXPECT_EQ(grant_->ResolveResource("file:///etc/passwd"), "");
  EXPECT_EQ(grant_->ResolvePrompt("w_sum_up"), "prompt:w.sum.up");
  EXPECT_EQ(grant_->ResolvePrompt("sum.up"), "");
  EXPECT_EQ(grant_->ResolveCompletion("w_sum_up", ""), "completion:w.sum.up");
  EXPECT_EQ(grant_->ResolveCompletion("", "wiki://page/{id}"), "completion:w.page");
  EXPECT_EQ(grant_->ResolveCompletion("", ""), "");
}

TEST_F(PublishItemsTest, Decides) {
  const struct {
    const char* name;
    const char* arguments;
    call::Reason reason;
  } kRows[] = {
      {"resource:w.home", R"({"uri":"wiki://home"})", call::Reason::kPermitted},
      {"subscription:w.home", R"({"uri":"wiki://home"})", call::Reason::kPermitted},
      {"subscription:w.plans", R"({"uri":"wiki://plans"})", call::Reason::kArgumentRefused},
      {"subscription:w.page", R"({"uri":"wiki://page/secret"})", call::Reason::kDenyRule},
      {"completion:w.sum.up", R"({"argument":"topic","value":"abc"})", call::Reason::kPermitted},
      {"completion:w.sum.up", R"({"argument":"topic","value":"abcd"})",
       call::Reason::kArgumentRefused},
      {"completion:w.sum.up", R"({"argument":"to","value":"a"})", call::Reason::kArgumentRefused},
      {"completion:w.sum.up", R"({"argument":"topic","context":{"to":"x"},"value":"a"})",
       call::Reason::kArgumentRefused},
      {"completion:w.page", R"({"argument":"id","value":"a"})", call::Reason::kUnknownTool},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(DecideOf(row.name, row.arguments).reason, row.reason)
        << row.name << " " << row.arguments;
  }
}

}  // namespace
}  // namespace tipstaff::policy
