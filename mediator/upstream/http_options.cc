#include <unistd.h>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "mediator/base/status.h"
#include "mediator/upstream/header_value.h"
#include "mediator/upstream/http_transport.h"
#include "mediator/upstream/http_url.h"

namespace tipstaff::upstream {
namespace {

// Those that the protocol or the connection needs.
bool IsOurs(absl::string_view header) {
  const std::string name = absl::AsciiStrToLower(header);
  for (const char* ours : {"accept", "accept-encoding", "connection", "content-encoding",
                           "content-length", "content-type", "expect", "host", "te", "trailer",
                           "transfer-encoding", "upgrade", "user-agent"}) {
    if (name == ours) return true;
  }
  return absl::StartsWith(name, "mcp-");
}

}  // namespace

absl::Status CheckHttpOptions(const HttpOptions& options) {
  TIPSTAFF_RETURN_IF_ERROR(CheckUrl(options.url));
  if (!options.ca_file.empty() && ::access(options.ca_file.c_str(), R_OK) != 0) {
    return absl::NotFoundError(absl::StrCat("the file of trusted certificates `",
                                            base::Escape(options.ca_file), "` cannot be read"));
  }
  if (options.connect_timeout < absl::Milliseconds(1) || options.connect_timeout > absl::Hours(1)) {
    return absl::InvalidArgumentError("the time to connect is not between 1ms and 1h");
  }
  const std::string& header = options.credential_header;
  if (header.empty()) {
    if (options.credential_value.empty()) return absl::OkStatus();
    return absl::InvalidArgumentError(
        "there is a credential, and no header that it is to be sent in");
  }
  if (!IsHeaderName(header) || IsOurs(header)) {
    return absl::InvalidArgumentError(
        absl::StrCat("`", base::Escape(header), "` is no header that a credential can be sent in"));
  }
  if (options.credential_value.empty() || !IsPlainValue(options.credential_value)) {
    return absl::InvalidArgumentError(
        absl::StrCat("the credential for the header `", header,
                     "` is empty, or has a space at an end, a line feed or another character that "
                     "no header may have"));
  }
  return absl::OkStatus();
}

}  // namespace tipstaff::upstream
