// JSON-RPC as the calling side sees it: what a server may say, and what is said to it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "absl/strings/string_view.h"
#include "mediator/json/document.h"
#include "mediator/mcp/version.h"

namespace tipstaff::mcp {

// A request or notification of a server's.
struct ServerMessage {
  std::string id;  // as JSON text; "": a notification
  std::string method;
  json::Document document;

  json::Value params() const { return document.root().Find("params"); }
};

// A server's answer. One of `result`, `code` and `malformed` says what it is.
struct Answer {
  enum class Kind { kResult, kError, kMalformed };
  Kind kind = Kind::kMalformed;
  std::string id;         // as JSON text; "": null or none, as of an error of no known request
  std::string malformed;  // why it is of no use
  int code = 0;
  json::Document document;

  json::Value result() const { return document.root().Find("result"); }  // an object
  json::Value error() const { return document.root().Find("error"); }    // an object
};

// What is no message, or one that cannot be told apart from another kind.
struct Noise {
  std::string why;  // for people, escaped
};

std::variant<ServerMessage, Answer, Noise> ReadFromServer(absl::string_view bytes);

// The strings in the `data.supported` of an error.
std::vector<std::string> SupportedVersions(json::Value error);

// `_meta` of a request as JSON; "" for none.
struct RequestMeta {
  std::optional<uint64_t> progress_token;
  // Modern: the version, who asks (`client`), and the log level where there is one.
  Generation generation = Generation::kLegacy;
  std::string version;
  std::string log_level = "";
};
std::string RequestMetaJson(const RequestMeta& meta, const ServerInfo& client);

// Whether `params` is the text of a JSON object on one line that has no `_meta` of its own.
bool AreParams(absl::string_view params);

// A request without the line feed. `params`: AreParams(), passed as they are; `meta` is put into
// them unless it is "".
std::string RequestMessage(uint64_t id, absl::string_view method, absl::string_view params,
                           absl::string_view meta);

}  // namespace tipstaff::mcp
