#include "tests/reference/check.h"

#include <gtest/gtest.h>

#include "mediator/json/parse.h"

namespace tipstaff::reference {
namespace {

struct Row {
  const char* name;
  const char* args;
  const char* arguments;
  size_t least, most;  // constraints that fail
  bool out_of_scope;   // nothing but
};

class Arguments : public testing::TestWithParam<Row> {};

TEST_P(Arguments, AreCountedAsThePageSays) {
  const json::Document args = json::MustParse(GetParam().args);
  const json::Document arguments = json::MustParse(GetParam().arguments);
  const json::Document bindings =
      json::MustParse(R"({"id":"rep_a","people":["d@a.example"],"free":"f"})");
  const Rules rules{.bindings = bindings.root(), .scope = {"id", "people"}};
  const Tally tally = CheckArguments(args.root(), arguments.root(), rules);
  EXPECT_EQ(tally.least(), GetParam().least);
  EXPECT_EQ(tally.most(), GetParam().most);
  EXPECT_EQ(!tally.passed() && !tally.beyond_scope(), GetParam().out_of_scope);
}

INSTANTIATE_TEST_SUITE_P(
    Rules, Arguments,
    testing::Values(
        Row{"Passes", R"({"a":{"equals":"$id"}})", R"({"a":"rep_a"})", 0, 0, false},
        Row{"Scope", R"({"a":{"equals":"$id"}})", R"({"a":"rep_b"})", 1, 1, true},
        Row{"NotInScope", R"({"a":{"equals":"$free"}})", R"({"a":"rep_b"})", 1, 1, false},
        Row{"ScopeAndText", R"({"a":{"equals":"$id"}})", R"({"a":"rep_a\n"})", 1, 2, false},
        Row{"Dollar", R"({"a":{"equals":"$$id"}})", R"({"a":"$id"})", 0, 0, false},
        Row{"Listed", R"({"a":{"in":"$people"}})", R"({"a":"d@a.example"})", 0, 0, false},
        Row{"Missing", R"({"a":{"type":"string"}})", "{}", 1, 1, false},
        Row{"Optional", R"({"a":{"type":"string","optional":true}})", "{}", 0, 0, false},
        Row{"UnlistedOnce", "{}", R"({"a":1,"b":2})", 1, 1, false},
        Row{"NearestBranch",
            R"({"a":{"anyOf":[{"type":"string","maxLength":1,"minLength":9},{"type":"string","maxLength":2}]}})",
            R"({"a":"long"})", 1, 1, false},
        Row{"OnACondition", R"({"a":{"anyOf":[{"equals":"$id"}]}})", R"({"a":"rep_b"})", 1, 1,
            false},
        Row{"TooManyPerhapsLookedAt",
            R"({"a":{"type":"array","maxItems":1,"items":{"type":"string"}}})", R"({"a":[1,2]})", 1,
            2, false},
        Row{"OneConstraintOfManyItems", R"({"a":{"type":"array","items":{"type":"string"}}})",
            R"({"a":[1,2]})", 1, 1, false},
        Row{"LineByDefault", R"({"a":{"type":"string"}})", R"({"a":"x\n"})", 1, 1, false},
        Row{"Lines", R"({"a":{"type":"string","text":"lines"}})", R"({"a":"x\n"})", 0, 0, false},
        Row{"ABranchSaysOtherwise", R"({"a":{"anyOf":[{"type":"string","text":"lines"}]}})",
            R"({"a":"x\n"})", 0, 0, false},
        Row{"DeepInAnything", R"({"a":{"type":"object"}})", R"({"a":{"b":["x\n"]}})", 1, 1, false},
        Row{"NamesAreLines", R"({"a":{"type":"object"}})", R"({"a":{"b\n":1}})", 1, 1, false},
        Row{"ListedNamesNeedNotBe", R"({"a":{"type":"object","properties":{"b\n":true}}})",
            R"({"a":{"b\n":1}})", 0, 0, false}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace tipstaff::reference
