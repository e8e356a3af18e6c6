#include "mediator/config/upstreams.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "mediator/base/units.h"
#include "mediator/config/codes.h"
#include "mediator/config/shape.h"

namespace tipstaff::config::internal {
namespace {

// The program and its arguments. Unlike other lists it may have the same text twice.
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

absl::Duration LoadTimeout(json::Value system, Reader& reader) {
  const std::optional<std::string> text = reader.Text(system, "timeout");
  if (!text) return kDefaultTimeout;
  const absl::StatusOr<absl::Duration> timeout = base::ParseDuration(*text);
  if (timeout.ok() && *timeout >= kMinTimeout && *timeout <= kMaxTimeout) return *timeout;
  reader.Error(system.Find("timeout"), kBadValue,
               timeout.ok() ? "`timeout` is out of range"
                            : absl::StrCat("`timeout`: ", timeout.status().message()),
               timeout.ok() ? "expected 1ms to 1h" : "for instance 30s");
  return kDefaultTimeout;
}

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
  loaded.timeout = LoadTimeout(system, reader);
  return loaded;
}

// Whether the one kind that it has is one of this version.
bool HasKind(absl::string_view name, json::Value upstream, Reader& reader) {
  const std::string what = absl::StrCat("upstream `", name, "`");
  std::vector<absl::string_view> known(std::begin(kUpstreamKinds), std::end(kUpstreamKinds));
  for (absl::string_view kind : kOtherUpstreamKinds) {
    if (!upstream.Find(kind).exists()) continue;
    reader.ErrorAtKey(
        upstream.Find(kind), kNotSupported,
        absl::StrCat("upstreams of kind `", kind, "` are not supported by this version"),
        "remove it; use stubs");
    known.push_back(kind);
  }
  if (!reader.IsMapping(upstream, what, known)) return false;
  if (upstream.size() == 0) {
    reader.ErrorAtKey(upstream, kMissingKey, absl::StrCat(what, " needs `test_system`"));
  }
  return upstream.Find("test_system").exists();
}

}  // namespace

std::vector<TestSystem> LoadUpstreams(json::Value upstreams, Reader& reader) {
  std::vector<TestSystem> loaded;
  if (!upstreams.exists()) return loaded;
  if (!upstreams.is_object()) {
    reader.Error(upstreams, kWrongType, "`upstreams` must be a mapping of names",
                 "for instance {board: {test_system: {...}}}");
    return loaded;
  }
  for (const json::Member& member : upstreams.members()) {
    if (!reader.IsName(member.value, member.key, "an upstream", /*at_key=*/true)) continue;
    if (!HasKind(member.key, member.value, reader)) continue;
    loaded.push_back(LoadTestSystem(member.key, member.value.Find("test_system"), reader));
  }
  std::sort(loaded.begin(), loaded.end(),
            [](const TestSystem& a, const TestSystem& b) { return a.name < b.name; });
  return loaded;
}

}  // namespace tipstaff::config::internal
