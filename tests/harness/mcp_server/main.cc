// tipstaff-test-mcp-server: see README.md and --help.
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>

#include "absl/strings/str_cat.h"
#include "tests/harness/mcp_server/http.h"
#include "tests/harness/mcp_server/stdio.h"

namespace tipstaff::mcp_server {
namespace {

// It stays in this process's group, keeps its descriptors, and ends by itself in the end, so that
// a test that fails leaves nothing behind for long.
void LeaveChild(const std::string& file) {
  constexpr unsigned kSeconds = 120;
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGTERM, SIG_IGN);
    ::signal(SIGHUP, SIG_IGN);
    for (unsigned left = kSeconds; left > 0;) left = ::sleep(left);
    ::_exit(0);
  }
  if (std::FILE* out = std::fopen(file.c_str(), "w"); out != nullptr) {
    std::fprintf(out, "%d\n", static_cast<int>(child));
    std::fclose(out);
  }
}

int Main(const std::vector<std::string>& arguments) {
  if (arguments.size() == 1 && arguments[0] == "--help") {
    std::fputs(Usage().c_str(), stdout);
    return 0;
  }
  const absl::StatusOr<Options> options = ParseOptions(arguments);
  if (!options.ok()) {
    std::fprintf(stderr, "tipstaff-test-mcp-server: %s\n",
                 std::string(options.status().message()).c_str());
    return 2;
  }
  ::signal(SIGPIPE, SIG_IGN);
  if (!options->leave_child.empty()) LeaveChild(options->leave_child);
  if (options->stderr_flood) {
    const std::string line(1023, 'e');
    for (int i = 0; i < 4096; ++i) std::fprintf(stderr, "%s\n", line.c_str());
  }
  return options->http.empty() ? ServeStdio(*options) : ServeHttp(*options);
}

}  // namespace
}  // namespace tipstaff::mcp_server

int main(int argc, char** argv) {
  return tipstaff::mcp_server::Main(std::vector<std::string>(argv + 1, argv + argc));
}
