// MCP servers as test systems: pinned, signed for, and their programs where they will be looked
// for.
#include <algorithm>
#include <filesystem>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "mediator/base/escape.h"
#include "mediator/doctor/checks.h"

namespace tipstaff::doctor {
namespace {

// What a confined server has as its PATH; all of it is in /usr, which it sees.
constexpr char kConfinedPath[] = "/usr/local/bin:/usr/bin:/bin";

bool IsOneOf(absl::string_view name, absl::Span<const absl::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// The first `program` on `path`; "" for none.
std::string OnPath(Machine& machine, absl::string_view path, absl::string_view program) {
  for (absl::string_view folder : absl::StrSplit(path, ':', absl::SkipEmpty())) {
    const std::string candidate = absl::StrCat(folder, "/", program);
    const PathFacts facts = machine.Look(candidate);
    if (facts.kind == PathFacts::Kind::kFile && facts.executable) return candidate;
  }
  return "";
}

bool IsSeen(const config::McpServer& server, const std::string& path) {
  if (absl::StartsWith(path, "/usr/")) return true;
  return std::any_of(server.read.begin(), server.read.end(), [&path](const std::string& folder) {
    return path == folder || absl::StartsWith(path, absl::StrCat(folder, "/"));
  });
}

void CheckNamed(Examination& e, const config::McpServer& server, const std::string& program) {
  const std::string own_path = e.machine.Variable("PATH").value_or("");
  const bool confined = server.unconfined.empty();
  if (!OnPath(e.machine, confined ? kConfinedPath : own_path, program).empty()) return;
  const std::string elsewhere = OnPath(e.machine, own_path, program);
  const std::string named =
      absl::StrCat("upstream `", server.name, "`: `", base::EscapeAndCut(program, 80), "` ");
  if (elsewhere.empty()) {
    const bool is_node = program == "node" || program == "npx" || program == "npm";
    return e.Problem(absl::StrCat(named, "is not installed"),
                     is_node ? "apt-get install nodejs npm" : "install it below /usr");
  }
  e.Problem(absl::StrCat(named, "is `", base::Escape(elsewhere),
                         "`, which the confined server does not find"),
            "write its whole path, with its folder in `read:`, or install it below /usr");
}

void CheckPath(Examination& e, const config::McpServer& server, const std::string& program) {
  const PathFacts facts = e.machine.Look(program);
  const std::string named =
      absl::StrCat("upstream `", server.name, "`: `", base::EscapeAndCut(program, 160), "` ");
  if (!facts.exists() || !facts.executable) {
    return e.Problem(absl::StrCat(named, facts.exists() ? "cannot be executed" : "is not there"),
                     "change `command:`");
  }
  if (server.unconfined.empty() && !IsSeen(server, program)) {
    e.Problem(absl::StrCat(named, "is not in the confined server's view"),
              "add its folder to `read:`");
  }
}

void CheckProgram(Examination& e, const config::McpServer& server) {
  const std::string& program = server.command[0];
  if (absl::StartsWith(program, "/")) {
    CheckPath(e, server, program);
  } else if (!absl::StrContains(program, "/")) {
    CheckNamed(e, server, program);
  }  // else it is in a folder that the server sees, as the configuration's reader made sure
  const std::string name = std::filesystem::path(program).filename().string();
  if (IsOneOf(name, {"npx", "uvx", "pipx", "bunx"}) && !server.network) {
    e.Warn(absl::StrCat("upstream `", server.name, "`: `", name,
                        "` fetches what it runs, and the server has no network"),
           "install the package, name its folder in `read:` and its file in `command:`");
  }
}

}  // namespace

void CheckUpstreams(Examination& e) {
  if (!e.subject.config) return e.NotChecked("there is no configuration to judge by");
  const std::vector<config::McpServer>& servers = e.subject.config->mcp_servers;
  if (servers.empty()) return e.Ok("the configuration has none");
  for (const config::McpServer& server : servers) {
    const size_t before = e.findings.size();
    if (!server.command.empty()) CheckProgram(e, server);
    const absl::Status usable = e.machine.CanUse(server, e.subject.config->people);
    if (!usable.ok()) {
      e.Problem(absl::StrCat("upstream `", server.name, "`: ", usable.message()),
                absl::StrCat("tipstaff upstream pin ", server.name,
                             ", then tipstaff upstream "
                             "approve ",
                             server.name));
    }
    if (e.findings.size() == before) e.Ok(absl::StrCat("`", server.name, "` can be used"));
  }
}

}  // namespace tipstaff::doctor
