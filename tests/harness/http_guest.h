// tipstaff-guest on a loopback port, for MCP clients that speak HTTP.
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "tests/harness/mediator.h"
#include "tests/harness/process.h"

namespace tipstaff::harness {

// Ends with the object.
class HttpGuest {
 public:
  // OK once it listens; its standard error goes to `stderr_file`, which must be new.
  static absl::StatusOr<std::unique_ptr<HttpGuest>> Start(const std::string& bin,
                                                          const OpenedRun& run,
                                                          const std::string& stderr_file);

  // "http://127.0.0.1:PORT/mcp"
  const std::string& url() const { return url_; }

 private:
  HttpGuest(Process process, std::string url)
      : process_(std::move(process)), url_(std::move(url)) {}

  Process process_;
  const std::string url_;
};

}  // namespace tipstaff::harness
