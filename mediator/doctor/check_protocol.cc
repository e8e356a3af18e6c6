// Whether tipstaff-guest, started as the client starts it, answers both generations of MCP; and the
// names of the tools that it lists.
#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "mediator/clients/tool_names.h"
#include "mediator/doctor/checks.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"

namespace tipstaff::doctor {
namespace {

constexpr char kInitialize[] =
    R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
    R"("capabilities":{},"clientInfo":{"name":"tipstaff-doctor","version":"1"}}})";
constexpr char kInitialized[] = R"({"jsonrpc":"2.0","method":"notifications/initialized"})";
constexpr char kDiscover[] =
    R"({"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{)"
    R"("io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
    R"("io.modelcontextprotocol/clientInfo":{"name":"tipstaff-doctor","version":"1"},)"
    R"("io.modelcontextprotocol/clientCapabilities":{}}}})";
constexpr int kMostPages = 100;

std::string ListTools(const std::string& cursor) {
  return absl::StrCat(R"({"jsonrpc":"2.0","id":2,"method":"tools/list","params":{)",
                      cursor.empty() ? "" : absl::StrCat(R"("cursor":)", json::Quote(cursor)),
                      "}}");
}

// The `result` of an answer; an error with what it says instead.
absl::StatusOr<json::Document> ResultOf(const std::string& line) {
  absl::StatusOr<json::Document> answer = json::Parse(line);
  if (!answer.ok()) return answer.status();
  if (answer->root().Find("result").is_object()) return answer;
  const absl::string_view message =
      answer->root().Find("error").StringOr("message", "no result and no error");
  return absl::FailedPreconditionError(base::EscapeAndCut(message, 200));
}

// One page of the tools, and the cursor of the next, "" for none.
absl::StatusOr<std::string> AddPage(Examination& e, const std::string& cursor) {
  const auto answers = e.machine.Converse(
      {e.guest_command, {{kInitialize, "1"}, {kInitialized, ""}, {ListTools(cursor), "2"}}});
  if (!answers.ok()) return answers.status();
  for (const std::string& answer : *answers) {
    const absl::StatusOr<json::Document> result = ResultOf(answer);
    if (!result.ok()) return result.status();
    for (json::Value tool : result->root().Find("result").Find("tools").items()) {
      e.tools.emplace_back(tool.StringOr("name", ""));
    }
    if (&answer == &answers->back()) {
      return std::string(result->root().Find("result").StringOr("nextCursor", ""));
    }
  }
  return absl::InternalError("it gave no answer");
}

absl::Status AskLegacy(Examination& e) {
  std::string cursor;
  for (int page = 0; page < kMostPages; ++page) {
    const absl::StatusOr<std::string> next = AddPage(e, cursor);
    if (!next.ok()) return next.status();
    if (next->empty()) break;
    cursor = *next;
  }
  e.has_tools = true;
  return absl::OkStatus();
}

absl::Status AskModern(Examination& e) {
  const auto answers = e.machine.Converse({e.guest_command, {{kDiscover, "1"}}});
  if (!answers.ok()) return answers.status();
  return ResultOf(answers->empty() ? "" : answers->front()).status();
}

void Say(Examination& e, absl::string_view what, const absl::Status& status) {
  if (status.ok()) return e.Ok(absl::StrCat("`", what, "` is answered"));
  e.Problem(absl::StrCat("`", what, "` fails: ", status.message()),
            "start the same by hand: its standard error says more");
}

}  // namespace

void CheckProtocol(Examination& e) {
  if (e.is_vsock) return e.NotChecked("tipstaff-guest would dial vsock");
  if (!e.url.empty()) return e.NotChecked("the client goes by HTTP");
  if (!e.is_reachable || !e.has_token) {
    return e.NotChecked("tipstaff-guest needs a socket with a mediator behind it, and a token");
  }
  if (e.guest_command.empty()) {
    const PathFacts guest = e.machine.Look(e.subject.guest);
    if (!guest.executable) return e.NotChecked("tipstaff-guest cannot be started");
    e.guest_command = {e.subject.guest, "--connect", e.subject.socket, "--token-file",
                       e.subject.token_file};
  }
  Say(e, "initialize", AskLegacy(e));
  Say(e, "server/discover", AskModern(e));
}

void CheckNames(Examination& e) {
  if (!e.has_tools) return e.NotChecked("the tools are not known");
  if (e.tools.empty()) {
    return e.Warn("the run has no tool at all",
                  "`tipstaff run show RUN` names its skills: what no rule permits is not listed");
  }
  if (e.subject.client == nullptr) {
    return e.NotChecked(absl::StrCat(e.tools.size(), " tools are listed, and no client is named"),
                        "add --client");
  }
  const std::vector<clients::NameProblem> problems =
      clients::CheckToolNames(*e.subject.client, e.subject.server_name, e.tools);
  for (const clients::NameProblem& problem : problems) {
    e.Problem(
        absl::StrCat("the tool `", base::EscapeAndCut(problem.tool, 80), "`: ", problem.problem),
        "give the server a shorter name (--name), or the backend in the skill");
  }
  if (problems.empty()) {
    e.Ok(absl::StrCat(e.subject.client->title, " takes the names of all ", e.tools.size(),
                      " tools"));
  }
}

}  // namespace tipstaff::doctor
