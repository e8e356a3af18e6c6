// A mediator under test: `tipstaff serve` in a folder of its own, and its operator.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "mediator/json/document.h"
#include "tests/harness/approved_server.h"
#include "tests/harness/process.h"

namespace tipstaff::harness {

struct MediatorOptions {
  std::string bin;          // the folder of the programs
  std::string source;       // the repository: its policies and stubs are used
  std::string folder;       // the working folder, which must be there
  bool test_files = false;  // the skills and stubs of tests/e2e as well
  std::string more_config;  // further lines of tipstaff.yaml
  std::string policies;     // "", or one more folder of skills
  // Not "": the skill and the test systems of tests/e2e/outside, with this timeout. Their accounts
  // (account.h) are in accounts().
  std::string outside;
  // Further upstreams, as lines of tipstaff.yaml below `upstreams:`; see owner.h.
  std::string upstreams = "";
  std::vector<std::string> environment = {};  // "NAME=value", of `tipstaff` and its mediator
  std::vector<ApprovedServer>
      servers;  // MCP servers as upstreams; not with `outside` or `upstreams`
};

struct OpenedRun {
  std::string run, socket, token_file;
};

class Mediator {
 public:
  // Writes tipstaff.yaml and starts; OK once it answers its operator.
  static absl::StatusOr<std::unique_ptr<Mediator>> Start(const MediatorOptions& options);

  // The operator's command line, in the working folder; --config is added.
  absl::StatusOr<Finished> Tipstaff(std::vector<std::string> arguments) const;
  // With --format json, parsed; an exit other than 0 is an error that quotes standard error.
  absl::StatusOr<json::Document> TipstaffJson(std::vector<std::string> arguments) const;
  // Options as for `tipstaff run open`.
  absl::StatusOr<OpenedRun> OpenRun(std::vector<std::string> arguments) const;

  // SIGKILL, and wait.
  void Kill();
  // SIGTERM, and wait; the exit status.
  absl::StatusOr<int> Stop();
  // After Kill() or Stop().
  // `environment`: "NAME=value", for this time only.
  absl::Status StartAgain(const std::vector<std::string>& environment = {});
  // Whether it has ended by itself, as what it was told by `environment` may be.
  bool HasEnded(absl::Duration within = absl::ZeroDuration()) {
    return process_->Wait(within).ok();
  }
  // Whether the operator's socket takes connections; it answers once all runs are restored.
  bool Listens() const;

  const MediatorOptions& options() const { return options_; }
  std::string ledger() const { return options_.folder + "/tipstaff.db"; }
  // Where the operator's socket is, and the mediator's keys.
  std::string admin_socket() const { return options_.folder + "/run/admin.sock"; }
  std::string keys_folder() const { return options_.folder + "/keys"; }
  std::string accounts() const { return options_.folder + "/accounts"; }
  std::string log_file() const { return options_.folder + "/serve.log"; }
  pid_t pid() const { return process_->pid(); }

 private:
  explicit Mediator(MediatorOptions options) : options_(std::move(options)) {}
  const MediatorOptions options_;
  std::optional<Process> process_;
};

}  // namespace tipstaff::harness
