// A POST's body against its headers.
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "mediator/json/write.h"
#include "mediator/mcp/http_rules.h"
#include "mediator/mcp/methods.h"

namespace tipstaff::mcp {
namespace {

constexpr absl::string_view kVersionHeader = "mcp-protocol-version";

HttpAnswer Mismatch(const Message& message, absl::string_view what) {
  return HttpError(400, kHeaderMismatch, absl::StrCat("header mismatch: ", what), message.id);
}

// `supported`: all that a header may say, or the modern ones that `_meta` may.
HttpAnswer Unsupported(const Message& message, absl::string_view version, bool legacy_too) {
  std::string supported = absl::StrJoin(ModernVersions(), "\",\"");
  if (legacy_too) absl::StrAppend(&supported, "\",\"", absl::StrJoin(LegacyVersions(), "\",\""));
  return HttpError(400, kUnsupportedVersion, "unsupported protocol version", message.id,
                   absl::StrCat(R"({"supported":[")", supported, R"("],"requested":)",
                                json::Quote(version), "}"));
}

bool IsKnown(absl::string_view version) {
  return IsModernVersion(version) || IsLegacyVersion(version);
}

std::optional<HttpAnswer> CheckMethodHeader(const HttpHead& head, const Message& message) {
  const auto method = head.Find("mcp-method");
  if (!method) return Mismatch(message, "`Mcp-Method` is missing");
  if (*method == message.method) return std::nullopt;
  return Mismatch(message, absl::StrCat("`Mcp-Method` says ", Shown(*method), ", the body ",
                                        Shown(message.method)));
}

std::optional<HttpAnswer> CheckNameHeader(const HttpHead& head, const Message& message) {
  const MethodRule* rule = FindMethod(message.method);
  if (rule == nullptr || rule->named_by.empty()) return std::nullopt;
  const json::Value named = message.params().Find(rule->named_by);
  const auto header = head.Find("mcp-name");
  if (!named.is_string()) {
    // What is wrong with the body is the session's to say.
    if (!header) return std::nullopt;
    return Mismatch(message, absl::StrCat("`Mcp-Name` is there, `", rule->named_by, "` is not"));
  }
  if (!header) return Mismatch(message, "`Mcp-Name` is missing");
  const std::optional<std::string> value = DecodeHeaderValue(*header);
  if (!value) return Mismatch(message, "`Mcp-Name` has characters that a header may not have");
  if (*value == named.string()) return std::nullopt;
  return Mismatch(message, absl::StrCat("`Mcp-Name` says ", Shown(*value), ", the body ",
                                        Shown(named.string())));
}

std::optional<HttpAnswer> CheckModern(const HttpHead& head, const Message& message) {
  const json::Value meta = message.params().Find("_meta");
  const json::Value version = meta.Find(kProtocolVersionKey);
  const auto header = head.Find(kVersionHeader);
  if (version.exists() && !version.is_string()) {
    return HttpError(400, kInvalidParams,
                     absl::StrCat("`", kProtocolVersionKey, "` is not a string"), message.id);
  }
  if (!version.exists()) {
    return HttpError(400, kInvalidParams, absl::StrCat("`_meta` lacks `", kProtocolVersionKey, "`"),
                     message.id);
  }
  if (!header) return Mismatch(message, "`MCP-Protocol-Version` is missing");
  if (*header != version.string()) {
    return Mismatch(message, absl::StrCat("`MCP-Protocol-Version` says ", Shown(*header),
                                          ", the body ", Shown(version.string())));
  }
  if (!IsModernVersion(*header)) return Unsupported(message, *header, /*legacy_too=*/false);
  if (!meta.Find(kClientCapabilitiesKey).is_object()) {
    return HttpError(400, kInvalidParams,
                     absl::StrCat("`_meta` lacks `", kClientCapabilitiesKey, "`, an object"),
                     message.id);
  }
  if (std::optional<HttpAnswer> problem = CheckMethodHeader(head, message)) return problem;
  return CheckNameHeader(head, message);
}

}  // namespace

std::variant<HttpPost, HttpAnswer> JudgePost(const HttpHead& head, absl::string_view body) {
  std::variant<Message, Invalid> read = ReadMessage(body);
  if (const Invalid* invalid = std::get_if<Invalid>(&read)) {
    return HttpError(400, invalid->code, invalid->message, invalid->id);
  }
  HttpPost post{.message = std::get<Message>(std::move(read))};
  const Message& message = post.message;
  const bool request = message.kind == Message::Kind::kRequest;
  const auto header = head.Find(kVersionHeader);
  const json::Value version = message.params().Find("_meta").Find(kProtocolVersionKey);
  const bool says_legacy =
      header && IsLegacyVersion(*header) &&
      (!version.exists() || (version.is_string() && version.string() == *header));
  if (header && !IsKnown(*header) && !version.exists()) {
    return Unsupported(message, *header, /*legacy_too=*/true);
  }
  if (!says_legacy && (version.exists() || (header && IsModernVersion(*header)))) {
    post.generation = Generation::kModern;
    // The revision defines no headers for notifications.
    if (!request) return post;
    if (std::optional<HttpAnswer> problem = CheckModern(head, message)) return *std::move(problem);
    return post;
  }
  post.session = std::string(head.Find(kSessionHeader).value_or(""));
  if (post.session.empty() && !(request && message.method == "initialize")) {
    return HttpError(400, kInvalidRequest,
                     "`Mcp-Session-Id` is missing (before 2026-07-28: send `initialize` first)",
                     message.id);
  }
  return post;
}

}  // namespace tipstaff::mcp
