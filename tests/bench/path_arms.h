// What is measured: servers that run, and clients connected to them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tests/bench/arm.h"
#include "tests/bench/path_load.h"
#include "tests/bench/path_options.h"
#include "tests/bench/process.h"

namespace tipstaff::bench {

// Ends its processes on destruction.
class Arms {
 public:
  // Starts all that `options` ask for, in a fresh folder below options.folder.
  static absl::StatusOr<std::unique_ptr<Arms>> Start(const PathOptions& options,
                                                     const std::string& folder);
  // The first two are "direct" and "relay".
  const std::vector<Arm>& all() const { return arms_; }

 private:
  absl::Status StartBaselines(const std::string& folder);
  absl::Status StartTipstaff(const PathOptions& options, const std::string& folder);
  absl::Status AddSync(const std::string& folder);
  absl::Status Connect(const std::string& name, const std::string& socket);
  void Add(const std::string& name, std::shared_ptr<LoadClient> client, Workload workload);

  std::vector<Process> processes_;
  std::vector<Arm> arms_;
};

}  // namespace tipstaff::bench
