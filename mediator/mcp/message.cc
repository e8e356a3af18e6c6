#include "mediator/mcp/message.h"

#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "mediator/json/write.h"

namespace tipstaff::mcp {
namespace {

constexpr absl::string_view kVersion = R"({"jsonrpc":"2.0",)";

std::string IdMember(absl::string_view id) {
  return id.empty() ? "" : absl::StrCat(R"("id":)", id, ",");
}

}  // namespace

std::optional<std::string> IdText(json::Value value) {
  if (!value.is_string() && !value.is_integer()) return std::nullopt;
  return json::Dump(value);
}

std::string Shown(absl::string_view text) {
  constexpr size_t kColumns = 64;
  return absl::StrCat("`", base::EscapeAndCut(text, kColumns), "`");
}

std::variant<Message, Invalid> ReadMessage(absl::string_view bytes) {
  absl::StatusOr<json::Document> document = json::Parse(bytes, {.max_depth = kMaxMessageDepth});
  if (!document.ok()) {
    return Invalid{kParseError, absl::StrCat("parse error: ", document.status().message()), ""};
  }
  const json::Value root = document->root();
  if (root.is_array()) {
    return Invalid{kInvalidRequest, "an array: batches are not part of the protocol", ""};
  }
  if (!root.is_object()) {
    return Invalid{kInvalidRequest, absl::StrCat("not an object but ", json::KindName(root.kind())),
                   ""};
  }
  const json::Value id = root.Find("id");
  Message message{.id = IdText(id).value_or(""), .document = *document};
  if (root.StringOr("jsonrpc", "") != "2.0") {
    return Invalid{kInvalidRequest, R"(`jsonrpc` is not "2.0")", message.id};
  }
  const json::Value method = root.Find("method");
  if (!method.exists() && (root.Find("result").exists() || root.Find("error").exists())) {
    message.kind = Message::Kind::kResponse;
    return message;
  }
  if (!method.is_string()) {
    return Invalid{kInvalidRequest, "`method` is missing or not a string", message.id};
  }
  if (id.exists() && message.id.empty()) {
    return Invalid{kInvalidRequest, "`id` is neither a string nor an integer", ""};
  }
  message.kind = id.exists() ? Message::Kind::kRequest : Message::Kind::kNotification;
  message.method = std::string(method.string());
  // A notification has no answer, not even to bad params.
  if (const json::Value params = message.params();
      message.kind == Message::Kind::kRequest && params.exists() && !params.is_object()) {
    return Invalid{kInvalidParams, "`params` is not an object", message.id};
  }
  return message;
}

std::string ResultMessage(absl::string_view id, absl::string_view result) {
  return absl::StrCat(kVersion, IdMember(id), R"("result":)", result, "}");
}

std::string ErrorMessage(absl::string_view id, int code, absl::string_view message,
                         absl::string_view data) {
  return absl::StrCat(kVersion, IdMember(id), R"("error":{"code":)", code, R"(,"message":)",
                      json::Quote(message), data.empty() ? "" : R"(,"data":)", data, "}}");
}

std::string NotificationMessage(absl::string_view method, absl::string_view params) {
  return absl::StrCat(kVersion, R"("method":)", json::Quote(method),
                      params.empty() ? "" : R"(,"params":)", params, "}");
}

}  // namespace tipstaff::mcp
