// Limits of a skill and of its permissions.
#include "absl/strings/str_cat.h"
#include "mediator/base/units.h"
#include "mediator/json/write.h"
#include "mediator/policy/codes.h"
#include "mediator/policy/loader.h"

namespace tipstaff::policy::internal {

Limits Loader::ReadUse(json::Value limits) {
  Limits use;
  for (const LimitKind kind : kLimitKinds) {
    const absl::string_view key = LimitKey(kind);
    if (limits.Find(key).exists()) {
      use[kind] = IsSize(kind) ? ReadSize(limits, key) : ReadCount(limits, key);
    }
  }
  return use;
}

std::optional<uint64_t> Loader::ReadCount(json::Value mapping, absl::string_view key) {
  const json::Value value = mapping.Find(key);
  if (value.kind() == json::Kind::kInteger && value.integer() > 0) {
    return static_cast<uint64_t>(value.integer());
  }
  reader_.Error(value, kBadLimit, absl::StrCat("`", key, "` takes a whole number over 0"),
                value.kind() == json::Kind::kInteger && value.integer() == 0
                    ? "to allow no call, leave the permission out"
                    : "");
  return std::nullopt;
}

std::optional<uint64_t> Loader::ReadSize(json::Value mapping, absl::string_view key) {
  const json::Value value = mapping.Find(key);
  const auto size =
      value.is_string() ? base::ParseBytes(value.string()) : base::ParseBytes(json::Dump(value));
  if (size.ok() && *size > 0) return static_cast<uint64_t>(*size);
  reader_.Error(value, kBadLimit, absl::StrCat("`", key, "` takes a size over 0 such as `2MiB`"),
                "units are KiB, MiB and GiB");
  return std::nullopt;
}

void Loader::ReadLimits() {
  const json::Value limits = skill_->limits_node_ = root().Find("limits");
  if (!limits.exists()) return;
  if (!reader_.CheckMapping(
          limits, "the limits of a skill",
          {"calls", "wall", "argument_bytes", "result_bytes", "calls_per_minute"})) {
    return;
  }
  skill_->limits_.use = ReadUse(limits);
  const json::Value wall = limits.Find("wall");
  if (!wall.exists()) return;
  const auto duration =
      wall.is_string() ? base::ParseDuration(wall.string()) : absl::InvalidArgumentError("no text");
  if (duration.ok() && *duration > absl::ZeroDuration()) {
    skill_->limits_.wall = *duration;
  } else {
    reader_.Error(wall, kBadLimit, "`wall` takes a duration over 0 such as `30m` or `1h30m`",
                  "units are ms, s, m, h and d");
  }
}

void Loader::ReadPermissionLimits(json::Value node, Permission& permission) {
  const json::Value limits = node.Find("limits");
  if (!limits.exists()) return;
  if (const json::Value wall = limits.Find("wall"); wall.exists()) {
    reader_.ErrorAtKey(wall, kUnknownKey, "unknown key `wall` in the limits of a permission",
                       "it belongs to the `limits` of the skill");
    return;
  }
  if (!reader_.CheckMapping(limits, "the limits of a permission",
                            {"calls", "argument_bytes", "result_bytes", "calls_per_minute"})) {
    return;
  }
  permission.limits = ReadUse(limits);
}

}  // namespace tipstaff::policy::internal
