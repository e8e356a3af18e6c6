// Calls of tools, from the request to the answer.
#include <unistd.h>

#include <cstdio>

#include "absl/strings/str_cat.h"
#include "mediator/json/write.h"
#include "tests/harness/mcp_server/server.h"

namespace tipstaff::mcp_server {
namespace {

constexpr absl::string_view kLogLevelKey = "io.modelcontextprotocol/logLevel";

bool LogsInfo(absl::string_view least) { return least == "debug" || least == "info"; }

}  // namespace

void Server::CallTool(const Request& request) {
  if (options_.die_after != 0 && ++calls_ >= options_.die_after) ::_exit(1);
  if (options_.stderr_flood) std::fputs((std::string(1 << 20, 'e') + "\n").c_str(), stderr);
  const auto call = std::make_shared<Call>();
  call->message = request.message;
  call->generation = request.generation;
  call->channel = request.channel;
  if (!request.modern()) call->session = request.session->id;
  call->logs = request.modern() ? request.params().Find("_meta").Find(kLogLevelKey).exists()
                                : LogsInfo(request.session->log_level);
  under_way_.push_back(call);
  const auto run = [this, call] {
    if (RunTool(*this, call)) return;
    Error(call, mcp::kInvalidParams,
          absl::StrCat("Unknown tool: ", call->message.params().StringOr("name", "")));
  };
  if (options_.ask.empty()) return run();
  Ask(call, run);
}

void Server::Ask(const CallPtr& call, std::function<void()> then) {
  const std::string params =
      options_.ask == "sampling/createMessage"
          ? R"({"messages":[{"role":"user","content":{"type":"text","text":"hi"}}],"maxTokens":9})"
      : options_.ask == "elicitation/create"
          ? R"({"message":"who?","requestedSchema":{"type":"object","properties":{}}})"
          : "{}";
  const std::string asks =
      absl::StrCat(R"("method":")", options_.ask, R"(","params":)", params, "}");
  if (call->generation == mcp::Generation::kModern) {
    // A modern server asks in its answer.
    call->over = true;
    call->channel->Answer(
        mcp::ResultMessage(
            call->message.id,
            absl::StrCat(R"({"resultType":"input_required","inputRequests":{"q":{)", asks, "}}")),
        200);
    return;
  }
  const std::string id = absl::StrCat("\"ask-", ++asks_, "\"");
  asked_[id] = std::move(then);
  call->channel->Say(absl::StrCat(R"({"jsonrpc":"2.0","id":)", id, ",", asks));
}

void Server::Result(const CallPtr& call, absl::string_view result) {
  if (call->over) return;
  const std::string preamble = mcp::ResultPreamble(call->generation, Self());
  answers_.Give(call, absl::StrCat(R"("result":{)", preamble, result.substr(1)));
  under_way_.remove(call);
  if (!options_.list_changed) return;
  revision_.changed = true;
  AnnounceList("tools");
}

void Server::Error(const CallPtr& call, int code, absl::string_view message,
                   absl::string_view data) {
  answers_.Give(call,
                absl::StrCat(R"("error":{"code":)", code, R"(,"message":)", json::Quote(message),
                             data.empty() ? "" : R"(,"data":)", data, "}"),
                call->generation == mcp::Generation::kModern ? StatusOf(code) : 200);
  under_way_.remove(call);
}

}  // namespace tipstaff::mcp_server
