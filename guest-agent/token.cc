#include "guest-agent/token.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "mediator/base/file.h"
#include "mediator/base/status.h"

namespace tipstaff::guest_agent {
namespace {

constexpr size_t kMaxTokenBytes = 16 << 10;

}  // namespace

absl::StatusOr<std::string> ReadToken(const std::string& path, absl::string_view what,
                                      absl::string_view option) {
  const absl::StatusOr<std::string> content = base::ReadFile(path, kMaxTokenBytes);
  if (!content.ok()) {
    return absl::Status(content.status().code(),
                        absl::StrCat("no ", what, ": ", content.status().message(),
                                     "; name the file with `", option, "`"));
  }
  const std::string token(absl::StripAsciiWhitespace(*content));
  const auto refuse = [&](absl::string_view why) {
    return absl::InvalidArgumentError(absl::StrCat("the ", what, " in `", path, "` ", why));
  };
  if (token.empty()) return refuse("is empty: write the token into it");
  if (absl::StartsWith(token, "${")) {
    return refuse("begins with `${`: the variable was not expanded; write the token itself");
  }
  if (!std::all_of(token.begin(), token.end(), [](char c) { return absl::ascii_isgraph(c); })) {
    return refuse("has white space, control or other characters that no token has");
  }
  return token;
}

}  // namespace tipstaff::guest_agent
