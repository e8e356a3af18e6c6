// A tool as its backend offers it.
#pragma once

#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "mediator/json/document.h"

namespace tipstaff::call {

// What a call of the tool does to the outside. It belongs to the tool: a stub declares it, a pin
// file records the operator's classification.
enum class Effect { kRead, kWrite, kFinalize };

absl::string_view EffectName(Effect effect);  // "read", "write", "finalize"
std::optional<Effect> ParseEffect(absl::string_view name);

struct Tool {
  std::string name;  // within its backend, for instance "get_report"
  std::string title;
  std::string description;
  Effect effect = Effect::kWrite;
  json::Document input_schema;   // an object schema
  json::Document output_schema;  // null: none
};

// 1 to 64 characters of [A-Za-z0-9_.-].
bool IsToolName(absl::string_view name);
// 1 to 64 characters of [A-Za-z0-9_.:-].
bool IsCallId(absl::string_view id);

}  // namespace tipstaff::call
