#include "tests/harness/http_guest.h"

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "mediator/base/file.h"
#include "mediator/base/status.h"

namespace tipstaff::harness {
namespace {

constexpr absl::Duration kReady = absl::Seconds(20);

// The address in a whole line of what it has said so far; "" when there is none yet.
std::string UrlIn(const std::string& said) {
  const size_t begin = said.find("http://");
  if (begin == std::string::npos) return "";
  const size_t end = said.find_first_of(" \n", begin);
  return end == std::string::npos ? "" : said.substr(begin, end - begin);
}

}  // namespace

absl::StatusOr<std::unique_ptr<HttpGuest>> HttpGuest::Start(const std::string& bin,
                                                            const OpenedRun& run,
                                                            const std::string& stderr_file) {
  TIPSTAFF_ASSIGN_OR_RETURN(
      Process process, Process::Start({bin + "/tipstaff-guest", "--http", "127.0.0.1:0",
                                       "--connect", run.socket, "--token-file", run.token_file},
                                      {.stderr_file = stderr_file}));
  const absl::Time deadline = absl::Now() + kReady;
  for (;;) {
    const std::string said = base::ReadFile(stderr_file).value_or("");
    if (std::string url = UrlIn(said); !url.empty()) {
      return std::unique_ptr<HttpGuest>(new HttpGuest(std::move(process), std::move(url)));
    }
    if (process.Wait(absl::ZeroDuration()).ok() || absl::Now() > deadline) {
      return absl::UnavailableError(absl::StrCat("tipstaff-guest does not listen: ", said));
    }
    absl::SleepFor(absl::Milliseconds(5));
  }
}

}  // namespace tipstaff::harness
