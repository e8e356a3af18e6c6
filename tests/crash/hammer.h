// Kills the mediator under load, at named points and at random moments, and judges what is left.
#pragma once

#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "tests/crash/client.h"
#include "tests/harness/mediator.h"

namespace tipstaff::crash {

class Hammer {
 public:
  // `environment` is the mediator's at every start: "NAME=value". `mcp`: the upstreams are those of
  // servers.h.
  static absl::StatusOr<std::unique_ptr<Hammer>> Start(const harness::MediatorOptions& options,
                                                       std::vector<std::string> environment = {},
                                                       bool mcp = false);

  // One round: starts the mediator, loads it until it dies at `point` (the `time`th passing), and
  // judges all runs that were open. Whether it died there in time. "" is a random moment.
  bool Round(const std::string& point, int time);
  // Goes on with every run that is open, without a crash, and judges it.
  void Finish();

  // Promises that were broken, and failures of the mediator to start; each with its round.
  const std::vector<std::string>& problems() const { return problems_; }
  size_t acknowledged() const { return told_.count(); }
  void set_seed(uint32_t seed) { random_.seed(seed); }

 private:
  explicit Hammer(std::vector<std::string> environment) : environment_(std::move(environment)) {}
  bool Load(bool until_it_dies);
  void JudgeAll();
  void Problem(const std::string& what);

  const std::vector<std::string> environment_;
  std::unique_ptr<harness::Mediator> mediator_;
  std::mt19937 random_;
  Told told_;
  std::string round_;  // for messages
  int rounds_ = 0;
  std::vector<std::string> problems_;
};

// The names of the mediator's crash points; empty for a build without them.
absl::StatusOr<std::vector<std::string>> CrashPoints(const std::string& bin);

}  // namespace tipstaff::crash
