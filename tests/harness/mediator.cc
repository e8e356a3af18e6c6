#include "tests/harness/mediator.h"

#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/clock.h"
#include "mediator/base/file.h"
#include "mediator/base/status.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"

namespace tipstaff::harness {
namespace {

constexpr absl::Duration kReady = absl::Seconds(20);

// A list of those that are not empty.
std::string List(std::initializer_list<std::string> folders) {
  std::vector<std::string> quoted;
  for (const std::string& folder : folders) {
    if (!folder.empty()) quoted.push_back(json::Quote(folder));
  }
  return absl::StrCat("[", absl::StrJoin(quoted, ", "), "]");
}

// One test system for each stop kind, and one that takes results.
std::string Outside(const MediatorOptions& options) {
  std::string text;
  for (const auto& [name, stop] : {std::pair("killable", "killable"),
                                   {"queryable", "queryable"},
                                   {"unstoppable", "none"},
                                   {"receiver", "none"}}) {
    absl::StrAppend(&text, "  ", name, ":\n    test_system:\n      command: [",
                    json::Quote(options.bin + "/tipstaff-test-system"),
                    ", --accounts, accounts]\n      tools: ",
                    json::Quote(options.source + "/tests/e2e/outside/board.yaml"),
                    "\n      stop: ", stop, "\n      timeout: ", options.outside, "\n");
  }
  return text;
}

std::string ConfigText(const MediatorOptions& options) {
  const std::string tests = options.source + "/tests/e2e";
  const bool outside = !options.outside.empty();
  const std::string upstreams = absl::StrCat(outside ? Outside(options) : "", options.upstreams);
  return absl::StrCat(
      "channels:\n  runs: run\n", options.more_config, "admin: run/admin.sock\n",
      "ledger: tipstaff.db\n", "policies: ",
      List({options.source + "/policies", options.test_files ? tests + "/policies" : "",
            outside ? tests + "/outside/policies" : "", options.policies}),
      "\n",
      "stubs: ", List({options.source + "/stubs", options.test_files ? tests + "/stubs" : ""}),
      "\n", upstreams.empty() ? "" : absl::StrCat("upstreams:\n", upstreams),
      ServersConfig(options.servers));
}

}  // namespace

absl::StatusOr<std::unique_ptr<Mediator>> Mediator::Start(const MediatorOptions& options) {
  TIPSTAFF_RETURN_IF_ERROR(base::WriteFile(options.folder + "/tipstaff.yaml", ConfigText(options)));
  std::unique_ptr<Mediator> mediator(new Mediator(options));
  std::filesystem::create_directories(mediator->accounts());
  TIPSTAFF_RETURN_IF_ERROR(ApproveServers(*mediator, options.servers));
  TIPSTAFF_RETURN_IF_ERROR(mediator->StartAgain());
  return mediator;
}

absl::Status Mediator::StartAgain(const std::vector<std::string>& environment) {
  process_.reset();
  std::vector<std::string> all = options_.environment;
  all.insert(all.end(), environment.begin(), environment.end());
  TIPSTAFF_ASSIGN_OR_RETURN(
      Process process,
      Process::Start({options_.bin + "/tipstaff", "serve", "--config", "tipstaff.yaml"},
                     {.folder = options_.folder, .environment = all, .stderr_file = log_file()}));
  process_.emplace(std::move(process));
  const absl::Time deadline = absl::Now() + kReady;
  while (!Listens()) {
    if (process_->Wait(absl::ZeroDuration()).ok() || absl::Now() > deadline) {
      return absl::UnavailableError(absl::StrCat("the mediator does not start; its log:\n",
                                                 base::ReadFile(log_file()).value_or("")));
    }
    absl::SleepFor(absl::Milliseconds(5));
  }
  // The socket is there before the runs are restored; it answers afterwards.
  TIPSTAFF_ASSIGN_OR_RETURN(const Finished listed, Tipstaff({"run", "list"}));
  return listed.status == 0 ? absl::OkStatus() : absl::UnavailableError(listed.err);
}

bool Mediator::Listens() const {
  const std::string path = admin_socket();
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) return false;
  std::memcpy(address.sun_path, path.c_str(), path.size());
  const base::Fd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  return ::connect(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
}

absl::StatusOr<Finished> Mediator::Tipstaff(std::vector<std::string> arguments) const {
  std::vector<std::string> command = {options_.bin + "/tipstaff"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  // Options come before "--": what follows it is another command's.
  const auto dashes = std::find(command.begin(), command.end(), "--");
  const std::string config[] = {"--config", options_.folder + "/tipstaff.yaml"};
  command.insert(dashes, std::begin(config), std::end(config));
  return RunCommand(command, {.folder = options_.folder, .environment = options_.environment});
}

absl::StatusOr<json::Document> Mediator::TipstaffJson(std::vector<std::string> arguments) const {
  arguments.insert(arguments.end(), {"--format", "json"});
  TIPSTAFF_ASSIGN_OR_RETURN(const Finished finished, Tipstaff(arguments));
  if (finished.status != 0) {
    return absl::InternalError(absl::StrCat("`tipstaff ", arguments[0], "` exited with ",
                                            finished.status, ": ", finished.err));
  }
  return json::Parse(finished.out, {.max_depth = 4 * json::kMaxDepth});
}

absl::StatusOr<OpenedRun> Mediator::OpenRun(std::vector<std::string> arguments) const {
  arguments.insert(arguments.begin(), {"run", "open"});
  TIPSTAFF_ASSIGN_OR_RETURN(const json::Document opened, TipstaffJson(std::move(arguments)));
  const json::Value root = opened.root();
  return OpenedRun{std::string(root.StringOr("run", "")), std::string(root.StringOr("socket", "")),
                   std::string(root.StringOr("token_file", ""))};
}

void Mediator::Kill() {
  process_->Signal(SIGKILL);
  (void)process_->Wait(absl::Seconds(10));
}

absl::StatusOr<int> Mediator::Stop() {
  process_->Signal(SIGTERM);
  return process_->Wait(absl::Seconds(10));
}

}  // namespace tipstaff::harness
