#include "tests/reference/decide.h"

#include <gtest/gtest.h>

#include "mediator/json/parse.h"

namespace tipstaff::reference {
namespace {

using call::Reason;

constexpr char kSkill[] = R"({"skill":"s","bindings":{"id":{"type":"string"}},"scope":["id"],
  "limits":{"calls":3,"wall":"1h"},
  "permissions":[
    {"id":"far","tool":"m.get","args":{"x":{"type":"string","maxBytes":1},"y":{"type":"string"}}},
    {"id":"near","tool":"m.get","args":{"x":{"equals":"$id"}},"result":{"marks":["seen"]}},
    {"id":"next","tool":"m.put","after":["near"],"args":{},"limits":{"argument_bytes":"4"}},
    {"id":"sent","tool":"m.send","args":{},"refused_after":["seen"]},
    {"id":"asked","tool":"m.ask","args":{"x":{"type":"string"}},"approval":{"by":["leads"]}},
    {"id":"later","tool":"m.ask","after":["near"],"args":{"x":{"const":"b"}}},
    {"id":"never","tool":"m.ask","args":{"x":{"const":"b"},"y":{"const":"b"}}}],
  "deny":[{"id":"z","tool":"*.delete*","reason":"r"},{"id":"a","tool":"m.delete","reason":"r"}]})";

struct Row {
  const char* name;
  const char* tool;
  const char* arguments;
  size_t earlier;  // allowed calls by `near`
  uint64_t at;
  Reason reason;
  const char* by;
};

class Decides : public testing::TestWithParam<Row> {};

TEST_P(Decides, AsThePageSays) {
  const json::Document skill = json::MustParse(kSkill);
  const json::Document bindings = json::MustParse(R"({"id":"i"})");
  const json::Document arguments = json::MustParse(GetParam().arguments);
  RunSoFar run{.skills = {skill.root()}, .bindings = bindings.root(), .canaries = {"planted text"}};
  for (const char* tool : {"m.get", "m.put", "m.send", "m.ask", "m.delete", "m.other"}) {
    run.tools.push_back({tool});
  }
  for (size_t i = 0; i < GetParam().earlier; ++i) {
    run.earlier.push_back({"s", "near", 0, 9, /*settled=*/true, /*ok=*/true, 9});
  }
  const Judgement judgement = Decide(run, {.tool = GetParam().tool,
                                           .arguments = arguments.root(),
                                           .argument_bytes = 2,
                                           .at = GetParam().at});
  EXPECT_EQ(judgement.reasons, std::set<Reason>{GetParam().reason});
  EXPECT_EQ(judgement.verdict, GetParam().reason == Reason::kPermitted ? call::Verdict::kAllow
                               : GetParam().reason == Reason::kApprovalPending
                                   ? call::Verdict::kHold
                                   : call::Verdict::kDeny);
  const std::string by = judgement.by.empty() ? "" : judgement.by.begin()->second;
  EXPECT_EQ(by, GetParam().by);
}

INSTANTIATE_TEST_SUITE_P(
    Reasons, Decides,
    testing::Values(
        Row{"Permitted", "m.get", R"({"x":"i"})", 0, 0, Reason::kPermitted, "near"},
        Row{"Scope", "m.get", R"({"x":"jj"})", 0, 0, Reason::kOutOfScope, "near"},
        Row{"Nearest", "m.get", R"({"x":"jj","y":"k"})", 0, 0, Reason::kArgumentRefused, "far"},
        Row{"UnknownTool", "m.none", "{}", 0, 0, Reason::kUnknownTool, ""},
        Row{"NoPermission", "m.other", "{}", 0, 0, Reason::kNoPermission, ""},
        Row{"FirstRule", "m.delete", "{}", 0, 0, Reason::kDenyRule, "a"},
        Row{"Before", "m.put", "{}", 0, 0, Reason::kPrecondition, "next"},
        Row{"After", "m.put", "{}", 1, 0, Reason::kPermitted, "next"},
        Row{"Unmarked", "m.send", "{}", 0, 0, Reason::kPermitted, "sent"},
        Row{"Marked", "m.send", "{}", 1, 0, Reason::kMarked, "sent"},
        Row{"UsedUp", "m.put", "{}", 3, 0, Reason::kLimitExceeded, "next"},
        Row{"LastMoment", "m.send", "{}", 0, 3'599'999, Reason::kPermitted, "sent"},
        Row{"Held", "m.ask", R"({"x":"a"})", 0, 0, Reason::kApprovalPending, "asked"},
        Row{"HeldRatherThanWaiting", "m.ask", R"({"x":"b"})", 0, 0, Reason::kApprovalPending,
            "asked"},
        Row{"AllowedRatherThanHeld", "m.ask", R"({"x":"b"})", 1, 0, Reason::kPermitted, "later"},
        Row{"NothingToHold", "m.ask", R"({"x":1})", 0, 0, Reason::kArgumentRefused, "asked"},
        Row{"UsedUpRatherThanHeld", "m.ask", R"({"x":"a"})", 3, 0, Reason::kLimitExceeded, "asked"},
        Row{"Canary", "m.delete", R"({"x":"cGxhbnRlZHRleHQ="})", 0, 0, Reason::kCanary, ""},
        Row{"CanaryOfAnUnknownTool", "m.none", R"({"x":"planted text"})", 0, 0,
            Reason::kUnknownTool, ""},
        Row{"Expired", "m.send", "{}", 0, 3'600'000, Reason::kRunExpired, ""}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace tipstaff::reference
