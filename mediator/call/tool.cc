#include "mediator/call/tool.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "mediator/call/limits.h"

namespace tipstaff::call {
namespace {

bool IsName(absl::string_view name, size_t most, absl::string_view marks) {
  return !name.empty() && name.size() <= most &&
         std::all_of(name.begin(), name.end(), [marks](unsigned char c) {
           return absl::ascii_isalnum(c) || marks.find(c) != absl::string_view::npos;
         });
}

}  // namespace

absl::string_view EffectName(Effect effect) {
  switch (effect) {
    case Effect::kRead:
      return "read";
    case Effect::kWrite:
      return "write";
    case Effect::kFinalize:
      return "finalize";
  }
  return "write";
}

std::optional<Effect> ParseEffect(absl::string_view name) {
  for (const Effect effect : {Effect::kRead, Effect::kWrite, Effect::kFinalize}) {
    if (name == EffectName(effect)) return effect;
  }
  return std::nullopt;
}

absl::string_view KindName(Kind kind) {
  switch (kind) {
    case Kind::kTool:
      return "tool";
    case Kind::kResource:
      return "resource";
    case Kind::kPrompt:
      return "prompt";
    case Kind::kCompletion:
      return "completion";
    case Kind::kSubscription:
      return "subscription";
  }
  return "tool";
}

std::string FullName(Kind kind, absl::string_view alias, absl::string_view name) {
  return FullName(kind, absl::StrCat(alias, ".", name));
}

std::string FullName(Kind kind, absl::string_view plain) {
  return kind == Kind::kTool ? std::string(plain) : absl::StrCat(KindName(kind), ":", plain);
}

Kind KindOf(absl::string_view full_name) {
  for (const Kind kind : {Kind::kResource, Kind::kPrompt, Kind::kCompletion, Kind::kSubscription}) {
    if (absl::ConsumePrefix(&full_name, KindName(kind)) && absl::ConsumePrefix(&full_name, ":")) {
      return kind;
    }
  }
  return Kind::kTool;
}

absl::string_view WithoutKind(absl::string_view full_name) {
  return full_name.substr(full_name.find(':') + 1);  // npos + 1: all of it
}

std::pair<std::string, std::string> SplitName(absl::string_view full_name) {
  full_name = WithoutKind(full_name);
  const size_t dot = full_name.find('.');
  if (dot == absl::string_view::npos) return {"", std::string(full_name)};
  return {std::string(full_name.substr(0, dot)), std::string(full_name.substr(dot + 1))};
}

bool IsToolName(absl::string_view name) { return IsName(name, kMaxToolNameBytes, "_.-"); }
bool IsCallId(absl::string_view id) { return IsName(id, kMaxCallIdBytes, "_.:-"); }

}  // namespace tipstaff::call
