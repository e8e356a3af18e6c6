// What an HTTP request to the MCP endpoint means, for both generations of Streamable HTTP, without
// I/O. Sources: modelcontextprotocol.io, "Transports" of 2025-11-25, "Streamable HTTP" of
// 2026-07-28.
//
// First the head alone is judged, before a byte of the body is looked at; then the body of a POST
// against its headers. What passes is a message for a ServerSession.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/string_view.h"
#include "mediator/mcp/message.h"
#include "mediator/mcp/version.h"

namespace tipstaff::mcp {

inline constexpr absl::string_view kEndpoint = "/mcp";
inline constexpr absl::string_view kSessionHeader = "mcp-session-id";

struct HttpHead {
  std::string method;  // "POST"
  std::string target;  // "/mcp"
  // Names in lower case, values without white space around them, in the order of the request.
  std::vector<std::pair<std::string, std::string>> headers;

  // The value of the first header of that name; nothing when there is none.
  std::optional<absl::string_view> Find(absl::string_view lower_case_name) const;
};

// Who may come in.
struct HttpDoor {
  uint16_t port = 0;  // of the loopback addresses
  std::string token;  // what a client has to bear; "": nothing
};

// A response without a stream. The body is JSON, or empty.
struct HttpAnswer {
  int status = 0;
  std::string body = "";
  std::vector<std::pair<std::string, std::string>> headers = {};
};

// What the head alone forbids. 403: a Host or Origin that is not exactly the loopback's (DNS
// rebinding); 404: another path; 401: without the token; 405: another method, or one that a modern
// server has not; 406 and 415: other types of content; 400: a header twice that may not be.
std::optional<HttpAnswer> JudgeHead(const HttpHead& head, const HttpDoor& door);

// Which forms of response a client takes: what its Accept says, or any without one.
struct HttpAccepts {
  bool json = true;
  bool events = true;  // text/event-stream
};
HttpAccepts AcceptsOf(const HttpHead& head);

// A POST that a session may see.
struct HttpPost {
  Generation generation = Generation::kLegacy;
  Message message;
  // Legacy: the session it belongs to, "" for `initialize` without one. Modern: "".
  std::string session;
};

// The head was judged already. Errors have the status and, where the request's id could be read, a
// body with it.
std::variant<HttpPost, HttpAnswer> JudgePost(const HttpHead& head, absl::string_view body);

// For a session that is over or never was. `id` as JSON text; "": none.
HttpAnswer UnknownSession(absl::string_view id);

// An answer without a result. An empty id is left out.
HttpAnswer HttpError(int status, int code, absl::string_view message, absl::string_view id = "",
                     absl::string_view data = "");

// The status of an answer whose error has that code, 0 for a result.
int HttpStatusOf(Generation generation, int error);

// The value of a header that may be encoded as "=?base64?...?="; nothing when it cannot be decoded
// or has characters that no header value may have.
std::optional<std::string> DecodeHeaderValue(absl::string_view value);

}  // namespace tipstaff::mcp
