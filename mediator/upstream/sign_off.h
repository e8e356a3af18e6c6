// A person's sign-off for an MCP server as a test system: a DSSE envelope (keys/dsse.h) around
//
//   {"by": PERSON, "configuration": HEX, "pins": HEX, "until": RFC 3339, "upstream": NAME, "why":
//   TEXT}
//
// (canonical JSON) signed with the person's key. It is for exactly this configuration and these
// pins: change either, and nobody has signed for it.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "mediator/config/config.h"
#include "mediator/keys/keys.h"

namespace tipstaff::upstream {

inline constexpr char kSignOffType[] = "application/vnd.tipstaff.upstream-sign-off+json";

struct SignOff {
  std::string upstream;
  std::string by;                    // a person of `people`
  std::string configuration_digest;  // of config::Encode(), hex
  std::string pins_digest;           // of the file's bytes, hex
  absl::Time until;
  std::string why;  // one line, or ""
};

// What is signed.
std::string Payload(const SignOff& sign_off);

// What of `server` a sign-off has to be about.
std::string ConfigurationDigest(const config::McpServer& server);
std::string PinsDigest(absl::string_view pins_text);

// What its owner types to sign for it.
std::string ApproveCommand(const config::McpServer& server);

// Checks the sign-off for `server` with `pins_text` at `now`. `envelope`: the file's text.
// PermissionDenied with what is missing and which command mends it: not signed by the owner's key,
// for another configuration or other pins, expired.
absl::StatusOr<SignOff> CheckSignOff(const config::McpServer& server, absl::string_view pins_text,
                                     absl::string_view envelope,
                                     absl::Span<const config::Person> people, absl::Time now);

}  // namespace tipstaff::upstream
