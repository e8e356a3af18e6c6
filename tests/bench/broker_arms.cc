#include "tests/bench/broker_arms.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <filesystem>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "mediator/base/fd.h"
#include "mediator/base/file.h"
#include "mediator/base/status.h"
#include "mediator/json/write.h"
#include "tests/bench/broker_load.h"
#include "tests/harness/owner.h"

namespace tipstaff::bench {
namespace {

constexpr absl::Duration kStartTime = absl::Seconds(30);

std::string Absolute(const std::string& path) {
  return std::filesystem::absolute(path).lexically_normal().string();
}

std::string ServerProgram(const BrokerOptions& options) {
  return Absolute(options.bin) + "/tipstaff-test-mcp-server";
}

// One that is free now.
absl::StatusOr<uint16_t> FreePort() {
  const base::Fd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (!socket || ::bind(socket.get(), reinterpret_cast<sockaddr*>(&address), size) != 0 ||
      ::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    return base::ErrnoToStatus(errno, "no port of 127.0.0.1 is free");
  }
  return ntohs(address.sin_port);
}

// As their own pages say to start them, with what makes each fastest.
std::vector<std::string> ProxyCommand(const BrokerOptions& options, const std::string& name,
                                      uint16_t port) {
  const std::string modules = options.node_modules, server = ServerProgram(options);
  if (name == kMcpProxy) {
    return {options.node,
            modules + "/mcp-proxy/dist/bin/mcp-proxy.mjs",
            "--host",
            "127.0.0.1",
            "--port",
            absl::StrCat(port),
            "--server",
            "stream",
            "--no-eventStore",
            "--",
            server};
  }
  return {options.node,
          modules + "/supergateway/dist/index.js",
          "--stdio",
          server,
          "--outputTransport",
          "streamableHttp",
          "--stateful",
          "--logLevel",
          "none",
          "--port",
          absl::StrCat(port)};
}

absl::Status Named(const std::string& name, const absl::Status& status) {
  return absl::Status(status.code(), absl::StrCat("arm `", name, "`: ", status.message()));
}

}  // namespace

absl::StatusOr<std::unique_ptr<BrokerArms>> BrokerArms::Start(const BrokerOptions& options,
                                                              const std::string& folder) {
  auto arms = std::make_unique<BrokerArms>();
  TIPSTAFF_RETURN_IF_ERROR(arms->StartDirect(options));
  const std::string http = absl::StrCat("http: {url: ", json::Quote(arms->server_url_), "}");
  const std::string stdio = absl::StrCat("stdio: {command: [", json::Quote(ServerProgram(options)),
                                         "], read: [", json::Quote(Absolute(options.bin)), "]}");
  TIPSTAFF_RETURN_IF_ERROR(arms->StartTipstaff(options, "tipstaff, http", folder + "/h", http));
  TIPSTAFF_RETURN_IF_ERROR(arms->StartTipstaff(options, kTipstaffStdio, folder + "/s", stdio));
  if (options.node_modules.empty()) return arms;
  for (const char* proxy : {kMcpProxy, kSupergateway}) {
    TIPSTAFF_RETURN_IF_ERROR(arms->StartProxy(options, proxy));
  }
  return arms;
}

absl::Status BrokerArms::StartDirect(const BrokerOptions& options) {
  TIPSTAFF_ASSIGN_OR_RETURN(
      harness::Process server,
      harness::Process::Start({ServerProgram(options), "--http", "127.0.0.1:0"}));
  TIPSTAFF_ASSIGN_OR_RETURN(const std::string line, server.ReadLine(kStartTime));
  server_url_ = std::string(absl::StripPrefix(line, "listening on "));
  processes_.push_back(std::move(server));
  TIPSTAFF_RETURN_IF_ERROR(AddHttp("direct, http", server_url_));
  TIPSTAFF_ASSIGN_OR_RETURN(auto stdio, EchoClient::OverStdio({ServerProgram(options)}));
  arms_.push_back(
      {"direct, stdio", [client = std::shared_ptr<EchoClient>(std::move(stdio))](
                            int calls, int in_flight) { return client->Run(calls, in_flight); }});
  return absl::OkStatus();
}

absl::Status BrokerArms::AddHttp(const std::string& name, const std::string& url) {
  auto connected = EchoClient::OverHttp(url, kStartTime);
  if (!connected.ok()) return Named(name, connected.status());
  arms_.push_back({name, [client = std::shared_ptr<EchoClient>(*std::move(connected))](
                             int calls, int in_flight) { return client->Run(calls, in_flight); }});
  return absl::OkStatus();
}

absl::Status BrokerArms::StartTipstaff(const BrokerOptions& options, const std::string& name,
                                       const std::string& folder, const std::string& upstream) {
  std::filesystem::create_directories(folder);
  TIPSTAFF_ASSIGN_OR_RETURN(const std::string people, harness::ConfigOfDana(folder));
  harness::MediatorOptions mediator;
  mediator.bin = Absolute(options.bin);
  mediator.source = Absolute(options.source);
  mediator.folder = folder;
  mediator.more_config = people;
  mediator.policies = Absolute(options.source + "/tests/bench/broker/policies");
  mediator.upstreams = absl::StrCat("  fix: {", upstream, ", owner: dana}\n");
  auto started = harness::Mediator::Start(mediator);
  if (!started.ok()) return Named(name, started.status());
  const harness::Mediator& running = *mediators_.emplace_back(*std::move(started));
  TIPSTAFF_RETURN_IF_ERROR(harness::MakeUsable(running, "fix", {{"echo", "read"}}));
  TIPSTAFF_ASSIGN_OR_RETURN(const harness::OpenedRun run, running.OpenRun({"--skill", "echo"}));
  // It says where it listens on standard error.
  TIPSTAFF_ASSIGN_OR_RETURN(const uint16_t port, FreePort());
  const std::string address = absl::StrCat("127.0.0.1:", port);
  TIPSTAFF_ASSIGN_OR_RETURN(
      harness::Process guest,
      harness::Process::Start({mediator.bin + "/tipstaff-guest", "--connect", run.socket,
                               "--token-file", run.token_file, "--http", address},
                              {.stderr_file = folder + "/guest.log"}));
  processes_.push_back(std::move(guest));
  return AddHttp(name, absl::StrCat("http://", address, "/mcp"));
}

absl::Status BrokerArms::StartProxy(const BrokerOptions& options, const std::string& name) {
  TIPSTAFF_ASSIGN_OR_RETURN(const uint16_t port, FreePort());
  const std::vector<std::string> command = ProxyCommand(options, name, port);
  if (!std::filesystem::exists(command[1])) {
    return absl::NotFoundError(
        absl::StrCat("there is no `", command[1], "`: ./dev setup bench, or --node-modules none"));
  }
  TIPSTAFF_ASSIGN_OR_RETURN(harness::Process process, harness::Process::Start(command));
  processes_.push_back(std::move(process));
  return AddHttp(name, absl::StrCat("http://127.0.0.1:", port, "/mcp"));
}

}  // namespace tipstaff::bench
