// A tool as its backend offers it.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"
#include "mediator/json/document.h"

namespace tipstaff::call {

// What a call of the tool does to the outside. It belongs to the tool: a stub declares it, a pin
// file records the operator's classification.
enum class Effect { kRead, kWrite, kFinalize };

absl::string_view EffectName(Effect effect);  // "read", "write", "finalize"
std::optional<Effect> ParseEffect(absl::string_view name);

// What of a backend is called: a resource is read by its `uri`, a prompt asked for with arguments.
// What is permitted to be read may be subscribed to: the agent is told when it changes.
// A completion asks for values of one argument of a prompt or a resource template.
enum class Kind { kTool, kResource, kPrompt, kCompletion, kSubscription };
// Those that backends offer and skills name.
inline constexpr Kind kKinds[] = {Kind::kTool, Kind::kResource, Kind::kPrompt, Kind::kCompletion};

// "tool", "resource", "prompt", "completion", "subscription"
absl::string_view KindName(Kind kind);

struct Tool {
  std::string name;  // within its backend, for instance "get_report"
  Kind kind = Kind::kTool;
  std::string title;
  std::string description;
  Effect effect = Effect::kWrite;
  json::Document input_schema;   // an object schema
  json::Document output_schema;  // null: none
  // Of an MCP server's: the Tool, Resource, ResourceTemplate or Prompt as it was pinned; else null.
  json::Document pinned;
  // A finalize only: the argument that takes the submission's key, by which the receiver knows a
  // repetition; "" for none. The mediator fills it in, never the guest.
  std::string idempotency_key;
  // A finalize only: who receives the result, as the token says that the mediator sends with it;
  // "" for none.
  std::string audience;
};

// What is called, in calls, decisions and records: "reports.get_report", "resource:docs.guide",
// "prompt:docs.summarise", "subscription:docs.guide". A tool's own name has no colon.
std::string FullName(Kind kind, absl::string_view alias, absl::string_view name);
std::string FullName(Kind kind, absl::string_view plain);  // "docs.guide"
Kind KindOf(absl::string_view full_name);
absl::string_view WithoutKind(absl::string_view full_name);  // "docs.guide"
// The alias and name of whatever is called: {"reports", "get_report"}, of "resource:docs.guide"
// {"docs", "guide"}; no alias where there is no point.
std::pair<std::string, std::string> SplitName(absl::string_view full_name);

// 1 to 64 characters of [A-Za-z0-9_.-].
bool IsToolName(absl::string_view name);
// 1 to 64 characters of [A-Za-z0-9_.:-].
bool IsCallId(absl::string_view id);

}  // namespace tipstaff::call
