// bench_schema: what validating takes beside other validators, and deciding, by size of skill.
#include <algorithm>
#include <functional>
#include <iostream>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "mediator/base/status.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"
#include "tests/bench/schema_arms.h"
#include "tests/bench/schema_corpus.h"
#include "tests/bench/schema_skills.h"
#include "tests/bench/statistics.h"

namespace tipstaff::bench {
namespace {

constexpr char kUsage[] =
    "usage: bench_schema [validators|decisions|loading]...\n\n"
    "Compares validators over the input schemas of five MCP servers and the shipped skills, and\n"
    "measures decisions by the size of the skill, and loading; all of it where nothing is named.\n"
    "ajv is taken from build/e2e-node, which `./dev setup test` makes. Runs in the source "
    "folder.\n";

constexpr char kFolder[] = "tests/bench/schema";
constexpr char kAjvFolder[] = "build/e2e-node";
constexpr int kRounds = 7;
constexpr absl::Duration kSlice = absl::Milliseconds(150);
constexpr char kBindings[] = R"({"owner":"rep_demo0001"})";

std::string Verdict(const std::string& what, const std::string& found, const std::string& wanted,
                    bool met) {
  return absl::StrFormat("%-46s %14s   %-22s %s\n", what, found, wanted, met ? "met" : "MISSED");
}

// ---- validation alone ----

absl::Status CompareValidators() {
  TIPSTAFF_ASSIGN_OR_RETURN(const std::vector<SchemaCase> cases, ReadCorpus(kFolder));
  size_t values = 0;
  for (const SchemaCase& one : cases) values += one.samples.size();
  std::cout << absl::StrFormat("validation alone: %d schemas, %d values, medians over %d rounds\n",
                               cases.size(), values, kRounds);
  std::vector<std::unique_ptr<SchemaArm>> arms;
  arms.push_back(TipstaffArm(cases));
  arms.push_back(ValijsonArm(cases));
  arms.push_back(AjvArm(cases, kAjvFolder, absl::StrCat(kFolder, "/ajv.mjs")));
  std::vector<std::vector<double>> times(arms.size());
  std::vector<double> to_valijson, to_ajv;
  for (int round = 0; round < kRounds; ++round) {
    for (size_t i = 0; i < arms.size(); ++i) {
      TIPSTAFF_ASSIGN_OR_RETURN(const double nanoseconds, arms[i]->Measure(kSlice));
      times[i].push_back(nanoseconds);
    }
    to_valijson.push_back(times[1].back() / times[0].back());
    to_ajv.push_back(times[2].back() / times[0].back());
  }
  for (size_t i = 0; i < arms.size(); ++i) {
    std::cout << absl::StrFormat("  %-10s %8.0f ns a value\n", arms[i]->name(), Median(times[i]));
  }
  const double valijson = Median(to_valijson), ajv = Median(to_ajv);
  std::cout << Verdict("speed to valijson's", absl::StrFormat("%.1f x", valijson), "at least 5 x",
                       valijson >= 5)
            << Verdict("speed to ajv's", absl::StrFormat("%.2f x", ajv), "at least 1 x", ajv >= 1);
  return absl::OkStatus();
}

// ---- decisions ----

// The median of one decision: of batches, as one alone is near what the clock can tell.
double MedianNanoseconds(const std::function<void()>& decide) {
  constexpr int kBatches = 400, kBatch = 25;
  std::vector<double> times;
  for (int batch = 0; batch < kBatches; ++batch) {
    const absl::Time start = absl::Now();
    for (int i = 0; i < kBatch; ++i) decide();
    times.push_back(absl::ToDoubleNanoseconds(absl::Now() - start) / kBatch);
  }
  return Median(std::move(times));
}

absl::StatusOr<double> TimeOf(const policy::Grant& grant, const call::Call& call,
                              call::Reason reason) {
  const call::Decision decision = policy::Decide(grant, {}, call);
  if (decision.reason != reason) {
    return absl::InternalError(absl::StrCat("a call of `", call.tool, "` is ",
                                            call::ReasonName(decision.reason), ", not ",
                                            call::ReasonName(reason)));
  }
  return MedianNanoseconds([&] {
    if (policy::Decide(grant, {}, call).reason != reason) std::abort();
  });
}

struct Times {
  double permitted = 0, refused = 0;
};

// Of the skill's last permission for a tool in the middle, and of a call that none permits.
absl::StatusOr<Times> TimesOf(int tools, int per_tool) {
  const auto catalog = MadeCatalog(tools);
  TIPSTAFF_ASSIGN_OR_RETURN(const auto grant,
                            GrantOf(MadeSkill("made", tools, per_tool), *catalog, kBindings));
  Times times;
  TIPSTAFF_ASSIGN_OR_RETURN(times.permitted,
                            TimeOf(*grant, MadeCall(tools / 2, absl::StrCat("kind-", per_tool - 1)),
                                   call::Reason::kPermitted));
  TIPSTAFF_ASSIGN_OR_RETURN(
      times.refused, TimeOf(*grant, MadeCall(tools / 2, "kind-x"), call::Reason::kArgumentRefused));
  return times;
}

absl::Status MeasureDecisions() {
  TIPSTAFF_ASSIGN_OR_RETURN(const auto grants, ShippedGrants());
  call::Call call{.id = "c", .tool = "reports.attach_evidence"};
  call.arguments = json::MustParse(
      absl::StrCat(R"({"report_id":"rep_demo0001","name":"mail-headers.txt","content":")",
                   std::string(950, 'n'), "\"}"));
  call.canonical = json::Canonical(call.arguments.root());
  TIPSTAFF_ASSIGN_OR_RETURN(const double shipped,
                            TimeOf(*grants[0], call, call::Reason::kPermitted));
  std::cout << "\ndecisions\n"
            << Verdict(absl::StrFormat("report-triage, a call of %d bytes", call.canonical.size()),
                       absl::StrFormat("%.2f us", shipped / 1e3), "at most 5 us", shipped <= 5e3);
  const auto show = [](const char* what, const Times& small, const Times& large, double most) {
    const auto line = [&](const char* kind, double a, double b) {
      std::cout << Verdict(absl::StrCat(what, kind), absl::StrFormat("%.2f x", b / a),
                           absl::StrFormat("at most %.3g x", most), b <= most * a);
      std::cout << absl::StrFormat("    %.2f us, of %.2f us\n", b / 1e3, a / 1e3);
    };
    line(", permitted", small.permitted, large.permitted);
    line(", refused", small.refused, large.refused);
  };
  TIPSTAFF_ASSIGN_OR_RETURN(const Times ten, TimesOf(1, 10));
  TIPSTAFF_ASSIGN_OR_RETURN(const Times thousand, TimesOf(100, 10));
  show("1,000 permissions on 100 tools, of 10", ten, thousand, 1.5);
  TIPSTAFF_ASSIGN_OR_RETURN(const Times one, TimesOf(1, 1));
  TIPSTAFF_ASSIGN_OR_RETURN(const Times hundred, TimesOf(1, 100));
  show("100 permissions on one tool, of 1", one, hundred, 20);
  return absl::OkStatus();
}

absl::Status MeasureLoading() {
  constexpr int kSkills = 100;
  const auto catalog = MadeCatalog(10);
  const absl::Time start = absl::Now();
  for (int i = 0; i < kSkills; ++i) {
    source::Diagnostics diagnostics;
    const std::string text = MadeSkill(absl::StrCat("skill-", i), 10, 10);
    const auto skill = policy::LoadSkill(
        std::make_shared<source::File>(source::File{"skill.yaml", text}), *catalog, diagnostics);
    if (skill == nullptr) return source::ToStatus(diagnostics);
  }
  const absl::Duration took = absl::Now() - start;
  std::cout << "\nloading\n"
            << Verdict("100 skills of 100 permissions",
                       absl::StrFormat("%.2f s", absl::ToDoubleSeconds(took)), "at most 1 s",
                       took <= absl::Seconds(1));
  return absl::OkStatus();
}

int Main(const std::vector<std::string>& arguments) {
  const std::pair<std::string, absl::Status (*)()> kParts[] = {{"validators", CompareValidators},
                                                               {"decisions", MeasureDecisions},
                                                               {"loading", MeasureLoading}};
  for (const std::string& argument : arguments) {
    if (std::none_of(std::begin(kParts), std::end(kParts),
                     [&](const auto& part) { return part.first == argument; })) {
      std::cerr << "bench_schema: unknown argument `" << argument << "`\n" << kUsage;
      return 2;
    }
  }
  for (const auto& [name, measure] : kParts) {
    if (!arguments.empty() &&
        std::find(arguments.begin(), arguments.end(), name) == arguments.end()) {
      continue;
    }
    if (const absl::Status status = measure(); !status.ok()) {
      std::cerr << "bench_schema: " << status.message() << "\n";
      return 5;
    }
  }
  return 0;
}

}  // namespace
}  // namespace tipstaff::bench

int main(int argc, char** argv) {
  return tipstaff::bench::Main(std::vector<std::string>(argv + 1, argv + argc));
}
