// A scripted agent: an MCP client that speaks to tipstaff-guest over stdio.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "mediator/json/document.h"
#include "tests/harness/mediator.h"
#include "tests/harness/process.h"

namespace tipstaff::harness {

// What a tools/call came to.
struct CallResult {
  bool is_error = false;
  std::string text;         // of the first content block
  std::string decision_id;  // from _meta["tipstaff/decision"]
  std::string verdict, reason;
  json::Document result;  // the whole result, or the JSON-RPC error object
};

class Agent {
 public:
  // Starts tipstaff-guest for the run and says initialize.
  static absl::StatusOr<std::unique_ptr<Agent>> Start(const std::string& bin, const OpenedRun& run,
                                                      const std::string& stderr_file = "");
  // Likewise, with a command that ends up in tipstaff-guest.
  static absl::StatusOr<std::unique_ptr<Agent>> StartCommand(
      const std::vector<std::string>& command, const ProcessOptions& options);

  // Published names, as tools/list gives them.
  absl::StatusOr<std::vector<std::string>> ListTools();
  absl::StatusOr<CallResult> Call(const std::string& tool, const std::string& arguments_json);
  // Any request; its result, or its error as a status.
  absl::StatusOr<json::Document> Request(const std::string& method, const std::string& params);
  absl::Status Send(const std::string& line);
  absl::StatusOr<json::Document> Receive();

  Process& process() { return process_; }

 private:
  explicit Agent(Process process) : process_(std::move(process)) {}
  // The response to `id`; notifications on the way are dropped.
  absl::StatusOr<json::Document> Response(int64_t id);

  Process process_;
  int64_t next_id_ = 1;
};

}  // namespace tipstaff::harness
