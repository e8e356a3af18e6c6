// What the end-to-end tests begin with: a folder, a mediator in it, its operator, runs and agents.
//
// What a test cannot go on without throws when it fails: GoogleTest makes a failure of it, and
// every process that was started ends with the objects.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "mediator/base/testing/temp_folder.h"
#include "mediator/ledger/ledger.h"
#include "mediator/review/timeline.h"
#include "tests/harness/agent.h"
#include "tests/harness/mediator.h"

namespace tipstaff::e2e {

// The value, or an exception with the status.
template <typename T>
T Must(absl::StatusOr<T> value) {
  if (!value.ok()) throw std::runtime_error(value.status().ToString());
  return *std::move(value);
}
void Must(const absl::Status& status);

// A command of an operator's that is to fail: its exit status, and what standard error says.
// Standard output stays empty.
void ExpectFails(const harness::Finished& finished, int status,
                 const std::vector<std::string>& parts);

constexpr char kReadArguments[] = R"({"report_id":"rep_demo0001"})";
std::string EvidenceArguments(const std::string& name);
std::string ResultArguments(const std::string& summary);

// `exec` of `command` in a run of report-triage for rep_demo0001 of acme.
std::vector<std::string> ExecArguments(const std::vector<std::string>& options,
                                       const std::vector<std::string>& command);

class E2eTest : public ::testing::Test {
 protected:
  // `options` without bin, source and folder, which are filled in.
  void Start(harness::MediatorOptions options = {});
  harness::Mediator& mediator() { return *mediator_; }
  std::string Path(const std::string& name) const { return folder_.Path(name); }
  const std::string& folder() const { return folder_.path(); }

  // The operator's command line with this mediator's configuration.
  harness::Finished Tipstaff(std::vector<std::string> arguments);
  // Without a configuration, in the test's folder or another one.
  harness::Finished Bare(std::vector<std::string> arguments, const std::string& folder = "");
  harness::OpenedRun Open(std::vector<std::string> arguments);
  // A run of report-triage for rep_demo0001 of acme.
  harness::OpenedRun OpenTriage(const std::vector<std::string>& more = {});
  harness::OpenedRun OpenReply(const std::vector<std::string>& more = {});
  std::unique_ptr<harness::Agent> StartAgent(const harness::OpenedRun& run);

  // From the ledger: decisions with payloads in the order of their numbers; all records.
  std::vector<review::Row> Decisions(const std::string& run);
  std::vector<ledger::StoredRecord> Records(const std::string& run);

 private:
  base::TempFolder folder_;
  std::unique_ptr<harness::Mediator> mediator_;
};

// A run and its agent that nothing may disturb.
class Bystander {
 public:
  Bystander(harness::OpenedRun run, std::unique_ptr<harness::Agent> agent);
  // Its next call, over the connection that it has, is permitted.
  void ExpectUndisturbed();
  const std::string& run() const { return run_.run; }

 private:
  const harness::OpenedRun run_;
  const std::unique_ptr<harness::Agent> agent_;
};

}  // namespace tipstaff::e2e
