#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "mediator/policy/canary.h"
#include "mediator/policy/testing/skill_text.h"

namespace tipstaff::policy {
namespace {

constexpr char kSkill[] = R"(skill: triage
bindings:
  report_id: {type: string}
  tenant: {type: string, default: acme}
  reviewers: {type: array, items: {type: string}, default: [dana@acme.example]}
scope: [report_id, reviewers]
backends: {reports: {stub: reports}, mail: {stub: mailbox}, tickets: {stub: tickets}}
limits: {calls: 6}
permissions:
  - id: read
    tool: reports.get_report
    args: {report_id: {equals: $report_id}}
  - id: attach
    tool: reports.attach_evidence
    args:
      report_id: {equals: $report_id}
      name: {type: string, maxBytes: 10}
      content: {type: string, text: lines, maxBytes: 100}
    limits: {calls: 2}
  - id: note
    tool: mail.send_message
    args:
      to: {type: array, minItems: 1, items: {in: $reviewers}}
      subject: {type: string, maxBytes: 200}
      body: {type: string, text: lines, optional: true}
  - id: search-open
    tool: tickets.search_tickets
    args: {query: {type: string}, status: {enum: [open]}}
  - id: search-own
    tool: tickets.search_tickets
    args: {query: {type: string}, status: {enum: [closed]}, limit: {type: integer, maximum: 5}}
    after: [read]
  - id: see
    tool: tickets.get_ticket
    args: {ticket_id: {equals: $tenant}}
  - id: submit
    tool: reports.submit_result
    after: [read]
    args:
      report_id: {equals: $report_id}
      severity: {enum: [none, low]}
      summary: {type: string, text: lines}
deny:
  - {id: z-no-transition, tool: "tickets.tr*", reason: Never moves tickets.}
  - {id: no-transition, tool: "*.transition_*", reason: Triage moves nothing.}
)";

class DecideTest : public testing::Test {
 protected:
  call::Decision Decide(absl::string_view tool, absl::string_view arguments,
                        const std::vector<std::string>& done = {}) const {
    RunFacts facts;
    facts.run.allowed = done.size();
    facts.by_permission.resize(grant_->permission_count());
    for (const std::string& id : done) {
      const int index = grant_->PermissionIndex("triage", id);
      ++facts.by_permission[index].allowed;
      ++facts.by_permission[index].succeeded;
    }
    return policy::Decide(*grant_, facts, CallOf(tool, arguments));
  }

  const FakeCatalog catalog_;
  const std::shared_ptr<const Skill> skill_ = MustLoad(kSkill, catalog_);
  const std::shared_ptr<const Grant> grant_ =
      MustGrant({skill_}, R"({"report_id":"rep_a"})", catalog_);
};

struct Row {
  const char* name;
  const char* tool;
  const char* arguments;
  std::vector<std::string> done;
  call::Reason reason;
  const char* permission;  // that allowed, the rule, or the nearest
  const char* pointer;
  const char* constraint;
};

using call::Reason;

const Row kRows[] = {
    {"own report",
     "reports.get_report",
     R"({"report_id":"rep_a"})",
     {},
     Reason::kPermitted,
     "read"},
    {"another report (case 5)",
     "reports.get_report",
     R"({"report_id":"rep_b"})",
     {},
     Reason::kOutOfScope,
     "read",
     "/report_id",
     "equals"},
    {"its prefix (case 12)",
     "reports.get_report",
     R"({"report_id":"rep_a/../rep_b"})",
     {},
     Reason::kOutOfScope,
     "read",
     "/report_id",
     "equals"},
    {"in another case",
     "reports.get_report",
     R"({"report_id":"REP_A"})",
     {},
     Reason::kOutOfScope,
     "read",
     "/report_id",
     "equals"},
    {"percent-encoded (case 11)",
     "reports.get_report",
     R"({"report_id":"rep%5fa"})",
     {},
     Reason::kOutOfScope,
     "read",
     "/report_id",
     "equals"},
    {"NUL behind it",
     "reports.get_report",
     R"({"report_id":"rep_a\u0000"})",
     {},
     Reason::kArgumentRefused,
     "read",
     "/report_id",
     "text"},
    {"an array of it",
     "reports.get_report",
     R"({"report_id":["rep_a"]})",
     {},
     Reason::kOutOfScope,
     "read",
     "/report_id",
     "equals"},
    {"a dollar reference from the guest",
     "reports.get_report",
     R"({"report_id":"$report_id"})",
     {},
     Reason::kOutOfScope,
     "read",
     "/report_id",
     "equals"},
    {"nothing",
     "reports.get_report",
     "{}",
     {},
     Reason::kArgumentRefused,
     "read",
     "/report_id",
     "required"},
    {"no object", "reports.get_report", "[]", {}, Reason::kArgumentRefused, "read", "", "type"},
    {"an extra argument (case 1)",
     "reports.get_report",
     R"({"report_id":"rep_a","note":"key"})",
     {},
     Reason::kArgumentRefused,
     "read",
     "/note",
     "args"},
    {"an argument in another case",
     "reports.get_report",
     R"({"report_id":"rep_a","Report_Id":1})",
     {},
     Reason::kArgumentRefused,
     "read",
     "/Report_Id",
     "args"},
    {"another report and an extra argument",
     "reports.get_report",
     R"({"report_id":"rep_b","note":"key"})",
     {},
     Reason::kArgumentRefused,
     "read",
     "/note",
     "args"},
    {"a binding that is not in scope",
     "tickets.get_ticket",
     R"({"ticket_id":"other"})",
     {},
     Reason::kArgumentRefused,
     "see",
     "/ticket_id",
     "equals"},
    {"no such tool", "reports.delete_report", "{}", {}, Reason::kUnknownTool},
    {"look-alike (case 4)", "reports.g\xd0\xb5t_report", "{}", {}, Reason::kUnknownTool},
    {"a backend that the skill does not have", "web.fetch", "{}", {}, Reason::kUnknownTool},
    {"the published name is resolved before",
     "reports_get_report",
     R"({"report_id":"rep_a"})",
     {},
     Reason::kUnknownTool},
    {"no permission", "mail.read_message", R"({"id":"m1"})", {}, Reason::kNoPermission},
    {"denied by the first rule by id",
     "tickets.transition_ticket",
     R"({"ticket_id":"t","status":"closed"})",
     {},
     Reason::kDenyRule,
     "no-transition",
     "",
     "deny"},
    {"to a reviewer",
     "mail.send_message",
     R"({"to":["dana@acme.example"],"subject":"s"})",
     {},
     Reason::kPermitted,
     "note"},
    {"optional argument",
     "mail.send_message",
     R"({"to":["dana@acme.example"],"subject":"s","body":"a\n\tb"})",
     {},
     Reason::kPermitted,
     "note"},
    {"to a stranger too (case 20)",
     "mail.send_message",
     R"({"to":["dana@acme.example","x@evil.example"],"subject":"s"})",
     {},
     Reason::kOutOfScope,
     "note",
     "/to/1",
     "in"},
    {"to nobody",
     "mail.send_message",
     R"({"to":[],"subject":"s"})",
     {},
     Reason::kArgumentRefused,
     "note",
     "/to",
     "minItems"},
    {"to no list",
     "mail.send_message",
     R"({"to":"dana@acme.example","subject":"s"})",
     {},
     Reason::kArgumentRefused,
     "note",
     "/to",
     "type"},
    {"hidden recipient (case 21)",
     "mail.send_message",
     R"({"to":["dana@acme.example"],"subject":"s","bcc":["x@evil.example"]})",
     {},
     Reason::kArgumentRefused,
     "note",
     "/bcc",
     "args"},
    {"CRLF in the subject (case 21)",
     "mail.send_message",
     R"({"to":["dana@acme.example"],"subject":"s\r\nBcc: x@evil.example"})",
     {},
     Reason::kArgumentRefused,
     "note",
     "/subject",
     "text"},
    {"CRLF in an address",
     "mail.send_message",
     R"({"to":["dana@acme.example\r\nBcc: x"],"subject":"s"})",
     {},
     Reason::kArgumentRefused,
     "note",
     "/to/0",
     "text"},
    {"override in the subject",
     "mail.send_message",
     R"({"to":["dana@acme.example"],"subject":"\u202etxt.exe"})",
     {},
     Reason::kArgumentRefused,
     "note",
     "/subject",
     "text"},
    {"first of two permissions",
     "tickets.search_tickets",
     R"({"query":"q","status":"open"})",
     {},
     Reason::kPermitted,
     "search-open"},
    {"second of two permissions",
     "tickets.search_tickets",
     R"({"query":"q","status":"closed","limit":5})",
     {"read"},
     Reason::kPermitted,
     "search-own"},
    {"arguments of the second, too early",
     "tickets.search_tickets",
     R"({"query":"q","status":"closed","limit":5})",
     {},
     Reason::kPrecondition,
     "search-own",
     "",
     "after"},
    {"nearest of two",
     "tickets.search_tickets",
     R"({"query":"q","status":"closed","limit":9})",
     {"read"},
     Reason::kArgumentRefused,
     "search-own",
     "/limit",
     "maximum"},
    {"as near: by id",
     "tickets.search_tickets",
     R"({"query":"q","status":"closed"})",
     {"read"},
     Reason::kArgumentRefused,
     "search-open",
     "/status",
     "enum"},
    {"result before reading",
     "reports.submit_result",
     R"({"report_id":"rep_a","severity":"low","summary":"s"})",
     {},
     Reason::kPrecondition,
     "submit",
     "",
     "after"},
    {"result",
     "reports.submit_result",
     R"({"report_id":"rep_a","severity":"low","summary":"s"})",
     {"read"},
     Reason::kPermitted,
     "submit"},
    {"result for another report (case 34)",
     "reports.submit_result",
     R"({"report_id":"rep_b","severity":"low","summary":"s"})",
     {"read"},
     Reason::kOutOfScope,
     "submit",
     "/report_id",
     "equals"},
    {"result with an extra field (case 34)",
     "reports.submit_result",
     R"({"report_id":"rep_a","severity":"low","summary":"s","status":"final"})",
     {"read"},
     Reason::kArgumentRefused,
     "submit",
     "/status",
     "args"},
    {"permission used up",
     "reports.attach_evidence",
     R"({"report_id":"rep_a","name":"n","content":"c"})",
     {"attach", "attach"},
     Reason::kLimitExceeded,
     "attach",
     "",
     "limits"},
    {"permission almost used up",
     "reports.attach_evidence",
     R"({"report_id":"rep_a","name":"n","content":"c"})",
     {"attach"},
     Reason::kPermitted,
     "attach"},
    {"run used up",
     "reports.get_report",
     R"({"report_id":"rep_a"})",
     {"read", "read", "read", "read", "read", "read"},
     Reason::kLimitExceeded,
     "read",
     "",
     "limits"},
    {"arguments count before limits",
     "reports.attach_evidence",
     R"({"report_id":"rep_b","name":"n","content":"c"})",
     {"attach", "attach"},
     Reason::kOutOfScope,
     "attach",
     "/report_id",
     "equals"},
};

TEST_F(DecideTest, Decides) {
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.name);
    const call::Decision decision = Decide(row.tool, row.arguments, row.done);
    const bool allow = row.reason == Reason::kPermitted;
    EXPECT_EQ(decision.verdict, allow ? call::Verdict::kAllow : call::Verdict::kDeny);
    EXPECT_EQ(call::ReasonName(decision.reason), call::ReasonName(row.reason));
    const bool by_rule = row.reason == Reason::kDenyRule;
    EXPECT_EQ(decision.permission, allow || by_rule ? row.permission : "");
    EXPECT_EQ(decision.skill, allow || by_rule ? "triage" : "");
    EXPECT_EQ(decision.policy_digest, allow || by_rule ? skill_->digest() : grant_->digest());
    EXPECT_EQ(decision.permission_index,
              allow ? grant_->PermissionIndex("triage", row.permission) : -1);
    ASSERT_EQ(decision.nearest.has_value(), row.constraint != nullptr);
    if (!decision.nearest.has_value()) continue;
    EXPECT_EQ(decision.nearest->permission, row.permission);
    EXPECT_EQ(decision.nearest->pointer, row.pointer);
    EXPECT_EQ(decision.nearest->constraint, row.constraint);
    EXPECT_EQ(decision.nearest->file, "skill.yaml");
    EXPECT_FALSE(decision.nearest->expected.empty() || decision.nearest->found.empty());
  }
}

TEST_F(DecideTest, SaysWhereInTheFile) {
  const auto at = [](const call::Decision& decision) {
    return absl::StrCat(decision.nearest->line, ":", decision.nearest->column);
  };
  EXPECT_EQ(at(Decide("reports.get_report", R"({"report_id":"rep_b"})")), "12:24") << "equals";
  EXPECT_EQ(at(Decide("reports.get_report", "{}")), "12:12") << "the argument";
  EXPECT_EQ(at(Decide("reports.get_report", R"({"report_id":"rep_a","x":1})")), "12:5") << "args";
  EXPECT_EQ(at(Decide("tickets.transition_ticket", "{}")), "45:25") << "the rule's tool";
  const call::Decision decision = Decide("reports.get_report", R"({"report_id":"rep_b"})");
  EXPECT_EQ(decision.nearest->expected, "`rep_a` (binding `report_id`)");
  EXPECT_EQ(decision.nearest->found, "`rep_b`");
}

TEST_F(DecideTest, TellsTheAgentNoMoreThanThePublishedSchema) {
  EXPECT_EQ(Decide("reports.get_report", R"({"report_id":"rep_b"})").detail,
            "the value at `/report_id` is not accepted");
  EXPECT_EQ(Decide("reports.get_report", R"({"report_id":"rep_a","\u001b[2J":1})").detail,
            "there is no argument at `/\\x1b[2J`");
  EXPECT_EQ(Decide("tickets.search_tickets", R"({"query":1})").detail, "")
      << "two permissions: the published union does not show which fails";
  EXPECT_EQ(Decide("tickets.transition_ticket", "{}").detail, "");
  EXPECT_EQ(
      Decide("reports.submit_result", R"({"report_id":"rep_a","severity":"low","summary":"s"})")
          .detail,
      "");
}

TEST_F(DecideTest, EffectIsTheToolsOrWhatTheSkillRaisedItTo) {
  EXPECT_EQ(Decide("reports.get_report", "{}").effect, call::Effect::kRead);
  EXPECT_EQ(Decide("mail.read_message", "{}").effect, call::Effect::kRead);
  EXPECT_EQ(Decide("mail.draft_message", "{}").effect, call::Effect::kWrite);
  EXPECT_EQ(Decide("reports.submit_result", "{}").effect, call::Effect::kFinalize);
  const auto raised =
      MustLoad(absl::StrReplaceAll(kSkill, {{"    tool: reports.get_report\n",
                                             "    tool: reports.get_report\n    effect: write\n"}}),
               catalog_);
  const auto grant = MustGrant({raised}, R"({"report_id":"rep_a"})", catalog_);
  for (const char* arguments : {R"({"report_id":"rep_a"})", "{}"}) {
    EXPECT_EQ(policy::Decide(*grant, {}, CallOf("reports.get_report", arguments)).effect,
              call::Effect::kWrite);
  }
}

TEST_F(DecideTest, CountersThatAreMissingAreNotZero) {
  const call::Call call = CallOf("reports.get_report", R"({"report_id":"rep_a"})");
  EXPECT_EQ(policy::Decide(*grant_, {}, call).reason, Reason::kPermitted) << "a fresh run";
  EXPECT_EQ(policy::Decide(*grant_, {.run = {.allowed = 1}}, call).reason, Reason::kUndecided);
  RunFacts facts;
  facts.by_permission.resize(1);
  EXPECT_EQ(policy::Decide(*grant_, facts, call).reason, Reason::kUndecided);
}

TEST_F(DecideTest, AnEmptyListOfReviewersPermitsNobody) {
  const auto grant = MustGrant({skill_}, R"({"report_id":"rep_a","reviewers":[]})", catalog_);
  const call::Decision decision = policy::Decide(
      *grant, {}, CallOf("mail.send_message", R"({"to":["dana@acme.example"],"subject":"s"})"));
  EXPECT_EQ(decision.reason, Reason::kOutOfScope);
  EXPECT_EQ(decision.nearest->expected, "nothing: the list is empty (binding `reviewers`)");
}

TEST_F(DecideTest, AnySkillPermitsAndAnyRuleDenies) {
  const auto other = MustLoad(R"(skill: helper
backends: {mail: {stub: mailbox}, tickets: {stub: tickets}, reports: {stub: reports}}
permissions:
  - {id: read-mail, tool: mail.read_message, args: {id: {type: string}}}
deny:
  - {id: no-evidence, tool: reports.attach_evidence, reason: Not now.}
finalize: none
)",
                              catalog_);
  const auto grant = MustGrant({skill_, other}, R"({"report_id":"rep_a"})", catalog_);
  const call::Decision read =
      policy::Decide(*grant, {}, CallOf("mail.read_message", R"({"id":"m"})"));
  EXPECT_EQ(read.reason, Reason::kPermitted);
  EXPECT_EQ(read.skill, "helper");
  const call::Decision attach = policy::Decide(
      *grant, {}, CallOf("reports.attach_evidence", R"({"report_id":"rep_a","name":"n",
                                                        "content":"c"})"));
  EXPECT_EQ(attach.reason, Reason::kDenyRule);
  EXPECT_EQ(attach.permission, "no-evidence");
  EXPECT_EQ(attach.skill, "helper");
}

// A grant of another make cannot be read, and what cannot be read is denied.
TEST_F(DecideTest, AForeignGrantDecidesNothing) {
  class Foreign final : public Grant {
   public:
    absl::Span<const std::shared_ptr<const Skill>> skills() const override { return {}; }
    const json::Document& bindings() const override { return bindings_; }
    absl::Span<const std::pair<std::string, BackendRef>> backends() const override { return {}; }
    absl::Span<const PublishedTool> tools() const override { return {}; }
    std::string ResolveTool(absl::string_view name) const override { return std::string(name); }
    absl::Span<const PublishedItem> resources() const override { return {}; }
    absl::Span<const PublishedItem> resource_templates() const override { return {}; }
    absl::Span<const PublishedItem> prompts() const override { return {}; }
    std::string ResolveResource(absl::string_view) const override { return ""; }
    std::string ResolvePrompt(absl::string_view) const override { return ""; }
    std::string ResolveCompletion(absl::string_view, absl::string_view) const override {
      return "";
    }
    bool completes() const override { return false; }
    size_t permission_count() const override { return 0; }
    std::string PermissionName(int) const override { return ""; }
    int PermissionIndex(absl::string_view, absl::string_view) const override { return 0; }
    std::optional<Approval> ApprovalOf(int) const override { return std::nullopt; }
    std::string LimitResult(int, call::OutcomeKind, std::string) const override { return ""; }
    const Parts& SensitiveArguments(absl::string_view) const override { return none_; }
    const Parts& SensitiveResult(absl::string_view) const override { return none_; }
    Keeping KeepingOf(absl::string_view, absl::string_view) const override {
      return Keeping::kNothing;
    }
    bool has_sensitive() const override { return false; }
    std::vector<KeywordOutcome> OutcomesOf(int, absl::string_view, json::Value) const override {
      return {};
    }
    const std::string& digest() const override { return digest_; }
    SkillLimits limits() const override { return {}; }
    bool limits_rate() const override { return false; }
    bool has_finalize() const override { return false; }
    const Canaries& canaries() const override { return canaries_; }
    bool SearchesCalls(absl::string_view) const override { return false; }

   private:
    Canaries canaries_;
    json::Document bindings_;
    std::string digest_;
    Parts none_;
  };
  const call::Decision decision = policy::Decide(Foreign(), {}, CallOf("a.b", "{}"));
  EXPECT_EQ(decision.verdict, call::Verdict::kDeny);
  EXPECT_EQ(decision.reason, Reason::kUndecided);
}

// The target is 5 us for 1 KiB; the bound is loose enough for sanitizers and busy machines, and
// would still notice a decision that is not proportional to the call.
TEST_F(DecideTest, IsFast) {
  const call::Call call = CallOf(
      "reports.attach_evidence",
      absl::StrCat(R"({"report_id":"rep_a","name":"n","content":")", std::string(90, 'x'), "\"}"));
  const RunFacts facts;
  constexpr int kCalls = 2000;
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < kCalls; ++i) {
    ASSERT_EQ(policy::Decide(*grant_, facts, call).verdict, call::Verdict::kAllow);
  }
  const auto spent = std::chrono::steady_clock::now() - start;
  const double micros = std::chrono::duration<double, std::micro>(spent).count() / kCalls;
  RecordProperty("micros_per_decision", absl::StrCat(micros));
  EXPECT_LT(micros, 500);
}

}  // namespace
}  // namespace tipstaff::policy
