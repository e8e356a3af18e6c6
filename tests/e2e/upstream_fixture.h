// What the tests of MCP servers begin with: tipstaff-test-mcp-server behind a mediator.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/time/clock.h"
#include "tests/e2e/fixture.h"
#include "tests/harness/owner.h"

namespace tipstaff::e2e {

// tipstaff-test-mcp-server over HTTP, on a port of its own; it ends with the object.
class HttpServer {
 public:
  explicit HttpServer(std::vector<std::string> flags, const std::string& stderr_file = "");
  const std::string& url() const { return url_; }
  harness::Process& process() { return *process_; }

 private:
  std::optional<harness::Process> process_;
  std::string url_;
};

// A line of tipstaff.yaml below `upstreams:`. `more`: ", stop: killable" and the like.
std::string HttpLine(const std::string& name, const std::string& url, const std::string& more = "");

// The tools that only read, as an owner classifies them; the others are writes.
std::vector<harness::Effect> Reads();

class UpstreamTest : public E2eTest {
 protected:
  // A process for each run. `stdio_more`: ", unconfined: \"why\"" and the like.
  std::string StdioLine(const std::string& name, const std::vector<std::string>& flags,
                        const std::string& more = "", const std::string& stdio_more = "") const;
  // The mediator with these upstreams, and the skills of tests/e2e/upstreams.
  void StartWith(const std::string& upstreams, const std::vector<std::string>& environment = {});
  // The same with one server, `fix`, pinned and approved.
  void StartUsable(const std::string& line, const std::vector<std::string>& environment = {});
  harness::OpenedRun OpenFixture() { return Open({"--skill", "fixture-work"}); }

  // In the environment of every server process of this test.
  std::string Mark() const { return "TIPSTAFF_TEST_MARK=" + folder(); }
  // No process of a server is there any more, or soon.
  bool AllAreGone() const;
  template <typename Holds>
  static bool Await(Holds holds, absl::Duration patience = absl::Seconds(60)) {
    const absl::Time deadline = absl::Now() + patience;
    while (!holds()) {
      if (absl::Now() > deadline) return false;
      absl::SleepFor(absl::Milliseconds(10));
    }
    return true;
  }
};

}  // namespace tipstaff::e2e
