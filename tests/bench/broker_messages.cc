#include "tests/bench/broker_messages.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "mediator/json/parse.h"

namespace tipstaff::bench {
namespace {

std::string TextOf(uint64_t id) {
  return absl::StrCat(absl::StrFormat("%016x", id), std::string(240, 't'));
}

absl::Status CheckMessage(absl::string_view message, uint64_t id) {
  const auto document = json::Parse(message, {.max_depth = 4 * json::kMaxDepth});
  if (!document.ok()) return document.status();
  const json::Value result = document->root().Find("result");
  const absl::string_view text = result.Find("content").At(0).StringOr("text", "");
  if (document->root().IntegerOr("id", -1) == static_cast<int64_t>(id) &&
      !result.BoolOr("isError", false) && absl::StrContains(text, TextOf(id))) {
    return absl::OkStatus();
  }
  return absl::InternalError(
      absl::StrCat("an answer is not as expected: ", message.substr(0, 300)));
}

}  // namespace

std::string InitializeMessage() {
  return absl::StrCat(R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{)",
                      R"("protocolVersion":")", kMcpVersion, R"(","capabilities":{},)",
                      R"("clientInfo":{"name":"bench_broker","version":"1"}}})");
}

std::string InitializedMessage() {
  return R"({"jsonrpc":"2.0","method":"notifications/initialized"})";
}

std::string EchoCall(uint64_t id) {
  return absl::StrCat(R"({"jsonrpc":"2.0","id":)", id, R"(,"method":"tools/call","params":{)",
                      R"("name":"echo","arguments":{"text":")", TextOf(id), R"("}}})");
}

absl::Status CheckEcho(absl::string_view body, uint64_t id) {
  if (absl::StartsWith(body, "{")) return CheckMessage(body, id);
  for (absl::string_view line : absl::StrSplit(body, '\n')) {
    if (!absl::ConsumePrefix(&line, "data:")) continue;
    line = absl::StripSuffix(line, "\r");
    if (absl::StrContains(line, "\"result\"") || absl::StrContains(line, "\"error\"")) {
      return CheckMessage(line, id);
    }
  }
  return absl::InternalError(
      absl::StrCat("an answer is neither JSON nor an event: ", body.substr(0, 300)));
}

}  // namespace tipstaff::bench
