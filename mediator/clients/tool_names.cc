#include "mediator/clients/tool_names.h"

#include <algorithm>
#include <map>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"

namespace tipstaff::clients {
namespace {

constexpr size_t kModelsMost = 64;
constexpr size_t kCursorsMost = 60;
constexpr size_t kVsCodeServerMost = 13;  // 18 with `mcp_` and `_`
// What VS Code names a server by where it answers: its own name of itself.
constexpr absl::string_view kOwnName = "tipstaff-guest";

bool IsPlain(absl::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return absl::ascii_isalnum(c) || c == '_' || c == '-';
  });
}

std::string VsCodeName(absl::string_view server, absl::string_view tool) {
  return absl::StrCat("mcp_", absl::AsciiStrToLower(server.substr(0, kVsCodeServerMost)), "_", tool)
      .substr(0, kModelsMost);
}

// The name that the model sees, "" where the client does not make one of its own.
std::string Seen(const Client& client, const std::string& server, const std::string& tool) {
  switch (client.kind) {
    case Kind::kClaudeCode:
      return absl::StrCat("mcp__", server, "__", tool);
    case Kind::kVsCode:
      // Newer versions take the server's own name, older ones that of the configuration.
      return VsCodeName(server.size() > kOwnName.size() ? server : kOwnName, tool);
    default:
      return tool;
  }
}

std::string TooLong(const Client& client, const std::string& server, const std::string& tool,
                    const std::string& seen) {
  const auto over = [&](size_t length, size_t most, absl::string_view what) {
    return length <= most ? ""
                          : absl::StrCat(what, " has ", length, " characters, and ", client.title,
                                         " takes ", most);
  };
  switch (client.kind) {
    case Kind::kCursor:
      return over(server.size() + tool.size(), kCursorsMost, "with the server's name it");
    case Kind::kClaudeDesktop:
      return over(server.size() + tool.size(), kModelsMost, "with the server's name it");
    case Kind::kInspect:
      return "";
    default:
      return over(seen.size(), kModelsMost, absl::StrCat("as `", seen, "` it"));
  }
}

}  // namespace

std::vector<NameProblem> CheckToolNames(const Client& client, const std::string& server,
                                        absl::Span<const std::string> tools) {
  std::vector<NameProblem> problems;
  std::map<std::string, std::string> taken;  // name that the model sees -> tool
  for (const std::string& tool : tools) {
    const std::string seen = Seen(client, server, tool);
    const auto [other, is_new] = taken.emplace(seen, tool);
    if (!IsPlain(tool)) {
      problems.push_back({tool, "it has other characters than letters, digits, `_` and `-`"});
    } else if (const std::string why = TooLong(client, server, tool, seen); !why.empty()) {
      problems.push_back({tool, why});
    } else if (!is_new) {
      problems.push_back({tool, absl::StrCat(client.title, " cuts it to `", seen, "`, as it does `",
                                             other->second, "`")});
    }
  }
  return problems;
}

}  // namespace tipstaff::clients
