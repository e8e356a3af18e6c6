#include "tests/harness/agent.h"

#include "absl/strings/str_cat.h"
#include "mediator/base/status.h"
#include "mediator/json/builder.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"

namespace tipstaff::harness {
namespace {

constexpr absl::Duration kPatience = absl::Seconds(40);

absl::StatusOr<json::Document> CopyOf(json::Value value) {
  json::Builder b(4 * json::kMaxDepth);
  b.Copy(value);
  return std::move(b).Build();
}

}  // namespace

absl::StatusOr<std::unique_ptr<Agent>> Agent::Start(const std::string& bin, const OpenedRun& run,
                                                    const std::string& stderr_file) {
  return StartCommand(
      {bin + "/tipstaff-guest", "--connect", run.socket, "--token-file", run.token_file},
      {.stderr_file = stderr_file});
}

absl::StatusOr<std::unique_ptr<Agent>> Agent::StartCommand(const std::vector<std::string>& command,
                                                           const ProcessOptions& options) {
  TIPSTAFF_ASSIGN_OR_RETURN(Process process, Process::Start(command, options));
  std::unique_ptr<Agent> agent(new Agent(std::move(process)));
  TIPSTAFF_RETURN_IF_ERROR(agent
                               ->Request("initialize",
                                         R"({"protocolVersion":"2025-11-25","capabilities":{},)"
                                         R"("clientInfo":{"name":"scripted-agent","version":"1"}})")
                               .status());
  TIPSTAFF_RETURN_IF_ERROR(
      agent->Send(R"({"jsonrpc":"2.0","method":"notifications/initialized"})"));
  return agent;
}

absl::Status Agent::Send(const std::string& line) {
  return process_.Write(absl::StrCat(line, "\n"));
}

absl::StatusOr<json::Document> Agent::Receive() {
  TIPSTAFF_ASSIGN_OR_RETURN(const std::string line, process_.ReadLine(kPatience));
  return json::Parse(line, {.max_depth = 4 * json::kMaxDepth});
}

absl::StatusOr<json::Document> Agent::Response(int64_t id) {
  for (;;) {
    TIPSTAFF_ASSIGN_OR_RETURN(json::Document message, Receive());
    if (message.root().IntegerOr("id", -1) == id) return message;
  }
}

absl::StatusOr<json::Document> Agent::Request(const std::string& method,
                                              const std::string& params) {
  const int64_t id = next_id_++;
  TIPSTAFF_RETURN_IF_ERROR(Send(absl::StrCat(R"({"jsonrpc":"2.0","id":)", id, R"(,"method":)",
                                             json::Quote(method), R"(,"params":)", params, "}")));
  TIPSTAFF_ASSIGN_OR_RETURN(const json::Document response, Response(id));
  if (const json::Value error = response.root().Find("error"); error.exists()) {
    return absl::InvalidArgumentError(json::Dump(error));
  }
  return CopyOf(response.root().Find("result"));
}

absl::StatusOr<std::vector<std::string>> Agent::ListTools() {
  TIPSTAFF_ASSIGN_OR_RETURN(const json::Document result, Request("tools/list", "{}"));
  std::vector<std::string> names;
  for (json::Value tool : result.root().Find("tools").items()) {
    names.emplace_back(tool.StringOr("name", ""));
  }
  return names;
}

absl::StatusOr<CallResult> Agent::Call(const std::string& tool, const std::string& arguments_json) {
  TIPSTAFF_ASSIGN_OR_RETURN(
      json::Document result,
      Request("tools/call", absl::StrCat(R"({"name":)", json::Quote(tool), R"(,"arguments":)",
                                         arguments_json, "}")));
  const json::Value root = result.root();
  const json::Value decision = root.Find("_meta").Find("tipstaff/decision");
  CallResult call;
  call.is_error = root.BoolOr("isError", false);
  call.text = std::string(root.Find("content").At(0).StringOr("text", ""));
  call.decision_id = std::string(decision.StringOr("id", ""));
  call.verdict = std::string(decision.StringOr("verdict", ""));
  call.reason = std::string(decision.StringOr("reason", ""));
  call.result = std::move(result);
  return call;
}

}  // namespace tipstaff::harness
