// The client's configuration: is it there, is it JSON, are we in it.
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "mediator/base/escape.h"
#include "mediator/clients/config_text.h"
#include "mediator/doctor/checks.h"

namespace tipstaff::doctor {
namespace {

constexpr size_t kMaxFileBytes = 64 << 20;

std::string Connect(const Subject& subject) {
  return absl::StrCat("tipstaff connect ", subject.client->name, " --run RUN --write");
}

// The text of the file, or a finding.
std::optional<std::string> ReadFile(Examination& e) {
  const std::string shown = absl::StrCat("`", base::Escape(e.subject.client_file), "`");
  const PathFacts facts = e.machine.Look(e.subject.client_file);
  if (facts.kind == PathFacts::Kind::kAbsent) {
    e.Problem(absl::StrCat(shown, " is not there, so ", e.subject.client->title,
                           " does not know of Tipstaff"),
              absl::StrCat(Connect(e.subject), ", in the folder that the client works in"));
    return std::nullopt;
  }
  absl::StatusOr<std::string> text = e.machine.Read(e.subject.client_file, kMaxFileBytes);
  if (!text.ok()) {
    e.Problem(std::string(text.status().message()), "let the client's user read it");
    return std::nullopt;
  }
  return *std::move(text);
}

std::string NamesIn(json::Value servers) {
  std::vector<std::string> names;
  for (const json::Member& member : servers.members()) {
    names.push_back(base::EscapeAndCut(member.key, 40));
  }
  return names.empty() ? "none" : absl::StrJoin(names, ", ");
}

// Members of the root where another client keeps its servers.
std::string OtherKey(json::Value root) {
  for (const char* key : {"mcpServers", "servers", "mcp.servers"}) {
    if (root.Find(key).is_object()) return key;
  }
  return root.Find("mcp").Find("servers").is_object() ? "mcp.servers" : "";
}

void CheckServers(Examination& e, json::Value root) {
  const Subject& subject = e.subject;
  const std::string shown = absl::StrCat("`", base::Escape(subject.client_file), "`");
  const json::Value servers = root.Find(subject.client->servers_key);
  if (!servers.is_object()) {
    const std::string other = OtherKey(root);
    e.Problem(absl::StrCat(shown, " has no object `", subject.client->servers_key, "`",
                           other.empty() ? "" : absl::StrCat(", but `", other, "`")),
              absl::StrCat(subject.client->title, " reads `", subject.client->servers_key,
                           "` only: ", Connect(subject)));
    return;
  }
  const json::Value entry = servers.Find(subject.server_name);
  if (!entry.is_object()) {
    e.Problem(absl::StrCat(shown, " has no server `", base::Escape(subject.server_name),
                           "`; it has ", NamesIn(servers)),
              absl::StrCat(Connect(subject), ", or name it with --name"));
    return;
  }
  CheckEntry(e, entry);
}

}  // namespace

void CheckClient(Examination& e) {
  if (e.subject.client == nullptr) {
    return e.NotChecked("no client is named", "add --client, for instance --client claude-code");
  }
  if (e.subject.client_file.empty()) {
    return e.NotChecked(
        absl::StrCat(e.subject.client->title, " is set up in a program"),
        absl::StrCat("compare it with `tipstaff connect ", e.subject.client->name, " --print`"));
  }
  const std::optional<std::string> text = ReadFile(e);
  if (!text) return;
  const std::string shown = absl::StrCat("`", base::Escape(e.subject.client_file), "`");
  const absl::StatusOr<clients::ConfigFile> config = clients::ParseConfig(*text);
  if (!config.ok()) {
    return e.Problem(
        absl::StrCat(base::Escape(e.subject.client_file), ":", config.status().message()),
        absl::StrCat(e.subject.client->title, " ignores the whole file until that is mended"));
  }
  if (config->has_comments && !e.subject.client->takes_comments) {
    e.Problem(absl::StrCat(shown, " has comments or trailing commas, which ",
                           e.subject.client->title, " does not take"),
              "remove them");
  }
  CheckServers(e, config->document.root());
}

}  // namespace tipstaff::doctor
