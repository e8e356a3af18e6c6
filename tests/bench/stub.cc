// bench_stub: what a call of a stub costs in the engine, opening a run's state, and making its
// recorded calls again after a restart. `./dev bench stub` runs it in the source folder, whose
// stubs it loads.
#include "stubs/engine/stub.h"

#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "mediator/backend/stub_backend.h"
#include "mediator/base/status.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"
#include "mediator/source/diagnostic.h"
#include "tests/bench/statistics.h"

namespace tipstaff::bench {
namespace {

// A state grows with the calls that write, so one is dropped after so many.
constexpr int kCallsPerState = 500, kStates = 20, kOpenings = 51, kReplays = 7;
constexpr size_t kContentBytes = 1024;
constexpr int kRows = 10'000;

constexpr absl::Duration kMostOfRead = absl::Microseconds(40);
constexpr absl::Duration kMostOfLuaWrite = absl::Microseconds(80);
constexpr absl::Duration kMostOfOpening = absl::Milliseconds(25);
constexpr double kLeastCallsAgain = 5000;  // a second

constexpr char kBindings[] = R"({"tenant":"acme","report_id":"rep_demo0001"})";

using Shared = std::shared_ptr<const engine::Stub>;

absl::StatusOr<Shared> Load(engine::StubFiles files) {
  source::Diagnostics diagnostics;
  Shared stub = engine::Stub::Load(std::move(files), diagnostics);
  if (stub == nullptr) return absl::InvalidArgumentError(source::RenderText(diagnostics));
  return stub;
}

absl::StatusOr<Shared> LoadShipped(const std::string& name) {
  TIPSTAFF_ASSIGN_OR_RETURN(engine::StubFiles files, engine::ReadStubFiles("stubs/" + name));
  return Load(std::move(files));
}

std::unique_ptr<engine::State> Open(const Shared& stub) {
  return engine::State::Create(stub, {"seed", "stub", json::MustParse(kBindings)}).value();
}

std::string Verdict(const std::string& what, const std::string& found, const std::string& wanted,
                    bool met) {
  return absl::StrFormat("%-44s %16s   %-22s %s\n", what, found, wanted, met ? "met" : "MISSED");
}

std::string Within(const std::string& what, absl::Duration found, absl::Duration most) {
  const auto show = [](absl::Duration d) {
    return absl::StrFormat("%.1f us", absl::ToDoubleMicroseconds(d));
  };
  return Verdict(what, show(found), absl::StrCat("at most ", show(most)), found <= most);
}

struct RecordedCall {
  std::string tool, arguments;
};

absl::StatusOr<absl::Duration> MedianCall(const std::string& stub_name, const RecordedCall& call) {
  TIPSTAFF_ASSIGN_OR_RETURN(const Shared stub, LoadShipped(stub_name));
  const json::Document arguments = json::MustParse(call.arguments);
  std::vector<absl::Duration> times;
  for (int round = 0; round < kStates; ++round) {
    const auto state = Open(stub);
    for (int number = 1; number <= kCallsPerState; ++number) {
      const absl::Time start = absl::Now();
      const engine::Reply reply = state->Call(number, call.tool, arguments);
      times.push_back(absl::Now() - start);
      if (reply.kind != call::OutcomeKind::kOk) {
        return absl::InternalError(absl::StrCat(call.tool, ": ", reply.error, ": ", reply.message));
      }
    }
  }
  return Quantile(std::move(times), 0.5);
}

absl::StatusOr<Shared> LargeStub() {
  std::string rows = "id,subject,sender,unread,size\n";
  for (int i = 0; i < kRows; ++i) {
    absl::StrAppendFormat(&rows, "msg_%05d,Subject of message %d,person%d@acme.example,%s,%d\n", i,
                          i, i % 97, i % 3 == 0 ? "true" : "false", 100 + i);
  }
  return Load({"large",
               {{"stub.yaml", R"(
stub: large
description: Many rows.
tables:
  messages:
    key: id
    columns: {id: {type: string}, subject: {type: string}, sender: {type: string}, unread: {type: boolean}, size: {type: integer}}
fixtures: {messages: fixtures/messages.csv}
tools:
  - name: get
    effect: read
    input: {type: object, properties: {id: {type: string}}, required: [id]}
    select: {from: messages, where: {id: $args.id}, one: true}
)"},
                {"fixtures/messages.csv", std::move(rows)}}});
}

absl::StatusOr<absl::Duration> MedianOpening() {
  TIPSTAFF_ASSIGN_OR_RETURN(const Shared stub, LargeStub());
  const json::Document arguments = json::MustParse(R"({"id":"msg_04242"})");
  std::vector<absl::Duration> times;
  for (int i = 0; i < kOpenings; ++i) {
    const absl::Time start = absl::Now();
    const auto state = Open(stub);
    const engine::Reply reply = state->Call(1, "get", arguments);
    times.push_back(absl::Now() - start);
    if (reply.kind != call::OutcomeKind::kOk) return absl::InternalError(reply.message);
  }
  return Quantile(std::move(times), 0.5);
}

// As after a restart: from the records' texts to outcomes.
absl::StatusOr<double> CallsAgainPerSecond(const std::vector<RecordedCall>& calls) {
  TIPSTAFF_ASSIGN_OR_RETURN(const Shared stub, LoadShipped("reports"));
  std::vector<double> rates;
  for (int round = 0; round < kReplays; ++round) {
    const absl::Time start = absl::Now();
    backend::StubBackend backend(stub, Open(stub));
    for (int number = 1; number <= kCallsPerState; ++number) {
      const RecordedCall& call = calls[number % calls.size()];
      TIPSTAFF_ASSIGN_OR_RETURN(json::Document arguments, json::Parse(call.arguments));
      const call::Outcome outcome = backend.MakeAgain({.number = static_cast<uint64_t>(number),
                                                       .tool = call.tool,
                                                       .arguments = std::move(arguments)},
                                                      call::OutcomeKind::kOk);
      if (outcome.kind != call::OutcomeKind::kOk) return absl::InternalError(outcome.note);
    }
    rates.push_back(kCallsPerState / absl::ToDoubleSeconds(absl::Now() - start));
  }
  return Median(std::move(rates));
}

absl::Status Run() {
  const RecordedCall report{"get_report", R"({"report_id":"rep_demo0001"})"};
  const RecordedCall evidence{"attach_evidence",
                              R"({"report_id":"rep_demo0001","name":"headers.txt","content":")" +
                                  std::string(kContentBytes, 'x') + "\"}"};
  const RecordedCall message{
      "send_message",
      R"({"to":["a@acme.example","b@acme.example"],"subject":"Status","body":"It is done."})"};
  TIPSTAFF_ASSIGN_OR_RETURN(const absl::Duration read, MedianCall("reports", report));
  std::cout << Within("a read: reports.get_report", read, kMostOfRead);
  TIPSTAFF_ASSIGN_OR_RETURN(const absl::Duration attach, MedianCall("reports", evidence));
  std::cout << Within("a Lua write: reports.attach_evidence", attach, kMostOfLuaWrite);
  TIPSTAFF_ASSIGN_OR_RETURN(const absl::Duration send, MedianCall("mailbox", message));
  std::cout << Within("a Lua write: mailbox.send_message", send, kMostOfLuaWrite);
  TIPSTAFF_ASSIGN_OR_RETURN(const absl::Duration opening, MedianOpening());
  std::cout << Within(absl::StrCat("opening a run with ", kRows, " rows, and a read"), opening,
                      kMostOfOpening);
  TIPSTAFF_ASSIGN_OR_RETURN(const double again, CallsAgainPerSecond({report, evidence}));
  std::cout << Verdict("recorded calls made again", absl::StrFormat("%.0f a second", again),
                       absl::StrFormat("at least %.0f", kLeastCallsAgain),
                       again >= kLeastCallsAgain);
  return absl::OkStatus();
}

}  // namespace
}  // namespace tipstaff::bench

int main() {
  std::cout << "medians, State::Call() alone but for the last two rows\n";
  const absl::Status status = tipstaff::bench::Run();
  if (status.ok()) return 0;
  std::cerr << "bench_stub: " << status.message() << "\nrun it in the source folder\n";
  return 2;
}
