#include "mediator/config/upstreams.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "mediator/base/units.h"
#include "mediator/config/codes.h"
#include "mediator/config/mcp_server.h"
#include "mediator/config/shape.h"

namespace tipstaff::config::internal {
std::vector<std::string> LoadCommand(json::Value system, Reader& reader) {
  const json::Value list = system.Find("command");
  std::vector<std::string> command;
  if (!list.is_array() || list.size() == 0) {
    reader.Error(list, list.is_array() ? kBadValue : kWrongType,
                 "`command` is a list of a program and its arguments",
                 "for instance [./board, --account, board.log]");
    return {};
  }
  for (json::Value item : list.items()) {
    if (!item.is_string()) {
      reader.Error(
          item, kWrongType,
          absl::StrCat("an item of `command` must be a text, not ", json::KindName(item.kind())),
          item.is_number() || item.is_bool() ? "quote it" : "");
    } else if (item.string().empty() && command.empty()) {
      reader.Error(item, kBadValue, "the program of `command` is empty");
    }
    command.push_back(item.is_string() ? std::string(item.string()) : "");
  }
  return command;
}

std::string LoadStop(json::Value system, Reader& reader) {
  const std::optional<std::string> stop = reader.Text(system, "stop");
  if (!stop) return "";
  if (std::find(std::begin(kStops), std::end(kStops), *stop) != std::end(kStops)) return *stop;
  reader.Error(system.Find("stop"), kBadValue, absl::StrCat("unknown `stop` `", *stop, "`"),
               absl::StrCat("expected ", absl::StrJoin(kStops, ", ")));
  return "";
}

absl::Duration LoadTime(json::Value system, absl::string_view key, absl::Duration otherwise,
                        Reader& reader) {
  const std::optional<std::string> text = reader.Text(system, key);
  if (!text) return otherwise;
  const absl::StatusOr<absl::Duration> time = base::ParseDuration(*text);
  if (time.ok() && *time >= kMinTimeout && *time <= kMaxTimeout) return *time;
  reader.Error(system.Find(key), kBadValue,
               time.ok() ? absl::StrCat("`", key, "` is out of range")
                         : absl::StrCat("`", key, "`: ", time.status().message()),
               time.ok() ? "expected 1ms to 1h" : "for instance 30s");
  return otherwise;
}

namespace {

TestSystem LoadTestSystem(absl::string_view name, json::Value system, Reader& reader) {
  TestSystem loaded{.name = std::string(name), .folder = reader.folder()};
  if (!reader.IsMapping(system, "`test_system`", kTestSystemKeys)) return loaded;
  for (const char* key : {"command", "tools", "stop"}) {
    if (system.Find(key).exists()) continue;
    reader.ErrorAtKey(system, kMissingKey, absl::StrCat("`test_system` needs `", key, "`"));
  }
  if (system.Find("command").exists()) loaded.command = LoadCommand(system, reader);
  loaded.tools = reader.Path(system, "tools").value_or("");
  loaded.stop = LoadStop(system, reader);
  loaded.timeout = LoadTime(system, "timeout", kDefaultTimeout, reader);
  return loaded;
}

// The one kind that an upstream has; "" when that is wrong, which is reported.
absl::string_view KindOf(absl::string_view name, json::Value upstream, Reader& reader) {
  const std::string what = absl::StrCat("upstream `", name, "`");
  std::vector<absl::string_view> known(std::begin(kUpstreamKinds), std::end(kUpstreamKinds));
  std::vector<absl::string_view> kinds;
  for (absl::string_view kind : kUpstreamKinds) {
    if (upstream.Find(kind).exists()) kinds.push_back(kind);
  }
  if (kinds != std::vector<absl::string_view>{"test_system"}) {
    known.insert(known.end(), std::begin(kMcpServerKeys), std::end(kMcpServerKeys));
  }
  if (!reader.IsMapping(upstream, what, known)) return "";
  if (kinds.size() == 1) return kinds[0];
  if (kinds.empty()) {
    reader.ErrorAtKey(upstream, kMissingKey, absl::StrCat(what, " needs `stdio` or `http`"));
  } else {
    reader.ErrorAtKey(upstream.Find(kinds[1]), kTwice,
                      absl::StrCat(what, " is `", kinds[0], "` and `", kinds[1], "`"),
                      "an upstream is one of them");
  }
  return "";
}

}  // namespace

void LoadUpstreams(json::Value upstreams, Reader& reader, Config& config) {
  if (!upstreams.exists()) return;
  if (!upstreams.is_object()) {
    reader.Error(upstreams, kWrongType, "`upstreams` must be a mapping of names",
                 "for instance {tickets: {stdio: {...}}}");
    return;
  }
  for (const json::Member& member : upstreams.members()) {
    if (!reader.IsName(member.value, member.key, "an upstream", /*at_key=*/true)) continue;
    const absl::string_view kind = KindOf(member.key, member.value, reader);
    if (kind == "test_system") {
      config.test_systems.push_back(
          LoadTestSystem(member.key, member.value.Find("test_system"), reader));
    } else if (!kind.empty()) {
      config.mcp_servers.push_back(LoadMcpServer(member.key, member.value, config.people, reader));
    }
  }
  const auto by_name = [](const auto& a, const auto& b) { return a.name < b.name; };
  std::sort(config.test_systems.begin(), config.test_systems.end(), by_name);
  std::sort(config.mcp_servers.begin(), config.mcp_servers.end(), by_name);
}

}  // namespace tipstaff::config::internal
