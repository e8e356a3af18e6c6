#include "tests/bench/path_arms.h"

#include <algorithm>

#include "mediator/base/status.h"
#include "tests/bench/path_sync.h"
#include "tests/bench/path_tipstaff.h"

namespace tipstaff::bench {
namespace {

constexpr size_t kArgumentsBytes = 1024;
constexpr int kMaxSyncs = 500;  // in one round
constexpr absl::Duration kStartTime = absl::Seconds(10);

}  // namespace

absl::StatusOr<std::unique_ptr<Arms>> Arms::Start(const PathOptions& options,
                                                  const std::string& folder) {
  auto arms = std::make_unique<Arms>();
  TIPSTAFF_RETURN_IF_ERROR(arms->StartBaselines(folder));
  if (!options.tipstaff_bin.empty()) {
    TIPSTAFF_RETURN_IF_ERROR(arms->StartTipstaff(options, folder));
  }
  TIPSTAFF_RETURN_IF_ERROR(arms->AddSync(folder));
  return arms;
}

absl::Status Arms::StartBaselines(const std::string& folder) {
  const std::string echo = folder + "/echo.sock", relay = folder + "/relay.sock";
  const std::vector<std::string> commands[] = {
      {OwnPath(), "--serve-echo", echo},
      {OwnPath(), "--serve-relay", relay, echo, folder + "/relay.db"}};
  for (const std::vector<std::string>& command : commands) {
    TIPSTAFF_ASSIGN_OR_RETURN(Process process, Process::Start(command));
    TIPSTAFF_RETURN_IF_ERROR(process.ReadLine(kStartTime).status());
    processes_.push_back(std::move(process));
  }
  TIPSTAFF_RETURN_IF_ERROR(Connect("direct", echo));
  return Connect("relay", relay);
}

absl::Status Arms::Connect(const std::string& name, const std::string& socket) {
  TIPSTAFF_ASSIGN_OR_RETURN(auto client, LoadClient::Connect(socket));
  Add(name, std::move(client), {"reports.get_report", [](uint64_t number) {
                                  return PaddedArguments(number, kArgumentsBytes);
                                }});
  return absl::OkStatus();
}

absl::Status Arms::StartTipstaff(const PathOptions& options, const std::string& folder) {
  TIPSTAFF_ASSIGN_OR_RETURN(Mediator mediator, StartMediator(options, folder));
  processes_.push_back(std::move(mediator.process));
  TIPSTAFF_ASSIGN_OR_RETURN(auto connected, LoadClient::Connect(mediator.socket));
  const std::shared_ptr<LoadClient> client = std::move(connected);
  TIPSTAFF_RETURN_IF_ERROR(client->Hello(mediator.token));
  const std::string id = options.report_id;
  Add("tipstaff read", client,
      {"reports.get_report", [id](uint64_t) { return ReadArguments(id); }});
  Add("tipstaff write", client, {"reports.attach_evidence", [id](uint64_t number) {
                                   return WriteArguments(id, number, kArgumentsBytes);
                                 }});
  return absl::OkStatus();
}

absl::Status Arms::AddSync(const std::string& folder) {
  TIPSTAFF_ASSIGN_OR_RETURN(auto opened, SyncProbe::Open(folder + "/sync"));
  const std::shared_ptr<SyncProbe> probe = std::move(opened);
  arms_.push_back(
      {"bare sync", [probe](int calls, int) { return probe->Run(std::min(calls, kMaxSyncs)); }});
  return absl::OkStatus();
}

void Arms::Add(const std::string& name, std::shared_ptr<LoadClient> client, Workload workload) {
  arms_.push_back({name, [client, workload](int calls, int in_flight) {
                     return client->Run(workload, calls, in_flight);
                   }});
}

}  // namespace tipstaff::bench
