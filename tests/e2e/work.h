// A run, its agent, and calls that nobody waits for yet.
#pragma once

#include <csignal>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "tests/e2e/fixture.h"

namespace tipstaff::e2e {

// Not thread-safe.
class Work {
 public:
  Work(harness::OpenedRun run, std::unique_ptr<harness::Agent> agent)
      : run(std::move(run)), agent_(std::move(agent)) {}
  ~Work() {
    agent_->process().Signal(SIGKILL);  // what still waits for an answer
    Wait();
  }
  harness::CallResult Call(const std::string& tool, const std::string& arguments) {
    return Must(agent_->Call(tool, arguments));
  }
  // In a thread: the agent then has nothing else to do.
  void Begin(const std::string& tool, const std::string& arguments) {
    thread_ = std::thread([this, tool, arguments] { begun_ = agent_->Call(tool, arguments); });
  }
  const absl::StatusOr<harness::CallResult>& Wait() {
    if (thread_.joinable()) thread_.join();
    return begun_;
  }

  const harness::OpenedRun run;

 private:
  const std::unique_ptr<harness::Agent> agent_;
  absl::StatusOr<harness::CallResult> begun_;
  std::thread thread_;
};

}  // namespace tipstaff::e2e
