// What bench_broker measures: an MCP server by itself, and behind Tipstaff and two other proxies.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tests/bench/arm.h"
#include "tests/bench/broker_options.h"
#include "tests/harness/mediator.h"
#include "tests/harness/process.h"

namespace tipstaff::bench {

inline constexpr char kMcpProxy[] = "mcp-proxy, stdio";
inline constexpr char kSupergateway[] = "supergateway, stdio";
inline constexpr char kTipstaffStdio[] = "tipstaff, stdio";

// Ends its processes on destruction.
class BrokerArms {
 public:
  // Starts all, in `folder`, which is fresh.
  static absl::StatusOr<std::unique_ptr<BrokerArms>> Start(const BrokerOptions& options,
                                                           const std::string& folder);
  const std::vector<Arm>& all() const { return arms_; }

 private:
  absl::Status StartDirect(const BrokerOptions& options);
  // A mediator of its own with `upstream` (a mapping in YAML), and a guest agent before it.
  absl::Status StartTipstaff(const BrokerOptions& options, const std::string& name,
                             const std::string& folder, const std::string& upstream);
  absl::Status StartProxy(const BrokerOptions& options, const std::string& name);
  absl::Status AddHttp(const std::string& name, const std::string& url);

  std::string server_url_;  // of the one that is reached directly
  std::vector<std::unique_ptr<harness::Mediator>> mediators_;
  std::vector<harness::Process> processes_;
  std::vector<Arm> arms_;
};

}  // namespace tipstaff::bench
