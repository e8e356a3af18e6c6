// Protocol revisions. Source: modelcontextprotocol.io, "Versioning and Compatibility" (2026-07-28).
#pragma once

#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace tipstaff::mcp {

enum class Generation {
  kLegacy,  // an `initialize` handshake fixes the version for the session
  kModern,  // each request says its version in `_meta`
};

// Newest first.
absl::Span<const absl::string_view> LegacyVersions();
absl::Span<const absl::string_view> ModernVersions();

bool IsLegacyVersion(absl::string_view version);
bool IsModernVersion(absl::string_view version);

// The answer to a client that proposes `version` in `initialize`: the same when it is known, else
// the newest legacy one.
absl::string_view NegotiateLegacy(absl::string_view version);

// Keys of `_meta`.
inline constexpr absl::string_view kProtocolVersionKey = "io.modelcontextprotocol/protocolVersion";
inline constexpr absl::string_view kClientCapabilitiesKey =
    "io.modelcontextprotocol/clientCapabilities";
inline constexpr absl::string_view kClientInfoKey = "io.modelcontextprotocol/clientInfo";
inline constexpr absl::string_view kLogLevelKey = "io.modelcontextprotocol/logLevel";
inline constexpr absl::string_view kServerInfoKey = "io.modelcontextprotocol/serverInfo";
inline constexpr absl::string_view kSubscriptionIdKey = "io.modelcontextprotocol/subscriptionId";

// Who answers: goes into `initialize`, and into the `_meta` of modern results.
struct ServerInfo {
  std::string name;
  std::string version;
  std::string instructions;  // for the model; "": none
};

// {"name":...,"version":...}
std::string ServerInfoJson(const ServerInfo& info);

// The first members of a result, with a comma behind: "resultType" and "_meta" for a modern
// client, nothing for a legacy one.
std::string ResultPreamble(Generation generation, const ServerInfo& info);

}  // namespace tipstaff::mcp
