#include "mediator/call/tool.h"

#include <algorithm>

#include "absl/strings/ascii.h"
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

bool IsToolName(absl::string_view name) { return IsName(name, kMaxToolNameBytes, "_.-"); }
bool IsCallId(absl::string_view id) { return IsName(id, kMaxCallIdBytes, "_.:-"); }

}  // namespace tipstaff::call
