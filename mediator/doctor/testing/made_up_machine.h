// A machine of a test's own making, and a subject on it. All is well until a test breaks something:
//
//   Scene scene;
//   scene.machine.paths.erase(kSocket);
//   scene.Expect("socket", Level::kProblem, "is not there", "run list");
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "mediator/doctor/examine.h"
#include "mediator/keys/base64url.h"

namespace tipstaff::doctor {

inline constexpr char kRun[] = "run_abcdefghijkl";
inline constexpr char kSocket[] = "/srv/run/run_abcdefghijkl/guest.sock";
inline constexpr char kToken[] = "/srv/run/run_abcdefghijkl/token";
inline constexpr char kGuest[] = "/usr/local/bin/tipstaff-guest";
inline constexpr char kGate[] = "/usr/local/bin/tipstaff-gate";
inline constexpr char kClientFile[] = "/h/dana/.mcp.json";
inline constexpr char kAdmin[] = "/srv/run/admin.sock";
inline constexpr char kLedger[] = "/srv/state/tipstaff.db";

class MadeUpMachine final : public Machine {
 public:
  std::map<std::string, PathFacts> paths;
  std::map<std::string, std::string> texts, variables;
  std::map<std::string, absl::Status> listeners;  // by socket, or "127.0.0.1:80", "[::1]:80"
  std::map<std::string, absl::Status> usable;     // by the upstream's name
  absl::Time now = absl::FromUnixSeconds(1'800'000'000);
  absl::StatusOr<Room> room = Room{uint64_t{50} << 30, uint64_t{100} << 30};
  absl::Status confines;
  std::function<absl::StatusOr<std::vector<std::string>>(const Conversation&)> answer;
  std::vector<Conversation> conversations;

  void Add(const std::string& path, PathFacts::Kind kind, mode_t mode) {
    paths[path] = {.kind = kind,
                   .mode = mode,
                   .readable = (mode & 0400) != 0,
                   .writable = (mode & 0200) != 0,
                   .executable = (mode & 0100) != 0};
  }
  void AddFile(const std::string& path, std::string text, mode_t mode = 0600) {
    Add(path, PathFacts::Kind::kFile, mode);
    texts[path] = std::move(text);
  }

  PathFacts Look(const std::string& path) override {
    const auto it = paths.find(path);
    return it == paths.end() ? PathFacts{} : it->second;
  }
  absl::StatusOr<std::string> Read(const std::string& path, size_t /*max_bytes*/) override {
    const PathFacts facts = Look(path);
    if (!facts.exists()) return absl::NotFoundError(absl::StrCat("`", path, "`: none"));
    if (!facts.readable) return absl::PermissionDeniedError(absl::StrCat("`", path, "`: no"));
    return texts[path];
  }
  std::optional<std::string> Variable(const std::string& name) override {
    const auto it = variables.find(name);
    return it == variables.end() ? std::nullopt : std::make_optional(it->second);
  }
  absl::Time Now() override { return now; }
  absl::StatusOr<Room> RoomAt(const std::string& /*path*/) override { return room; }
  absl::Status Connect(const std::string& socket) override { return Listening(socket); }
  absl::Status ConnectLoopback(bool ipv6, uint16_t port) override {
    return Listening(absl::StrCat(ipv6 ? "[::1]:" : "127.0.0.1:", port));
  }
  absl::Status CanConfine() override { return confines; }
  absl::Status CanUse(const config::McpServer& server,
                      const std::vector<config::Person>& /*people*/) override {
    return usable[server.name];
  }
  absl::StatusOr<std::vector<std::string>> Converse(const Conversation& conversation) override {
    conversations.push_back(conversation);
    return answer(conversation);
  }

 private:
  absl::Status Listening(const std::string& name) {
    const auto it = listeners.find(name);
    return it == listeners.end() ? absl::UnavailableError("nobody") : it->second;
  }
};

// A token's text, whose signature is none.
inline std::string TokenText(const std::string& type, const std::string& claims) {
  return absl::StrCat(keys::Base64Url(absl::StrCat(R"({"alg":"EdDSA","typ":")", type, R"("})")),
                      ".", keys::Base64Url(claims), ".", keys::Base64Url("signature"));
}
inline std::string RunToken(absl::Time issued, absl::Time expires, const std::string& run = kRun) {
  return TokenText("tipstaff-run+jwt",
                   absl::StrCat(R"({"run":")", run, R"(","iat":)", absl::ToUnixSeconds(issued),
                                R"(,"exp":)", absl::ToUnixSeconds(expires), "}"));
}

// Claude Code, in whose configuration Tipstaff stands, and a run that is open.
struct Scene {
  MadeUpMachine machine;
  Subject subject;
  std::vector<std::string> tools = {"reports_get_report", "reports_submit_result"};

  Scene() {
    for (const char* program : {kGuest, kGate}) machine.AddFile(program, "", 0755);
    machine.Add(kSocket, PathFacts::Kind::kSocket, 0600);
    machine.Add(kAdmin, PathFacts::Kind::kSocket, 0600);
    machine.Add("/srv/state", PathFacts::Kind::kFolder, 0700);
    machine.listeners = {{kSocket, absl::OkStatus()}, {kAdmin, absl::OkStatus()}};
    machine.AddFile(kToken, RunToken(machine.now - absl::Minutes(1), machine.now + absl::Hours(1)));
    machine.variables = {{"HOME", "/h/dana"}, {"PATH", "/h/dana/bin:/usr/bin"}};
    machine.answer = [this](const Conversation& talk) { return Answer(talk); };
    subject.config = config::Config{};
    subject.config->admin_socket = kAdmin;
    subject.config->ledger = kLedger;
    subject.guest = kGuest;
    subject.gate = kGate;
    SetClient("claude-code", Entry());
  }

  // The client's configuration, of which `entry` is ours.
  void SetClient(const std::string& client, const std::string& entry) {
    subject.client = clients::FindClient(client);
    subject.client_file = kClientFile;
    machine.AddFile(kClientFile, absl::StrCat("{\"", subject.client->servers_key,
                                              "\": {\"tipstaff\": ", entry, "}}"));
  }
  static std::string Entry(const std::string& command = kGuest,
                           const std::string& socket = kSocket) {
    return absl::StrCat(R"({"command": ")", command, R"(", "args": ["--connect", ")", socket,
                        R"(", "--token-file", ")", kToken, R"("]})");
  }

  std::vector<Finding> Examine() { return doctor::Examine(subject, machine); }
  // That `check` found this; "" as `fix`: none.
  void Expect(const std::string& check, Level level, const std::string& what,
              const std::string& fix) {
    std::string all;
    bool found = false;
    for (const Finding& finding : Examine()) {
      absl::StrAppend(&all, finding.check, ": ", LevelName(finding.level), ": ", finding.what,
                      " -> ", finding.fix, "\n");
      found = found ||
              (finding.check == check && finding.level == level &&
               finding.what.find(what) != std::string::npos &&
               finding.fix.find(fix) != std::string::npos && finding.fix.empty() == fix.empty());
    }
    EXPECT_TRUE(found) << "no finding `" << check << ": " << LevelName(level) << ": " << what
                       << " -> " << fix << "` among\n"
                       << all;
  }

 private:
  absl::StatusOr<std::vector<std::string>> Answer(const Conversation& talk) const {
    std::vector<std::string> answers;
    for (const Conversation::Line& line : talk.lines) {
      if (line.id.empty()) continue;
      std::string result = "{}";
      if (line.text.find("tools/list") != std::string::npos) {
        result = R"({"tools":[)";
        for (const std::string& tool : tools) {
          absl::StrAppend(&result, result.back() == '[' ? "" : ",", R"({"name":")", tool, R"("})");
        }
        absl::StrAppend(&result, "]}");
      }
      answers.push_back(
          absl::StrCat(R"({"jsonrpc":"2.0","id":)", line.id, R"(,"result":)", result, "}"));
    }
    return answers;
  }
};

}  // namespace tipstaff::doctor
