// The operator and the guests of a mediator that may die at any moment.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "tests/crash/verdict.h"
#include "tests/e2e/raw_guest.h"
#include "tests/harness/mediator.h"
#include "tests/harness/owner.h"

namespace tipstaff::crash {

class Told;

// The operator's requests, each over a connection of its own. They throw when the mediator does not
// answer, or refuses.
class Operator {
 public:
  explicit Operator(const harness::Mediator& mediator)
      : admin_socket_(mediator.admin_socket()),
        keys_(harness::KeysOfDana(mediator.options().folder)),
        accounts_(mediator.accounts()),
        shares_account_(!mediator.options().upstreams.empty()) {}
  harness::OpenedRun Open(const std::string& skill, const std::string& bindings_json,
                          absl::Duration time_limit = absl::ZeroDuration());
  // Also one that is closed already.
  void Close(const std::string& run, bool revoke = false);
  void Resolve(const std::string& run, const std::string& as);
  // Has dana approve a call, when it is held.
  void Approve(const std::string& run, uint64_t number, Told& told);
  std::string Result(const std::string& run);
  uint32_t InFlight(const std::string& run);
  std::vector<std::string> OpenRuns();

 private:
  const std::string admin_socket_, keys_, accounts_;
  const bool shares_account_;  // a server of the run sees its scratch folder only (servers.h)
};

// What clients were told, by run. Thread-safe.
class Told {
 public:
  void Opened(const harness::OpenedRun& run);
  void Add(const std::string& run, Acknowledged one);
  std::map<std::string, harness::OpenedRun> runs() const;
  std::vector<Acknowledged> Of(const std::string& run) const;
  void Forget(const std::string& run);
  size_t count() const;

 private:
  mutable std::mutex mutex_;
  std::map<std::string, harness::OpenedRun> runs_;
  std::map<std::string, std::vector<Acknowledged>> told_;
};

// The number of its call; 0 for an answer that says itself that it is on no record.
uint64_t NumberOf(const e2e::RawAnswer& answer);

// A guest of one run. Not thread-safe.
class Guest {
 public:
  // Throws when it is not let in.
  Guest(const harness::OpenedRun& run, Told& told);
  // Throws when no answer comes. Each call has an id of its own, but where one is given.
  e2e::RawAnswer Call(const std::string& tool, const std::string& arguments,
                      const std::string& id = "");
  // post and submit of tests/e2e/outside.
  e2e::RawAnswer Post(const std::string& system, const std::string& behaviour, int ms = 0,
                      const std::string& id = "");
  e2e::RawAnswer Submit(const std::string& behaviour, const std::string& label = "result");

 private:
  const harness::OpenedRun run_;
  Told& told_;
  e2e::RawGuest guest_;
};

}  // namespace tipstaff::crash
