// JSON-RPC 2.0 messages as MCP uses them: ids are strings or integers, params are objects, there
// are no batches, and an error whose request has no id has no "id" member (never null).
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "absl/strings/string_view.h"
#include "mediator/json/document.h"
#include "mediator/json/parse.h"

namespace tipstaff::mcp {

inline constexpr int kParseError = -32700;
inline constexpr int kInvalidRequest = -32600;
inline constexpr int kMethodNotFound = -32601;
inline constexpr int kInvalidParams = -32602;
inline constexpr int kInternalError = -32603;
inline constexpr int kResourceNotFound = -32002;  // legacy; modern: kInvalidParams
inline constexpr int kHeaderMismatch = -32020;
inline constexpr int kMissingCapability = -32021;
inline constexpr int kUnsupportedVersion = -32022;

// How deep a message may nest: the envelope around arguments, and room for arguments that are too
// deep to be refused by the mediator (and recorded) rather than here.
inline constexpr int kMaxMessageDepth = 2 * json::kMaxDepth;

struct Message {
  enum class Kind { kRequest, kNotification, kResponse };
  Kind kind = Kind::kNotification;
  std::string id;      // of a request, as JSON text: `7` or `"seven"`; else ""
  std::string method;  // of a request or notification
  json::Document document;

  // The member of that name: an object or kMissing for a request, anything for a notification.
  json::Value params() const { return document.root().Find("params"); }
};

// What is wrong with bytes that are not a message.
struct Invalid {
  int code;
  std::string message;
  std::string id;  // as JSON text where it could be read, else ""
};

std::variant<Message, Invalid> ReadMessage(absl::string_view bytes);

// A string or an integer as JSON text, which is one per value: usable as a key. Nothing for
// any other kind.
std::optional<std::string> IdText(json::Value value);

// A client's word in a message: in backticks, escaped and cut to 64 characters.
std::string Shown(absl::string_view text);

// Messages without the line feed. `result`, `data` and `params` are JSON texts without line feeds
// (json::Dump and json::Quote write none); an empty `id`, `data` or
// `params` leaves the member out.
std::string ResultMessage(absl::string_view id, absl::string_view result);
std::string ErrorMessage(absl::string_view id, int code, absl::string_view message,
                         absl::string_view data = "");
std::string NotificationMessage(absl::string_view method, absl::string_view params);

}  // namespace tipstaff::mcp
