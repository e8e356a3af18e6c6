#include "tests/e2e/upstream_fixture.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "mediator/json/write.h"
#include "tests/harness/processes.h"

namespace tipstaff::e2e {
namespace {

constexpr char kProgram[] = TIPSTAFF_BIN_DIR "/tipstaff-test-mcp-server";

}  // namespace

HttpServer::HttpServer(std::vector<std::string> flags, const std::string& stderr_file) {
  flags.insert(flags.begin(), {kProgram, "--http", "127.0.0.1:0"});
  process_.emplace(Must(harness::Process::Start(flags, {.stderr_file = stderr_file})));
  const std::string line = Must(process_->ReadLine(absl::Seconds(20)));
  absl::string_view url = line;
  if (!absl::ConsumePrefix(&url, "listening on ")) throw std::runtime_error(line);
  url_ = std::string(url);
}

std::string HttpLine(const std::string& name, const std::string& url, const std::string& more) {
  return absl::StrCat("  ", name, ": {http: {url: ", json::Quote(url), "}, owner: dana", more,
                      "}\n");
}

std::vector<harness::Effect> Reads() {
  std::vector<harness::Effect> reads;
  for (const char* tool :
       {"test_simple_text", "test_image_content", "test_error_handling", "test_tool_with_progress",
        "test_tool_with_logging", "structured", "echo", "big", "slow", "tell_credential"}) {
    reads.push_back({tool, "read"});
  }
  return reads;
}

std::string UpstreamTest::StdioLine(const std::string& name, const std::vector<std::string>& flags,
                                    const std::string& more, const std::string& stdio_more) const {
  std::string command = json::Quote(kProgram);
  for (const std::string& flag : flags) absl::StrAppend(&command, ", ", json::Quote(flag));
  return absl::StrCat("  ", name, ": {stdio: {command: [", command, "], read: [",
                      json::Quote(TIPSTAFF_BIN_DIR),
                      "], env: {TIPSTAFF_TEST_MARK: ", json::Quote(folder()), "}", stdio_more,
                      "}, owner: dana", more, "}\n");
}

void UpstreamTest::StartWith(const std::string& upstreams,
                             const std::vector<std::string>& environment) {
  harness::MediatorOptions options;
  options.more_config = Must(harness::ConfigOfDana(folder()));
  options.policies = TIPSTAFF_SOURCE_DIR "/tests/e2e/upstreams/policies";
  options.upstreams = upstreams;
  options.environment = environment;
  Start(options);
}

void UpstreamTest::StartUsable(const std::string& line,
                               const std::vector<std::string>& environment) {
  StartWith(line, environment);
  Must(harness::MakeUsable(mediator(), "fix", Reads()));
}

bool UpstreamTest::AllAreGone() const {
  return Await([&] { return harness::ProcessesWith(Mark()).empty(); }, absl::Seconds(20));
}

}  // namespace tipstaff::e2e
