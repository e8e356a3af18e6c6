// What a client's configuration says about Tipstaff: how the client starts tipstaff-guest, as the
// client would.
#include <filesystem>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "mediator/base/escape.h"
#include "mediator/clients/entry.h"
#include "mediator/clients/variables.h"
#include "mediator/doctor/checks.h"
#include "mediator/doctor/token_claims.h"

namespace tipstaff::doctor {
namespace {

constexpr char kDefaultSocket[] = "/run/tipstaff/guest.sock";
constexpr char kDefaultToken[] = "/run/tipstaff/token";
constexpr size_t kShownColumns = 100;

std::string Shown(absl::string_view text) {
  return absl::StrCat("`", base::EscapeAndCut(text, kShownColumns), "`");
}

// `text` as the client passes it on; what it does not replace becomes a finding.
std::string Read(Examination& e, absl::string_view where, absl::string_view text) {
  const clients::Expanded read = clients::Expand(
      *e.subject.client, text, [&e](const std::string& name) { return e.machine.Variable(name); });
  if (LooksLikeToken(text)) {
    e.Problem(
        absl::StrCat("a token stands in ", where, ", for everybody to read who reads the file"),
        "name the token's file with --token-file instead");
  }
  if (!read.unexpanded.empty()) {
    e.Problem(absl::StrCat(where, " has ", Shown(read.unexpanded), ", which ",
                           e.subject.client->title, " does not replace"),
              "write the whole path");
  } else if (!read.unset.empty()) {
    e.Problem(
        absl::StrCat(where, " has the variable ", Shown(read.unset), ", which is not set here"),
        "set it in the environment that the client is started in, or write the value");
  }
  return read.text;
}

void CheckCommand(Examination& e, const std::string& command) {
  const PathFacts facts = e.machine.Look(command);
  if (command.empty()) {
    e.Problem("the entry has no `command`", "tipstaff connect writes a whole one (--replace)");
  } else if (command[0] != '/') {
    e.Problem(absl::StrCat("the command ", Shown(command),
                           " is relative: a client's PATH and folder are not those of a shell"),
              absl::StrCat("write ", base::Escape(e.subject.guest)));
  } else if (!facts.exists()) {
    e.Problem(absl::StrCat("the command ", Shown(command), " is not there"),
              absl::StrCat("write ", base::Escape(e.subject.guest)));
  } else if (facts.kind != PathFacts::Kind::kFile || !facts.executable) {
    e.Problem(absl::StrCat("the command ", Shown(command), " cannot be executed by this user"),
              absl::StrCat("chmod +x ", base::Escape(command), ", or write ",
                           base::Escape(e.subject.guest)));
  } else if (std::filesystem::path(command).filename() != "tipstaff-guest") {
    e.NotChecked(absl::StrCat("the command is ", Shown(command),
                              ", not tipstaff-guest, and is not started by doctor"));
  } else {
    e.Ok(absl::StrCat(e.subject.client->title, " starts ", Shown(command)));
    e.guest_command = {command};
  }
}

// The value of tipstaff-guest's option, or of the variable, or what it takes without either.
std::string ValueOf(const std::vector<std::string>& arguments, absl::string_view option,
                    const std::string& variable, absl::string_view otherwise) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    absl::string_view value = arguments[i];
    if (value == option) return i + 1 < arguments.size() ? arguments[i + 1] : "";
    if (absl::ConsumePrefix(&value, absl::StrCat(option, "="))) return std::string(value);
  }
  return variable.empty() ? std::string(otherwise) : variable;
}

bool Has(const std::vector<std::string>& arguments, absl::string_view option) {
  for (const std::string& argument : arguments) {
    if (argument == option || absl::StartsWith(argument, absl::StrCat(option, "="))) return true;
  }
  return false;
}

std::string VariableOf(Examination& e, json::Value entry, absl::string_view name) {
  const json::Value value = entry.Find("env").Find(name);
  return value.is_string() ? Read(e, absl::StrCat("`env.", name, "`"), value.string()) : "";
}

void CheckProcess(Examination& e, json::Value entry) {
  const std::string command = Read(e, "the command", entry.StringOr("command", ""));
  std::vector<std::string> arguments;
  for (json::Value argument : entry.Find("args").items()) {
    arguments.push_back(
        argument.is_string()
            ? Read(e, absl::StrCat("`args[", arguments.size(), "]`"), argument.string())
            : "");
  }
  CheckCommand(e, command);
  if (e.guest_command.empty()) return;
  if (Has(arguments, "--http")) {
    e.Problem(
        "`args` has --http: tipstaff-guest then listens, and the client waits for an answer "
        "on its output forever",
        "leave --http out, or start it elsewhere and write its `url`");
    e.guest_command.clear();
    return;
  }
  e.guest_command.insert(e.guest_command.end(), arguments.begin(), arguments.end());
  e.is_vsock = Has(arguments, "--vsock");
  e.subject.socket =
      ValueOf(arguments, "--connect", VariableOf(e, entry, "TIPSTAFF_SOCKET"), kDefaultSocket);
  e.subject.token_file = ValueOf(arguments, "--token-file",
                                 VariableOf(e, entry, "TIPSTAFF_TOKEN_FILE"), kDefaultToken);
}

void CheckAddress(Examination& e, json::Value entry) {
  const std::string url = Read(e, "the address", entry.Find("url").string());
  for (const json::Member& header : entry.Find("headers").members()) {
    if (header.value.is_string()) {
      Read(e, absl::StrCat("`headers.", base::EscapeAndCut(header.key, 40), "`"),
           absl::StripPrefix(header.value.string(), "Bearer "));
    }
  }
  if (const absl::Status status = clients::CheckUrl(url); !status.ok()) {
    return e.Problem(absl::StrCat("the address ", Shown(url),
                                  " is not http://127.0.0.1:PORT/mcp or http://[::1]:PORT/mcp"),
                     "write the one that `tipstaff-guest --http` says when it listens");
  }
  e.url = url;
  absl::string_view rest = url;
  const bool ipv6 = absl::ConsumePrefix(&rest, "http://[::1]:");
  if (!ipv6) absl::ConsumePrefix(&rest, "http://127.0.0.1:");
  absl::ConsumeSuffix(&rest, "/mcp");
  const int port = std::atoi(std::string(rest).c_str());
  const absl::Status listening = e.machine.ConnectLoopback(ipv6, static_cast<uint16_t>(port));
  if (listening.ok()) return e.Ok(absl::StrCat("somebody listens at ", Shown(url)));
  e.Problem(absl::StrCat("nobody listens at ", Shown(url)),
            absl::StrCat("tipstaff-guest --connect SOCKET --token-file FILE --http ",
                         ipv6 ? "[::1]:" : "127.0.0.1:", port));
}

}  // namespace

void CheckEntry(Examination& e, json::Value entry) {
  e.subject.socket.clear();
  e.subject.token_file.clear();
  entry.Find("url").is_string() ? CheckAddress(e, entry) : CheckProcess(e, entry);
}

}  // namespace tipstaff::doctor
