#include "mediator/mcp/http_rules.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "mediator/json/write.h"
#include "mediator/mcp/methods.h"

namespace tipstaff::mcp {
namespace {

constexpr absl::string_view kVersionHeader = "mcp-protocol-version";
constexpr absl::string_view kMethodHeader = "mcp-method";
constexpr absl::string_view kNameHeader = "mcp-name";
constexpr absl::string_view kBearer = "bearer ";

// Two of one of these would let two readers differ.
constexpr absl::string_view kOnce[] = {"host",         "origin",       "authorization",
                                       "content-type", kVersionHeader, kSessionHeader,
                                       kMethodHeader,  kNameHeader};

// Exactly "127.0.0.1:PORT", "localhost:PORT" or "[::1]:PORT"; without the port where it is HTTP's.
bool IsOurs(absl::string_view authority, uint16_t port) {
  constexpr absl::string_view kHosts[] = {"127.0.0.1", "localhost", "[::1]"};
  constexpr uint16_t kHttpPort = 80;
  const std::string lower = absl::AsciiStrToLower(authority);
  return std::any_of(std::begin(kHosts), std::end(kHosts), [&](absl::string_view host) {
    return lower == absl::StrCat(host, ":", port) || (port == kHttpPort && lower == host);
  });
}

bool IsOurOrigin(absl::string_view origin, uint16_t port) {
  return absl::ConsumePrefix(&origin, "http://") && IsOurs(origin, port);
}

// Takes as long for a wrong token as for the right one.
bool IsToken(absl::string_view given, absl::string_view token) {
  unsigned difference = given.size() == token.size() ? 0 : 1;
  for (size_t i = 0; i < token.size(); ++i) {
    const char other = given.empty() ? '\0' : given[i % given.size()];
    difference |= static_cast<unsigned char>(token[i] ^ other);
  }
  return difference == 0;
}

bool BearsToken(const HttpHead& head, absl::string_view token) {
  if (token.empty()) return true;
  const absl::string_view value = head.Find("authorization").value_or("");
  return absl::StartsWithIgnoreCase(value, kBearer) &&
         IsToken(absl::StripAsciiWhitespace(value.substr(kBearer.size())), token);
}

std::optional<HttpAnswer> JudgeContent(const HttpHead& head) {
  const absl::string_view type = head.Find("content-type").value_or("");
  const absl::string_view essence = type.substr(0, type.find(';'));
  if (!absl::EqualsIgnoreCase(absl::StripAsciiWhitespace(essence), "application/json")) {
    return HttpError(415, kInvalidRequest, "`Content-Type` is not application/json");
  }
  if (const auto encoding = head.Find("content-encoding");
      encoding && !absl::EqualsIgnoreCase(*encoding, "identity")) {
    return HttpError(415, kInvalidRequest, "`Content-Encoding` is not supported");
  }
  const HttpAccepts accepts = AcceptsOf(head);
  if (!accepts.json && !accepts.events) {
    return HttpError(406, kInvalidRequest,
                     "`Accept` has neither application/json nor text/event-stream");
  }
  return std::nullopt;
}

HttpAnswer NotAllowed(absl::string_view allowed) {
  HttpAnswer answer = HttpError(405, kInvalidRequest, "method not allowed");
  answer.headers.emplace_back("Allow", allowed);
  return answer;
}

// GET and DELETE are of legacy sessions.
std::optional<HttpAnswer> JudgeOfSession(const HttpHead& head) {
  const auto version = head.Find(kVersionHeader);
  if (version && !IsLegacyVersion(*version)) return NotAllowed("POST");
  if (!head.Find(kSessionHeader)) {
    if (!version) return NotAllowed("POST");
    return HttpError(400, kInvalidRequest, "`Mcp-Session-Id` is missing");
  }
  if (head.method == "GET" && !AcceptsOf(head).events) {
    return HttpError(406, kInvalidRequest, "`Accept` has no text/event-stream");
  }
  return std::nullopt;
}

}  // namespace

std::optional<absl::string_view> HttpHead::Find(absl::string_view lower_case_name) const {
  for (const auto& [name, value] : headers) {
    if (name == lower_case_name) return value;
  }
  return std::nullopt;
}

std::optional<HttpAnswer> JudgeHead(const HttpHead& head, const HttpDoor& door) {
  if (!IsOurs(head.Find("host").value_or(""), door.port)) {
    return HttpError(403, kInvalidRequest, "`Host` is not this server");
  }
  for (const absl::string_view name : kOnce) {
    const auto is_it = [&](const auto& header) { return header.first == name; };
    if (std::count_if(head.headers.begin(), head.headers.end(), is_it) > 1) {
      return HttpError(400, kInvalidRequest,
                       absl::StrCat("the header `", name, "` is there twice"));
    }
  }
  if (const auto origin = head.Find("origin"); origin && !IsOurOrigin(*origin, door.port)) {
    return HttpError(403, kInvalidRequest, "`Origin` is not this server");
  }
  if (!BearsToken(head, door.token)) {
    HttpAnswer answer = HttpError(401, kInvalidRequest, "the bearer token is missing or wrong");
    answer.headers.emplace_back("WWW-Authenticate", "Bearer");
    return answer;
  }
  if (head.target != kEndpoint) {
    return HttpError(404, kInvalidRequest, absl::StrCat("the only path is ", kEndpoint));
  }
  if (head.method == "POST") return JudgeContent(head);
  if (head.method == "GET" || head.method == "DELETE") return JudgeOfSession(head);
  return NotAllowed("POST, GET, DELETE");
}

HttpAccepts AcceptsOf(const HttpHead& head) {
  if (!head.Find("accept")) return {};
  HttpAccepts accepts = {false, false};
  for (const auto& [name, value] : head.headers) {
    if (name != "accept") continue;
    for (const absl::string_view part : absl::StrSplit(value, ',')) {
      const std::string type =
          absl::AsciiStrToLower(absl::StripAsciiWhitespace(part.substr(0, part.find(';'))));
      const bool any = type == "*/*";
      accepts.json = accepts.json || any || type == "application/json" || type == "application/*";
      accepts.events = accepts.events || any || type == "text/event-stream" || type == "text/*";
    }
  }
  return accepts;
}

HttpAnswer UnknownSession(absl::string_view id) {
  return HttpError(404, kInvalidRequest, "session not found: send `initialize` again", id);
}

HttpAnswer HttpError(int status, int code, absl::string_view message, absl::string_view id,
                     absl::string_view data) {
  return {status, ErrorMessage(id, code, message, data)};
}

int HttpStatusOf(Generation generation, int error) {
  if (generation == Generation::kLegacy) return 200;
  switch (error) {
    case kMethodNotFound:
      return 404;
    case kHeaderMismatch:
    case kMissingCapability:
    case kUnsupportedVersion:
      return 400;
    default:
      return 200;
  }
}

std::optional<std::string> DecodeHeaderValue(absl::string_view value) {
  const bool printable = std::all_of(value.begin(), value.end(), [](unsigned char c) {
    return c == '\t' || (c >= 0x20 && c < 0x7F);
  });
  if (!printable) return std::nullopt;
  absl::string_view encoded = value;
  if (!absl::ConsumePrefix(&encoded, "=?base64?") || !absl::ConsumeSuffix(&encoded, "?=")) {
    return std::string(value);
  }
  std::string decoded;
  if (!absl::Base64Unescape(encoded, &decoded)) return std::nullopt;
  return decoded;
}

}  // namespace tipstaff::mcp
