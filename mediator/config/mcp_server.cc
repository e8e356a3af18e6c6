#include "mediator/config/mcp_server.h"

#include <algorithm>
#include <filesystem>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "mediator/base/escape.h"
#include "mediator/base/status.h"
#include "mediator/config/codes.h"
#include "mediator/config/shape.h"
#include "mediator/config/upstreams.h"
#include "mediator/json/builder.h"
#include "mediator/json/write.h"
#include "mediator/schema/url.h"

namespace tipstaff::config {
namespace {

using internal::Reader;

// The view's own; nor is what begins with LD_, which the linker obeys, for a configuration to set.
constexpr absl::string_view kKeptVariables[] = {"PATH", "HOME", "TMPDIR"};

std::string Absolute(const std::string& path) {
  std::error_code ignored;
  const std::filesystem::path whole = std::filesystem::absolute(path, ignored);
  return ignored ? path : whole.lexically_normal().string();
}

bool IsVariable(absl::string_view name) {
  if (name.empty() || name.size() > 128 || absl::ascii_isdigit(name[0])) return false;
  return std::all_of(name.begin(), name.end(),
                     [](char c) { return absl::ascii_isalnum(c) || c == '_'; });
}

// RFC 9110, a token; not one that belongs to the protocol or the connection.
bool IsHeader(absl::string_view name) {
  constexpr absl::string_view kOurs[] = {"host",       "content-length", "content-type",
                                         "connection", "accept",         "transfer-encoding",
                                         "te",         "upgrade"};
  const std::string lower = absl::AsciiStrToLower(name);
  if (name.empty() || name.size() > 128 || absl::StartsWith(lower, "mcp-") ||
      std::find(std::begin(kOurs), std::end(kOurs), lower) != std::end(kOurs)) {
    return false;
  }
  return std::all_of(name.begin(), name.end(), [](char c) {
    return absl::ascii_isalnum(c) || absl::StrContains("!#$%&'*+-.^_`|~", absl::string_view(&c, 1));
  });
}

void CheckVariable(json::Value at, absl::string_view name, Reader& reader) {
  const bool kept = std::find(std::begin(kKeptVariables), std::end(kKeptVariables), name) !=
                        std::end(kKeptVariables) ||
                    absl::StartsWith(name, "LD_");
  if (IsVariable(name) && !kept) return;
  reader.ErrorAtKey(at, kBadValue,
                    absl::StrCat("`", base::EscapeAndCut(name, 60),
                                 kept ? "` is not for a configuration to set"
                                      : "` is no name of an environment variable"));
}

void LoadStdio(json::Value stdio, Reader& reader, McpServer& server) {
  if (!reader.IsMapping(stdio, "`stdio`", kStdioKeys)) return;
  if (stdio.Find("command").exists()) {
    server.command = internal::LoadCommand(stdio, reader);
  } else {
    reader.ErrorAtKey(stdio, kMissingKey, "`stdio` needs `command`");
  }
  for (const std::string& folder :
       reader.Texts(stdio, "read").value_or(std::vector<std::string>())) {
    server.read.push_back(Absolute(reader.Resolve(folder)));
  }
  const json::Value env = stdio.Find("env");
  if (env.exists() && !env.is_object()) {
    reader.Error(env, kWrongType, "`env` must be a mapping of names",
                 "for instance {NODE_ENV: test}");
  }
  for (const json::Member& member : env.members()) {
    CheckVariable(member.value, member.key, reader);
    if (!member.value.is_string()) {
      reader.Error(
          member.value, kWrongType,
          absl::StrCat("a variable must be a text, not ", json::KindName(member.value.kind())),
          "quote it");
      continue;
    }
    server.environment.emplace_back(member.key, member.value.string());
  }
  std::sort(server.environment.begin(), server.environment.end());
  const std::string network = reader.Text(stdio, "network").value_or("none");
  server.network = network == "host";
  if (network != "none" && network != "host") {
    reader.Error(stdio.Find("network"), kBadValue,
                 absl::StrCat("unknown `network` `", base::EscapeAndCut(network, 60), "`"),
                 "expected none, host");
  }
  server.unconfined = reader.Text(stdio, "unconfined").value_or("");
}

void LoadHttp(json::Value http, Reader& reader, McpServer& server) {
  if (!reader.IsMapping(http, "`http`", kHttpKeys)) return;
  server.url = reader.Text(http, "url").value_or("");
  if (!http.Find("url").exists()) reader.ErrorAtKey(http, kMissingKey, "`http` needs `url`");
  if (const auto ca = reader.Path(http, "ca")) server.ca = Absolute(*ca);
  if (server.url.empty()) return;
  const std::optional<schema::Url> url = schema::ParseUrl(server.url);
  const bool is_local =
      url && (url->host == "127.0.0.1" || url->host == "[::1]" || url->host == "localhost");
  if (!url || absl::StrContains(server.url, '#')) {
    reader.Error(http.Find("url"), kBadValue, "`url` is no URL that all readers take alike",
                 "for instance https://wiki.example.com/mcp");
  } else if (url->scheme != "https" && !(url->scheme == "http" && is_local)) {
    reader.Error(http.Find("url"), kBadValue, "`url` must begin with https://",
                 "http:// is for 127.0.0.1, [::1] and localhost only");
  }
}

SecretSource LoadSecret(json::Value credential, Reader& reader) {
  SecretSource source;
  const json::Value from = credential.Find("from");
  if (!from.exists()) {
    reader.ErrorAtKey(credential, kMissingKey, "`credential` needs `from`",
                      "for instance from: {env: WIKI_TOKEN}");
    return source;
  }
  if (!reader.IsMapping(from, "`from`", kSecretKeys)) return source;
  source.variable = reader.Text(from, "env").value_or("");
  if (const auto file = reader.Path(from, "file")) source.file = Absolute(*file);
  if (from.Find("env").exists() == from.Find("file").exists()) {
    reader.Error(from, kBadValue, "`from` has either `env` or `file`");
  }
  return source;
}

void LoadCredential(json::Value upstream, Reader& reader, McpServer& server) {
  const json::Value credential = upstream.Find("credential");
  if (!credential.exists() || !reader.IsMapping(credential, "`credential`", kCredentialKeys))
    return;
  const bool is_http = upstream.Find("http").exists();
  const char* key = is_http ? "header" : "variable";
  const char* other = is_http ? "variable" : "header";
  Credential loaded{reader.Text(credential, key).value_or(""),
                    reader.Text(credential, "format").value_or("{}"),
                    LoadSecret(credential, reader)};
  if (credential.Find(other).exists()) {
    reader.ErrorAtKey(credential.Find(other), kBadValue,
                      absl::StrCat("`", other, "` is not for ", is_http ? "`http`" : "`stdio`"),
                      absl::StrCat("say `", key, "`"));
  }
  if (!credential.Find(key).exists()) {
    reader.ErrorAtKey(credential, kMissingKey, absl::StrCat("`credential` needs `", key, "`"));
  } else if (is_http && !loaded.name.empty() && !IsHeader(loaded.name)) {
    reader.Error(credential.Find(key), kBadValue, "`header` names no header that is free to set",
                 "for instance Authorization");
  } else if (!is_http && !loaded.name.empty()) {
    CheckVariable(credential.Find(key), loaded.name, reader);
  }
  const size_t at = loaded.format.find("{}");
  if (at == std::string::npos || loaded.format.find("{}", at + 2) != std::string::npos ||
      absl::StrContains(loaded.format, '\n') || absl::StrContains(loaded.format, '\r')) {
    reader.Error(credential.Find("format"), kBadValue, "`format` has `{}` once, and no line feed",
                 "for instance \"Bearer {}\"");
  }
  server.credential = std::move(loaded);
}

void LoadStopOf(json::Value upstream, Reader& reader, McpServer& server) {
  server.stop = "none";
  if (upstream.Find("stop").exists()) server.stop = internal::LoadStop(upstream, reader);
  if (server.stop == "killable" &&
      (!server.url.empty() || server.network || !server.unconfined.empty())) {
    reader.Error(upstream.Find("stop"), kBadValue,
                 "`stop: killable` needs a confined `stdio` with `network: none`",
                 "what has left the machine cannot be killed; say none or queryable");
  }
  const json::Value query = upstream.Find("query");
  if (query.exists() && reader.IsMapping(query, "`query`", kQueryKeys)) {
    server.query_tool = reader.Text(query, "tool").value_or("");
    server.query_key = reader.Text(query, "argument").value_or("");
    for (const char* key : {"tool", "argument"}) {
      if (query.Find(key).exists()) continue;
      reader.ErrorAtKey(query, kMissingKey, absl::StrCat("`query` needs `", key, "`"));
    }
  }
  if ((server.stop == "queryable") != query.exists()) {
    reader.ErrorAtKey(query.exists() ? query : upstream.Find("stop"), kBadValue,
                      "`stop: queryable` and `query` go together",
                      "query: {tool: find_operation, argument: key}");
  }
}

void LoadOwner(json::Value upstream, absl::Span<const Person> people, Reader& reader,
               McpServer& server) {
  server.owner = reader.Text(upstream, "owner").value_or("");
  if (!upstream.Find("owner").exists()) {
    reader.ErrorAtKey(upstream, kMissingKey,
                      absl::StrCat("upstream `", server.name, "` needs `owner`"),
                      "the person who signs for it");
    return;
  }
  if (server.owner.empty()) return;
  const auto owner = std::find_if(people.begin(), people.end(), [&](const Person& person) {
    return person.name == server.owner;
  });
  if (owner != people.end() && !owner->key.empty()) return;
  reader.Error(upstream.Find("owner"), kBadValue,
               absl::StrCat("`", base::EscapeAndCut(server.owner, 60),
                            owner == people.end() ? "` is nobody in `people`" : "` has no `key`"),
               "whoever owns an upstream signs for it with a key");
}

absl::Status Wrong(absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat("not the encoding of an MCP server: ", what));
}

}  // namespace

namespace internal {

McpServer LoadMcpServer(absl::string_view name, json::Value upstream,
                        absl::Span<const Person> people, Reader& reader) {
  McpServer server{.name = std::string(name)};
  if (upstream.Find("stdio").exists()) LoadStdio(upstream.Find("stdio"), reader, server);
  if (upstream.Find("http").exists()) LoadHttp(upstream.Find("http"), reader, server);
  LoadCredential(upstream, reader, server);
  LoadStopOf(upstream, reader, server);
  LoadOwner(upstream, people, reader, server);
  server.timeout = LoadTime(upstream, "timeout", kDefaultTimeout, reader);
  server.longest = LoadTime(upstream, "longest", std::max(kDefaultLongest, server.timeout), reader);
  if (server.longest < server.timeout) {
    reader.Error(upstream.Find("longest"), kBadValue, "`longest` is less than `timeout`");
  }
  server.pins =
      reader.Path(upstream, "pins").value_or(reader.Resolve(absl::StrCat("pins/", name, ".json")));
  server.sign_off = reader.Path(upstream, "sign_off")
                        .value_or(reader.Resolve(absl::StrCat("signoffs/", name, ".dsse")));
  return server;
}

}  // namespace internal

std::string Encode(const McpServer& server) {
  json::Builder b;
  b.StartObject().Field("name", server.name).Field("owner", server.owner);
  if (server.url.empty()) {
    b.Key("stdio").StartObject().Key("command").StartArray();
    for (const std::string& word : server.command) b.String(word);
    b.EndArray().Key("read").StartArray();
    for (const std::string& folder : server.read) b.String(folder);
    b.EndArray().Key("env").StartObject();
    for (const auto& [name, value] : server.environment) b.Field(name, value);
    b.EndObject().Field("network", server.network).Field("unconfined", server.unconfined);
    b.EndObject();
  } else {
    b.Key("http").StartObject().Field("url", server.url).Field("ca", server.ca).EndObject();
  }
  if (server.credential) {
    b.Key("credential").StartObject().Field("name", server.credential->name);
    b.Field("format", server.credential->format).Field("env", server.credential->from.variable);
    b.Field("file", server.credential->from.file).EndObject();
  }
  b.Field("stop", server.stop).Field("query_tool", server.query_tool);
  b.Field("query_argument", server.query_key);
  b.Field("timeout_us", absl::ToInt64Microseconds(server.timeout));
  b.Field("longest_us", absl::ToInt64Microseconds(server.longest)).EndObject();
  return json::Canonical(std::move(b).Build()->root());
}

absl::StatusOr<McpServer> DecodeMcpServer(json::Value encoded) {
  McpServer server;
  if (!encoded.is_object()) return Wrong("no object");
  const auto text = [](json::Value object, absl::string_view key) {
    return std::string(object.StringOr(key, ""));
  };
  server.name = text(encoded, "name");
  server.owner = text(encoded, "owner");
  const json::Value stdio = encoded.Find("stdio"), http = encoded.Find("http");
  if (stdio.exists() == http.exists()) return Wrong("neither `stdio` nor `http`");
  for (json::Value word : stdio.Find("command").items()) {
    if (!word.is_string()) return Wrong("`command`");
    server.command.emplace_back(word.string());
  }
  for (json::Value folder : stdio.Find("read").items()) {
    if (!folder.is_string()) return Wrong("`read`");
    server.read.emplace_back(folder.string());
  }
  for (const json::Member& member : stdio.Find("env").members()) {
    if (!member.value.is_string()) return Wrong("`env`");
    server.environment.emplace_back(member.key, member.value.string());
  }
  server.network = stdio.BoolOr("network", false);
  server.unconfined = text(stdio, "unconfined");
  server.url = text(http, "url");
  server.ca = text(http, "ca");
  if (const json::Value credential = encoded.Find("credential"); credential.exists()) {
    server.credential = Credential{text(credential, "name"),
                                   text(credential, "format"),
                                   {text(credential, "env"), text(credential, "file")}};
  }
  server.stop = text(encoded, "stop");
  server.query_tool = text(encoded, "query_tool");
  server.query_key = text(encoded, "query_argument");
  server.timeout = absl::Microseconds(encoded.IntegerOr("timeout_us", 0));
  server.longest = absl::Microseconds(encoded.IntegerOr("longest_us", 0));
  const bool whole =
      !server.name.empty() && server.command.empty() != server.url.empty() &&
      server.timeout >= kMinTimeout && server.longest >= server.timeout &&
      std::find(std::begin(kStops), std::end(kStops), server.stop) != std::end(kStops);
  if (!whole) return Wrong("a part is missing");
  return server;
}

}  // namespace tipstaff::config
