#include "tests/crash/scenarios.h"

#include <thread>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"

namespace tipstaff::crash {
namespace {

constexpr char kOutside[] = "outside-work";
constexpr char kOutsideBindings[] = R"({"report_id":"r1"})";
constexpr int kBulkCalls = 120;
constexpr int kBulkBytes = 60'000;

harness::OpenedRun OpenOutside(Operator& by, Told& told,
                               absl::Duration limit = absl::ZeroDuration()) {
  harness::OpenedRun run = by.Open(kOutside, kOutsideBindings, limit);
  told.Opened(run);
  return run;
}

// A guest beside another one: its writes are under way while that one goes on.
class Beside {
 public:
  Beside(const harness::OpenedRun& run, Told& told, const std::string& system,
         const std::string& behaviour, int times)
      : thread_([&told, run, system, behaviour, times] {
          try {
            Guest guest(run, told);
            for (int i = 0; i < times; ++i) guest.Post(system, behaviour, 15);
          } catch (const std::exception&) {
            // The mediator is gone, or the run is over.
          }
        }) {}
  ~Beside() { thread_.join(); }

 private:
  std::thread thread_;
};

void Killable(Operator& by, Told& told) {
  const harness::OpenedRun run = OpenOutside(by, told);
  Guest guest(run, told);
  guest.Post("killable", "ok", 0, "once");
  guest.Post("killable", "ok", 0, "once");  // what is on record
  guest.Post("killable", "crash_after");
  {
    const Beside beside(run, told, "killable", "slow", 4);
    guest.Post("killable", "ok");
    guest.Submit("ok");
  }
  guest.Submit("ok");
  guest.Post("killable", "ok");
  by.Close(run.run);
}

void Queryable(Operator& by, Told& told) {
  const harness::OpenedRun run = OpenOutside(by, told);
  Guest guest(run, told);
  guest.Submit("refuse");
  guest.Post("queryable", "ok");
  guest.Post("queryable", "crash_after");
  // One that the close finds under way, so that it waits for what is said of it.
  const Beside beside(run, told, "queryable", "hang_after", 1);
  while (by.InFlight(run.run) == 0) absl::SleepFor(absl::Milliseconds(1));
  by.Close(run.run);
}

void Unstoppable(Operator& by, Told& told) {
  const harness::OpenedRun run = OpenOutside(by, told);
  Guest guest(run, told);
  guest.Post("unstoppable", "crash_before");
  guest.Submit("ok", "held");
  by.Resolve(run.run, "over");
  guest.Post("unstoppable", "ok");
  guest.Submit("ok");
  by.Close(run.run, /*revoke=*/true);
}

void Lost(Operator& by, Told& told) {
  const harness::OpenedRun run = OpenOutside(by, told);
  Guest guest(run, told);
  guest.Submit("crash_after");
  by.Resolve(run.run, "accepted");
  guest.Post("killable", "ok");
  by.Close(run.run);
}

void Expiring(Operator& by, Told& told) {
  const harness::OpenedRun run = OpenOutside(by, told, absl::Seconds(1));
  Guest guest(run, told);
  while (guest.Post("killable", "slow", 10).reason == "permitted") {
  }
}

// A write that a person approves, which is then made once; the next one waits again.
void Asked(Operator& by, Told& told) {
  const harness::OpenedRun run = by.Open("asked-outside", kOutsideBindings);
  told.Opened(run);
  Guest guest(run, told);
  for (int i = 0; i < 2; ++i) {
    by.Approve(run.run, NumberOf(guest.Post("killable", "ok")), told);
    guest.Post("killable", "ok");
  }
  guest.Post("killable", "ok");
  by.Close(run.run);
}

// Enough for the ledger to empty its log.
void Bulk(Operator& by, Told& told) {
  const harness::OpenedRun run = OpenOutside(by, told);
  Guest guest(run, told);
  const std::string label(kBulkBytes, 'x');
  for (int i = 0; i < kBulkCalls; ++i) {
    guest.Call("killable.look", absl::StrCat(R"({"label":")", label, "\"}"));
  }
  by.Close(run.run);
}

void Stub(Operator& by, Told& told) {
  const harness::OpenedRun run =
      by.Open("report-triage", R"({"report_id":"rep_demo0001","tenant":"acme"})");
  told.Opened(run);
  Guest guest(run, told);
  constexpr char kReport[] = R"({"report_id":"rep_demo0001"})";
  guest.Call("reports.get_report", kReport, "once");
  guest.Call("reports.get_report", kReport, "once");
  guest.Call("reports.get_report", R"({"report_id":"rep_demo0002"})");
  guest.Call("reports.attach_evidence",
             R"({"report_id":"rep_demo0001","name":"a.txt","content":"seen"})");
  guest.Call("reports.submit_result",
             R"({"report_id":"rep_demo0001","severity":"high","summary":"Phishing."})");
  by.Close(run.run);
}

}  // namespace

const std::vector<Scenario>& Scenarios() {
  static const auto* scenarios = new std::vector<Scenario>{Killable, Expiring,    Bulk, Queryable,
                                                           Asked,    Unstoppable, Lost, Stub};
  return *scenarios;
}

void GoOn(Operator& by, const harness::OpenedRun& run, Told& told) {
  try {
    Guest guest(run, told);
    guest.Post("killable", "ok");
    guest.Post("queryable", "ok");
    if (by.Result(run.run) == "none") guest.Submit("ok", "in the end");
    guest.Post("unstoppable", "ok");
  } catch (const std::exception&) {
    // It may be over already, or wait for a person; or the mediator is gone, as the next step
    // finds.
  }
  by.Close(run.run);
}

}  // namespace tipstaff::crash
