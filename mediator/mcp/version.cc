#include "mediator/mcp/version.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "mediator/json/write.h"

namespace tipstaff::mcp {
namespace {

constexpr absl::string_view kLegacy[] = {"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"};
constexpr absl::string_view kModern[] = {"2026-07-28"};

bool Contains(absl::Span<const absl::string_view> versions, absl::string_view version) {
  return std::find(versions.begin(), versions.end(), version) != versions.end();
}

}  // namespace

absl::Span<const absl::string_view> LegacyVersions() { return kLegacy; }
absl::Span<const absl::string_view> ModernVersions() { return kModern; }

bool IsLegacyVersion(absl::string_view version) { return Contains(kLegacy, version); }
bool IsModernVersion(absl::string_view version) { return Contains(kModern, version); }

absl::string_view NegotiateLegacy(absl::string_view version) {
  return IsLegacyVersion(version) ? version : kLegacy[0];
}

std::string ServerInfoJson(const ServerInfo& info) {
  return absl::StrCat(R"({"name":)", json::Quote(info.name), R"(,"version":)",
                      json::Quote(info.version), "}");
}

std::string ResultPreamble(Generation generation, const ServerInfo& info) {
  if (generation == Generation::kLegacy) return "";
  return absl::StrCat(R"("resultType":"complete","_meta":{)", json::Quote(kServerInfoKey), ":",
                      ServerInfoJson(info), "},");
}

}  // namespace tipstaff::mcp
