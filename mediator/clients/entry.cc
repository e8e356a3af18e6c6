#include "mediator/clients/entry.h"

#include <algorithm>
#include <cstdint>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "mediator/base/escape.h"
#include "mediator/base/status.h"
#include "mediator/json/builder.h"

namespace tipstaff::clients {
namespace {

constexpr size_t kMaxNameBytes = 32;
constexpr size_t kShownColumns = 100;

// As the client spells a variable of its environment.
std::string VariableIn(const Client& client, absl::string_view name) {
  switch (client.expands) {
    case Expands::kEnvironment:
      return absl::StrCat("${", name, "}");
    case Expands::kEditor:
      return absl::StrCat("${env:", name, "}");
    case Expands::kNothing:
      return "";
  }
  return "";
}

absl::Status AddHttp(const Client& client, const Server& server, json::Builder& b) {
  if (!client.takes_http) {
    return absl::InvalidArgumentError(
        absl::StrCat("the configuration of ", client.title,
                     " has no place for an address: leave out --http, and it starts "
                     "tipstaff-guest itself"));
  }
  if (!client.http_type.empty()) b.Field("type", client.http_type);
  b.Field("url", server.url);
  if (server.token_variable.empty()) return absl::OkStatus();
  if (client.expands == Expands::kNothing) {
    return absl::InvalidArgumentError(
        absl::StrCat(client.title,
                     " replaces no variables in its configuration, and a token does not belong "
                     "there: serve it without --http-token-file, or let it start tipstaff-guest"));
  }
  b.Key("headers").StartObject();
  b.Field("Authorization", absl::StrCat("Bearer ", VariableIn(client, server.token_variable)));
  b.EndObject();
  return absl::OkStatus();
}

absl::Status AddEntry(const Client& client, const Server& server, json::Builder& b) {
  if (client.servers_key.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat(client.title, " has no configuration file: it is set up in Python"));
  }
  b.StartObject();
  if (server.is_http()) {
    TIPSTAFF_RETURN_IF_ERROR(AddHttp(client, server, b));
  } else {
    if (!client.stdio_type.empty()) b.Field("type", client.stdio_type);
    b.Field("command", server.command).Key("args").StartArray();
    for (const std::string& argument : server.arguments) b.String(argument);
    b.EndArray();
  }
  b.EndObject();
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckServerName(absl::string_view name) {
  const bool fits = !name.empty() && name.size() <= kMaxNameBytes && absl::ascii_isalnum(name[0]) &&
                    std::all_of(name.begin(), name.end(), [](char c) {
                      return absl::ascii_isalnum(c) || c == '_' || c == '-';
                    });
  if (fits) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "--name `", base::EscapeAndCut(name, kShownColumns), "` is none that clients take: 1 to ",
      kMaxNameBytes, " letters, digits, `_` and `-`, a letter or digit first"));
}

absl::Status CheckUrl(absl::string_view url) {
  absl::string_view port = url;
  uint32_t number = 0;
  const bool is_ours = (absl::ConsumePrefix(&port, "http://127.0.0.1:") ||
                        absl::ConsumePrefix(&port, "http://[::1]:")) &&
                       absl::ConsumeSuffix(&port, "/mcp") && !port.empty() &&
                       std::all_of(port.begin(), port.end(), absl::ascii_isdigit) &&
                       absl::SimpleAtoi(port, &number) && number > 0 && number <= UINT16_MAX;
  if (is_ours) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("--http `", base::EscapeAndCut(url, kShownColumns),
                   "` is not http://127.0.0.1:PORT/mcp or http://[::1]:PORT/mcp: `tipstaff-guest "
                   "--http` serves this machine only, and says its address when it listens"));
}

absl::StatusOr<json::Document> Entry(const Client& client, const Server& server) {
  json::Builder b;
  TIPSTAFF_RETURN_IF_ERROR(AddEntry(client, server, b));
  return std::move(b).Build();
}

}  // namespace tipstaff::clients
