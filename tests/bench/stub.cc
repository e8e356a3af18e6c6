// bench_stub [--benchmark_...]: what a call of a stub costs, State::Call alone, and opening a
// state. Each row is the median of repetitions; `./dev bench stub` runs it in the source folder,
// whose stubs it loads.
#include "stubs/engine/stub.h"

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>

#include "mediator/json/parse.h"
#include "mediator/source/diagnostic.h"

namespace tipstaff::engine {
namespace {

// A state grows with the calls that write, so one is dropped after so many.
constexpr uint64_t kCallsPerState = 1000;

constexpr char kBindings[] = R"({"tenant":"acme","report_id":"rep_demo0001"})";
constexpr size_t kContentBytes = 1024;

std::shared_ptr<const Stub> LoadStub(const std::string& name) {
  absl::StatusOr<StubFiles> files = ReadStubFiles("stubs/" + name);
  source::Diagnostics diagnostics;
  std::shared_ptr<const Stub> stub;
  if (files.ok()) stub = Stub::Load(*std::move(files), diagnostics);
  if (stub == nullptr) {
    std::cerr << "bench_stub: cannot load `stubs/" << name << "`: " << files.status().message()
              << source::RenderText(diagnostics) << "\nrun it in the source folder\n";
    std::exit(2);
  }
  return stub;
}

std::unique_ptr<State> Open(const std::shared_ptr<const Stub>& stub) {
  return State::Create(stub, {"seed", "stub", json::MustParse(kBindings)}).value();
}

void Calls(benchmark::State& bench, const char* stub_name, const char* tool,
           const std::string& arguments_text) {
  const std::shared_ptr<const Stub> stub = LoadStub(stub_name);
  const json::Document arguments = json::MustParse(arguments_text);
  std::unique_ptr<State> state;
  uint64_t number = kCallsPerState;
  for (auto _ : bench) {
    if (number == kCallsPerState) {
      bench.PauseTiming();
      state = Open(stub);
      number = 0;
      bench.ResumeTiming();
    }
    const Reply reply = state->Call(++number, tool, arguments);
    if (reply.kind != call::OutcomeKind::kOk) {
      bench.SkipWithError(reply.message.c_str());
      break;
    }
  }
}

// With what a state puts off until a script's first call.
void OpenAndCall(benchmark::State& bench, const char* stub_name, const char* tool,
                 const std::string& arguments_text) {
  const std::shared_ptr<const Stub> stub = LoadStub(stub_name);
  const json::Document arguments = json::MustParse(arguments_text);
  for (auto _ : bench) benchmark::DoNotOptimize(Open(stub)->Call(1, tool, arguments));
}

void OpenState(benchmark::State& bench, const char* stub_name) {
  const std::shared_ptr<const Stub> stub = LoadStub(stub_name);
  for (auto _ : bench) benchmark::DoNotOptimize(Open(stub));
}

std::string Evidence() {
  return R"({"report_id":"rep_demo0001","name":"headers.txt","content":")" +
         std::string(kContentBytes, 'x') + "\"}";
}

constexpr char kReport[] = R"({"report_id":"rep_demo0001"})";
constexpr char kMessage[] =
    R"({"to":["a@acme.example","b@acme.example"],"subject":"Status","body":"It is done."})";

#define TIPSTAFF_BENCHMARK(function, name, ...) \
  BENCHMARK_CAPTURE(function, name, __VA_ARGS__)->Unit(benchmark::kMicrosecond)

TIPSTAFF_BENCHMARK(Calls, reports.get_report, "reports", "get_report", kReport);
TIPSTAFF_BENCHMARK(Calls, reports.attach_evidence, "reports", "attach_evidence", Evidence());
TIPSTAFF_BENCHMARK(Calls, mailbox.send_message, "mailbox", "send_message", kMessage);
TIPSTAFF_BENCHMARK(OpenAndCall, reports.attach_evidence, "reports", "attach_evidence", Evidence());
TIPSTAFF_BENCHMARK(OpenState, reports, "reports");
TIPSTAFF_BENCHMARK(OpenState, mailbox, "mailbox");

}  // namespace
}  // namespace tipstaff::engine

BENCHMARK_MAIN();
