// Order never matters: skills whose permissions, rules, keywords and calls whose members stand in
// another order decide alike.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "mediator/policy/testing/skill_text.h"

namespace tipstaff::policy {
namespace {

constexpr char kHead[] = R"(skill: a
bindings:
  report_id: {type: string}
  people: {type: array, items: {type: string}, default: [d@a.example]}
scope: [report_id, people]
backends: {reports: {stub: reports}, mail: {stub: mailbox}, tickets: {stub: tickets}}
limits: {calls: 9}
finalize: none
)";

// Several permissions for one tool, that overlap; each with keywords to be shuffled too.
const std::vector<std::pair<std::string, std::vector<std::string>>> kPermissions = {
    {"id: one, tool: tickets.search_tickets, args",
     {"query: {type: string, maxBytes: 3, maxLength: 2}", "status: {enum: [open]}"}},
    {"id: two, tool: tickets.search_tickets, args",
     {"query: {type: string, minLength: 3}", "status: {enum: [open, closed]}",
      "limit: {type: integer, maximum: 5, optional: true}"}},
    {"id: three, tool: tickets.search_tickets, after: [read], args", {"query: {type: string}"}},
    {"id: four, tool: tickets.search_tickets, limits: {calls: 1}, args",
     {"query: {equals: $report_id}", "status: {type: string}"}},
    {"id: read, tool: reports.get_report, args", {"report_id: {equals: $report_id}"}},
    {"id: read-any, tool: reports.get_report, limits: {calls: 1}, args",
     {"report_id: {type: string, pattern: ^rep_}"}},
    {"id: send, tool: mail.send_message, args",
     {"to: {type: array, minItems: 1, items: {in: $people}}", "subject: {type: string}",
      "body: {type: string}"}},
    {"id: send-short, tool: mail.send_message, args",
     {"to: {type: array, minItems: 1, items: {in: $people}}",
      "subject: {type: string, maxBytes: 3}"}},
    {"id: ask, approval: {by: [leads]}, tool: tickets.search_tickets, args",
     {"query: {type: string, maxLength: 4}", "status: {const: closed}", "limit: {optional: true}"}},
    {"id: draft, tool: mail.draft_message, args",
     {"to: {type: array, minItems: 1, items: {in: $people}}", "subject: {type: string}"}}};
const std::vector<std::string> kRules = {"{id: b, tool: \"*.draft_*\", reason: None.}",
                                         "{id: a, tool: mail.draft*, reason: None.}",
                                         "{id: c, tool: \"*.delete_*\", reason: None.}",
                                         "{id: e, tool: tickets.*, reason: None., "
                                         "args: {query: {type: string, minLength: 9}}}",
                                         "{id: d, tool: tickets.*, reason: None., "
                                         "schema: {minProperties: 4}}"};

std::string Shuffled(std::mt19937& random) {
  std::vector<std::string> permissions, rules = kRules;
  for (const auto& [head, args] : kPermissions) {
    std::vector<std::string> shuffled = args;
    std::shuffle(shuffled.begin(), shuffled.end(), random);
    permissions.push_back(
        absl::StrCat("  - {", head, ": {", absl::StrJoin(shuffled, ", "), "}}\n"));
  }
  std::shuffle(permissions.begin(), permissions.end(), random);
  std::shuffle(rules.begin(), rules.end(), random);
  return absl::StrCat(kHead, "permissions:\n", absl::StrJoin(permissions, ""), "deny:\n  - ",
                      absl::StrJoin(rules, "\n  - "), "\n");
}

call::Call RandomCall(std::mt19937& random) {
  const auto pick = [&random](std::vector<std::string> from) {
    return from[random() % from.size()];
  };
  const std::string tool =
      pick({"tickets.search_tickets", "tickets.search_tickets", "reports.get_report",
            "mail.send_message", "mail.draft_message", "mail.read_message", "no.tool"});
  std::vector<std::string> members;
  const auto maybe = [&](const char* name, std::vector<std::string> values) {
    if (random() % 4 != 0) members.push_back(absl::StrCat("\"", name, "\":", pick(values)));
  };
  const std::vector<std::string> values = {
      "\"r\"", "\"rep_a\"", "\"open\"", "\"closed\"",        "\"long text\"",          "\"a\\n\"",
      "7",     "3",         "[]",       "[\"d@a.example\"]", "[\"x\",\"d@a.example\"]"};
  if (tool == "reports.get_report") {
    maybe("report_id", values);
  } else if (tool.find("mail") == 0) {
    maybe("to", {"[\"d@a.example\"]", "[\"x\"]", "[]", "5"});
    maybe("subject", values);
    maybe("body", values);
  } else {
    maybe("query", values);
    maybe("status", {"\"open\"", "\"closed\"", "\"x\"", "1"});
    maybe("limit", values);
  }
  if (random() % 5 == 0) members.push_back("\"bcc\":1");
  std::shuffle(members.begin(), members.end(), random);
  return CallOf(tool, absl::StrCat("{", absl::StrJoin(members, ","), "}"));
}

RunFacts FactsFor(const Grant& grant, int step) {
  RunFacts facts;
  facts.run.allowed = step;
  facts.by_permission.resize(grant.permission_count());
  for (const char* id : {"read", "read-any", "four"}) {
    const int index = grant.PermissionIndex("a", id);
    facts.by_permission[index].allowed = step % 3;
    facts.by_permission[index].succeeded = step % 2;
  }
  return facts;
}

std::string Show(const call::Decision& decision) {
  std::string text = absl::StrCat(call::VerdictName(decision.verdict), " ",
                                  call::ReasonName(decision.reason), " ", decision.permission, " ",
                                  call::EffectName(decision.effect), " ", decision.detail);
  if (decision.nearest.has_value()) {
    const call::Nearest& nearest = *decision.nearest;
    absl::StrAppend(&text, " | ", nearest.permission, " ", nearest.pointer, " ", nearest.constraint,
                    " ", nearest.expected, " ", nearest.found);
  }
  return text;
}

TEST(Order, ChangesNoDecision) {
  const FakeCatalog catalog;
  std::mt19937 random(20260501);
  std::vector<call::Call> calls;
  for (int i = 0; i < 600; ++i) calls.push_back(RandomCall(random));
  std::vector<std::string> expected;
  std::string published;
  size_t kinds = 0;
  for (int round = 0; round < 12; ++round) {
    const std::string text = Shuffled(random);
    const auto grant = MustGrant({MustLoad(text, catalog)}, R"({"report_id":"rep_a"})", catalog);
    std::string tools;
    for (const PublishedTool& tool : grant->tools()) absl::StrAppend(&tools, tool.input_schema);
    if (round == 0) published = tools;
    EXPECT_EQ(tools, published) << text;
    for (size_t i = 0; i < calls.size(); ++i) {
      const RunFacts facts = FactsFor(*grant, static_cast<int>(i % 10));
      const std::string decision = Show(Decide(*grant, facts, calls[i]));
      call::Call reordered = calls[i];
      reordered.arguments = json::MustParse(calls[i].canonical);
      EXPECT_EQ(Show(Decide(*grant, facts, reordered)), decision)
          << "members in another order: " << calls[i].canonical;
      if (round == 0) {
        expected.push_back(decision);
      } else {
        EXPECT_EQ(decision, expected[i]) << calls[i].canonical << "\n" << text;
      }
    }
  }
  // The calls reach each kind of decision, else this would show little.
  for (const char* reason :
       {" permitted ", " argument_refused ", " out_of_scope ", " deny_rule ", " precondition ",
        " limit_exceeded ", " no_permission ", " unknown_tool ", " approval_pending "}) {
    kinds += std::any_of(expected.begin(), expected.end(), [reason](const std::string& decision) {
      return decision.find(reason) != std::string::npos;
    });
  }
  EXPECT_EQ(kinds, 9);
}

}  // namespace
}  // namespace tipstaff::policy
