#include "mediator/mcp/client_message.h"

#include <limits>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "mediator/base/escape.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"
#include "mediator/mcp/message.h"

namespace tipstaff::mcp {
namespace {

// A server that asks is answered with its id: what comes back is bounded.
constexpr size_t kMaxServerIdBytes = 1024;

Noise NoiseOf(absl::string_view why, absl::string_view bytes) {
  constexpr size_t kLooked = 512, kColumns = 80;
  return {absl::StrCat(why, ": `", base::EscapeAndCut(bytes.substr(0, kLooked), kColumns), "`")};
}

// What is wrong with an answer's members, or nothing.
std::string ProblemOf(json::Value root) {
  const json::Value result = root.Find("result"), error = root.Find("error");
  if (root.StringOr("jsonrpc", "") != "2.0") return R"(its `jsonrpc` is not "2.0")";
  if (result.exists() && error.exists()) return "it has both a result and an error";
  if (!result.exists() && !error.exists()) return "it has neither a result nor an error";
  if (result.exists() && !result.is_object()) return "its result is not an object";
  if (result.exists()) return "";
  if (!error.is_object()) return "its error is not an object";
  const json::Value code = error.Find("code");
  using Limits = std::numeric_limits<int>;
  if (code.kind() != json::Kind::kInteger || code.integer() < Limits::min() ||
      code.integer() > Limits::max()) {
    return "its error's `code` is not an integer of 32 bits";
  }
  return "";
}

Answer AnswerOf(const json::Document& document, std::string id) {
  Answer answer{.id = std::move(id), .document = document};
  answer.malformed = ProblemOf(document.root());
  if (!answer.malformed.empty()) return answer;
  if (answer.result().exists()) {
    answer.kind = Answer::Kind::kResult;
    return answer;
  }
  answer.kind = Answer::Kind::kError;
  answer.code = static_cast<int>(answer.error().Find("code").integer());
  return answer;
}

}  // namespace

std::variant<ServerMessage, Answer, Noise> ReadFromServer(absl::string_view bytes) {
  const absl::StatusOr<json::Document> document = json::Parse(bytes, {kMaxMessageDepth});
  if (!document.ok()) {
    const absl::string_view why = document.status().message();
    return NoiseOf(absl::StrCat("no message (", why, ")"), bytes);
  }
  const json::Value root = document->root(), id = root.Find("id"), method = root.Find("method");
  if (!root.is_object()) {
    return NoiseOf(absl::StrCat("no message but ", json::KindName(root.kind())), bytes);
  }
  const std::optional<std::string> id_text = IdText(id);
  const bool nobodys = !id.exists() || id.is_null();
  if (!id_text && !nobodys) {
    return NoiseOf("a message whose id is neither a string nor an integer", bytes);
  }
  if (!method.exists()) {
    if (nobodys && !root.Find("error").exists()) return NoiseOf("an answer without an id", bytes);
    return AnswerOf(*document, id_text.value_or(""));
  }
  if (root.StringOr("jsonrpc", "") != "2.0" || !method.is_string() || id.is_null() ||
      root.Find("result").exists() || root.Find("error").exists()) {
    return NoiseOf("neither a request nor a notification nor an answer", bytes);
  }
  if (id_text.value_or("").size() > kMaxServerIdBytes) {
    return NoiseOf("a request with an id that is too long", bytes);
  }
  return ServerMessage{id_text.value_or(""), std::string(method.string()), *document};
}

std::vector<std::string> SupportedVersions(json::Value error) {
  std::vector<std::string> versions;
  for (const json::Value version : error.Find("data").Find("supported").items()) {
    if (version.is_string()) versions.emplace_back(version.string());
  }
  return versions;
}

std::string RequestMetaJson(const RequestMeta& meta, const ServerInfo& client) {
  std::vector<std::string> members;
  if (meta.generation == Generation::kModern) {
    members = {absl::StrCat(json::Quote(kProtocolVersionKey), ":", json::Quote(meta.version)),
               absl::StrCat(json::Quote(kClientInfoKey), ":", ServerInfoJson(client)),
               absl::StrCat(json::Quote(kClientCapabilitiesKey), ":{}")};
    if (!meta.log_level.empty()) {
      members.push_back(absl::StrCat(json::Quote(kLogLevelKey), ":", json::Quote(meta.log_level)));
    }
  }
  if (meta.progress_token) {
    members.push_back(absl::StrCat(R"("progressToken":)", *meta.progress_token));
  }
  return members.empty() ? "" : absl::StrCat("{", absl::StrJoin(members, ","), "}");
}

bool AreParams(absl::string_view params) {
  if (params.size() < 2 || params.front() != '{' || params.back() != '}') return false;
  if (params.find_first_of("\r\n") != absl::string_view::npos) return false;
  const absl::StatusOr<json::Document> document = json::Parse(params, {kMaxMessageDepth});
  return document.ok() && !document->root().Find("_meta").exists();
}

std::string RequestMessage(uint64_t id, absl::string_view method, absl::string_view params,
                           absl::string_view meta) {
  std::string message =
      absl::StrCat(R"({"jsonrpc":"2.0","id":)", id, R"(,"method":)", json::Quote(method));
  if (meta.empty()) {
    absl::StrAppend(&message, R"(,"params":)", params, "}");
    return message;
  }
  const absl::string_view members = params.substr(1, params.size() - 2);
  const bool none = members.find_first_not_of(" \t") == absl::string_view::npos;
  absl::StrAppend(&message, R"(,"params":{"_meta":)", meta, none ? "" : ",", members, "}}");
  return message;
}

}  // namespace tipstaff::mcp
