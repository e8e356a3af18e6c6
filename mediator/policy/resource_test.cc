// Permissions for resources and prompts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_replace.h"
#include "mediator/policy/skill_tests.h"
#include "mediator/policy/testing/skill_text.h"

namespace tipstaff::policy {
namespace {

constexpr char kSkill[] = R"(skill: a
bindings:
  topics: {type: array, items: {type: string}}
  page: {type: string}
scope: [topics, page]
backends: {docs: {upstream: docs}}
permissions:
  - id: read-docs
    resource: docs.*
    uri: {url: {hosts: [docs.example.com], paths: [/public/]}}
    limits: {calls: 3}
  - id: read-the-page
    resource: docs.page
    uri: {equals: $page}
  - id: guide-me
    prompt: docs.guide
    args: {topic: {in: $topics}}
    after: [read-docs]
deny:
  - {id: no-drafts, resource: "*.guide", reason: Drafts are not for agents., uri: {pattern: draft}}
  - {id: no-tools, tool: "*", reason: Reading only.}
finalize: none
tests:
  - name: a page
    run: {topics: [], page: "note://1"}
    call: {resource: docs.page, uri: "note://1"}
    expect: {decision: allow, permission: read-the-page}
  - name: a prompt
    run: {topics: [tax], page: "note://1"}
    after: [read-docs]
    call: {prompt: docs.guide, args: {topic: law}}
    expect: {decision: deny, reason: out_of_scope, nearest: guide-me, at: /topic}
)";

class ResourceTest : public testing::Test {
 protected:
  call::Decision DecideOf(absl::string_view name, absl::string_view arguments) {
    RunFacts facts;
    facts.by_permission.resize(grant_->permission_count());
    facts.by_permission[grant_->PermissionIndex("a", "read-docs")] = {.allowed = read_,
                                                                      .succeeded = read_};
    return Decide(*grant_, facts, CallOf(name, arguments));
  }

  uint64_t read_ = 0;  // docs, before
  const FakeCatalog catalog_;
  const std::shared_ptr<const Grant> grant_ =
      MustGrant({MustLoad(kSkill, catalog_)}, R"({"topics":["tax"],"page":"note://1"})", catalog_);
};

TEST_F(ResourceTest, Decides) {
  const struct {
    const char* name;
    const char* arguments;
    call::Reason reason;
    const char* permission;
    const char* why;
    uint64_t read = 0;
  } kRows[] = {
      {"resource:docs.guide", R"({"uri":"https://docs.example.com/public/a"})",
       call::Reason::kPermitted, "read-docs", "any resource of the backend"},
      {"resource:docs.page", R"({"uri":"https://docs.example.com/public/a"})",
       call::Reason::kPermitted, "read-docs", "each that the pattern names"},
      {"resource:docs.page", R"({"uri":"note://1"})", call::Reason::kPermitted, "read-the-page",
       "the one that it names"},
      {"resource:docs.guide", R"({"uri":"note://1"})", call::Reason::kArgumentRefused, "",
       "and no other"},
      {"resource:docs.page", R"({"uri":"https://docs.example.com/public/../a"})",
       call::Reason::kArgumentRefused, "", "a URL that readers read differently"},
      {"resource:docs.page", R"({"uri":"https://docs.example.com/public/a"})",
       call::Reason::kLimitExceeded, "", "limits count", 3},
      {"resource:docs.page", R"({})", call::Reason::kArgumentRefused, "", "the uri is required"},
      {"resource:docs.page", R"({"uri":["https://docs.example.com/public/a"]})",
       call::Reason::kArgumentRefused, "", "a text"},
      {"resource:docs.page", R"({"uri":"note://1","x":1})", call::Reason::kArgumentRefused, "",
       "and all there is"},
      {"resource:docs.guide", R"({"uri":"https://docs.example.com/public/draft-1"})",
       call::Reason::kDenyRule, "no-drafts", "a rule about resources"},
      {"resource:docs.page", R"({"uri":"https://docs.example.com/public/draft-1"})",
       call::Reason::kPermitted, "read-docs", "of one name"},
      {"resource:docs.none", R"({"uri":"note://1"})", call::Reason::kUnknownTool, "",
       "not offered"},
      {"resource:other.page", R"({"uri":"note://1"})", call::Reason::kUnknownTool, "",
       "no such backend"},
      {"docs.guide", R"({"uri":"https://docs.example.com/public/a"})", call::Reason::kDenyRule,
       "no-tools", "a tool of that name is another thing"},
      {"docs.page", R"({"uri":"note://1"})", call::Reason::kUnknownTool, "",
       "a resource is no tool"},
      {"prompt:docs.guide", R"({"topic":"tax"})", call::Reason::kPrecondition, "",
       "prompts wait too"},
      {"prompt:docs.guide", R"({"topic":"tax"})", call::Reason::kPermitted, "guide-me",
       "a prompt, and no rule about tools is about it", 1},
      {"prompt:docs.guide", R"({"topic":"law"})", call::Reason::kOutOfScope, "", "bindings", 1},
      {"prompt:docs.page", R"({"uri":"note://1"})", call::Reason::kUnknownTool, "",
       "a resource is no prompt"},
  };
  for (const auto& row : kRows) {
    read_ = row.read;
    const call::Decision decision = DecideOf(row.name, row.arguments);
    EXPECT_EQ(decision.reason, row.reason) << row.why;
    EXPECT_EQ(decision.permission, row.permission) << row.why;
    EXPECT_NE(decision.effect, call::Effect::kFinalize);
  }
}

TEST_F(ResourceTest, ItsSkillChecksWithoutAWarning) {
  source::Diagnostics diagnostics;
  TryLoad(kSkill, catalog_, diagnostics);
  EXPECT_EQ(source::RenderText(diagnostics), "");
}

TEST_F(ResourceTest, TheyAreNotPublishedAsTools) {
  EXPECT_TRUE(grant_->tools().empty());
  EXPECT_EQ(grant_->ResolveTool("docs.guide"), "docs.guide");
  EXPECT_EQ(grant_->ResolveTool("resource:docs.guide"), "");
}

TEST_F(ResourceTest, TestsInTheFileCallThem) {
  const base::FakeClock clock(absl::UnixEpoch());
  for (const TestResult& result : RunTests(MustLoad(kSkill, catalog_), catalog_, clock)) {
    EXPECT_EQ(result.message, "") << result.name;
  }
}

TEST_F(ResourceTest, ARunIsRefusedWhereWhatAPatternNamesHasChanged) {
  const auto skill = MustLoad(kSkill, catalog_);
  FakeCatalog grown;
  grown.Add({BackendRef::Kind::kUpstream, "docs"},
            call::Tool{.name = "secrets", .kind = call::Kind::kResource});
  source::Diagnostics diagnostics;
  EXPECT_EQ(Grant::Make({skill}, json::MustParse(R"({"topics":[],"page":""})"), grown, diagnostics),
            nullptr);
  EXPECT_THAT(source::RenderText(diagnostics),
              testing::HasSubstr("`resource:docs.*` has changed since the skill was loaded"));
}

struct MistakeRow {
  const char* from;
  const char* to;
  const char* code;
  const char* message;
};

TEST_F(ResourceTest, MistakesAreNamed) {
  const MistakeRow kRows[] = {
      {"    resource: docs.page\n", "    resource: docs.page\n    tool: docs.guide\n", "P024",
       "`tool` and `resource` in a permission"},
      {"    uri: {equals: $page}", "    args: {uri: {equals: $page}}", "P024",
       "a resource has no `args`"},
      {"    uri: {equals: $page}", "", "P003", "`uri` is missing in a permission"},
      {"    uri: {equals: $page}", "    uri: {equals: $page}\n    effect: write", "P024",
       "a resource is read: it has no `effect`"},
      {"    uri: {equals: $page}", "    uri: {equals: $page, optional: true}", "P012",
       "unknown keyword `optional`"},
      {"    uri: {equals: $page}", "    uri: {equals: $page}\n    unscoped: Why not.", "P051",
       "says nothing about a read"},
      {"    uri: {equals: $page}", "    uri: {type: array}", "P019", "the value is a string"},
      {"resource: docs.page\n", "resource: docs.pages\n", "P033",
       "there is no resource `docs.pages`"},
      {"resource: docs.page\n", "resource: page\n", "P032", "`page` is no resource"},
      {"resource: docs.page\n", "resource: \"*.page\"\n", "P032", "no backend is called `*`"},
      {"resource: docs.page\n", "resource: docs.p*x\n", "P033", "there is no resource"},
      {"prompt: docs.guide\n", "prompt: docs.*\n", "P034",
       "a permission is for one prompt, and `*` in `docs.*` stands for several"},
      {"prompt: docs.guide\n    args:", "prompt: docs.guide\n    uri:", "P024",
       "a prompt has no `uri`"},
      {"args: {topic: {in: $topics}}", "args: {topics: {in: $topics}}", "P090",
       "`docs.guide` has no argument `topics`"},
      {"reason: Drafts are not for agents., uri", "reason: Drafts are not for agents., args",
       "P024", "a resource has no `args`"},
      {"resource: \"*.guide\"", "resource: \"docs.manual\"", "P081",
       "no resource of the skill's backends matches `docs.manual`"},
      {"call: {resource: docs.page, uri: \"note://1\"}", "call: {resource: docs.page, args: {}}",
       "P024", "a resource has no `args`"},
      {"call: {resource: docs.page, uri: \"note://1\"}", "call: {resource: docs.page, uri: 1}",
       "P002", "`uri` takes a text"},
  };
  for (const MistakeRow& row : kRows) {
    const std::string text = absl::StrReplaceAll(kSkill, {{row.from, row.to}});
    ASSERT_NE(text, kSkill) << row.message;
    source::Diagnostics diagnostics;
    TryLoad(text, catalog_, diagnostics);
    const std::string found = source::RenderText(diagnostics);
    EXPECT_THAT(found, testing::HasSubstr(row.message));
    EXPECT_THAT(found, testing::HasSubstr(row.code)) << found;
  }
}

}  // namespace
}  // namespace tipstaff::policy
