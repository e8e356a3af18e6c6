// tipstaff-guest: see README.md. Exit codes: 0 the client closed (HTTP: ended by a signal),
// 2 bad arguments or token, 5 the address cannot be listened on.
#include <malloc.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "guest-agent/agent.h"
#include "guest-agent/http_server.h"
#include "guest-agent/options.h"
#include "guest-agent/token.h"
#include "mediator/base/escape.h"
#include "mediator/transport/dial/dial.h"

namespace {

namespace agent = tipstaff::guest_agent;

constexpr int kInvalid = 2;
constexpr int kCannotRun = 5;
constexpr size_t kLogColumns = 500;

constexpr char kInstructions[] =
    "Each call is checked against what this run permits, and recorded. A refused call comes back "
    "as "
    "an error result that says why; the same call again is refused again unless the result says "
    "otherwise.";

// One write a line, as several threads log. Nothing is logged that holds arguments or the token.
void Log(absl::string_view text) {
  const std::string line =
      absl::StrCat("tipstaff-guest: ", tipstaff::base::EscapeAndCut(text, kLogColumns), "\n");
  if (::write(STDERR_FILENO, line.data(), line.size()) < 0) return;  // nobody to tell
}

int Fail(const absl::Status& status) {
  Log(status.message());
  return kInvalid;
}

std::optional<std::string> Variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? std::nullopt : std::make_optional<std::string>(value);
}

int ServeHttp(const agent::Options& options, const tipstaff::mcp::ServerInfo& info,
              const agent::Connection::Dial& dial, const agent::Connection::Token& run_token) {
  std::string token;
  if (!options.http_token_file.empty()) {
    absl::StatusOr<std::string> read =
        agent::ReadToken(options.http_token_file, "HTTP token", "--http-token-file");
    if (!read.ok()) return Fail(read.status());
    token = *std::move(read);
  }
  const auto server =
      agent::HttpServer::Listen(*options.http, std::move(token), info, dial, run_token, Log);
  if (!server.ok()) {
    Log(server.status().message());
    return kCannotRun;
  }
  Log(absl::StrCat("listening on ", (*server)->url()));
  (*server)->Run();
  return 0;
}

int Serve(const agent::Options& options) {
  const absl::StatusOr<std::string> first_token = agent::ReadToken(options.token_file);
  if (!first_token.ok()) return Fail(first_token.status());
  // Its file may be renewed, or be gone by the time of a later Hello.
  const auto token = [&]() -> absl::StatusOr<std::string> {
    absl::StatusOr<std::string> renewed = agent::ReadToken(options.token_file);
    return absl::IsNotFound(renewed.status()) ? first_token : renewed;
  };
  const auto dial = [&] {
    return options.vsock ? tipstaff::transport::DialVsock(options.vsock->cid, options.vsock->port)
                         : tipstaff::transport::DialUnix(options.socket);
  };
  const tipstaff::mcp::ServerInfo info = {"tipstaff-guest", TIPSTAFF_VERSION, kInstructions};
  if (options.http) return ServeHttp(options, info, dial, token);
  agent::Agent server(STDIN_FILENO, STDOUT_FILENO, info, dial, token, Log);
  server.Run();
  return 0;
}

// Without a fixed threshold glibc keeps what a large result needed, in an arena for each thread.
void KeepMemorySmall() {
  constexpr int kMmapThreshold = 64 << 10;
  ::mallopt(M_MMAP_THRESHOLD, kMmapThreshold);
  ::mallopt(M_TRIM_THRESHOLD, kMmapThreshold);
  ::mallopt(M_ARENA_MAX, 2);
}

}  // namespace

int main(int argc, char** argv) {
  KeepMemorySmall();
  ::signal(SIGPIPE, SIG_IGN);
  const absl::StatusOr<agent::Options> options =
      agent::ParseOptions(std::vector<std::string>(argv + 1, argv + argc), Variable);
  if (!options.ok()) return Fail(options.status());
  if (options->help || options->version) {
    std::fputs(options->help ? agent::HelpText().c_str() : "tipstaff-guest " TIPSTAFF_VERSION "\n",
               stdout);
    return 0;
  }
  return Serve(*options);
}
