#include "stubs/engine/transition.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "mediator/base/status.h"
#include "mediator/json/builder.h"
#include "stubs/engine/fields.h"
#include "stubs/engine/near_miss.h"

namespace tipstaff::engine {
namespace {

std::string Quoted(absl::string_view state) {
  return absl::StrCat("`", base::EscapeAndCut(state, 64), "`");
}

// Why a row may not go from one state to the other, or "".
std::string Forbidden(const Transition& transition, absl::string_view from, absl::string_view to) {
  const auto allowed = transition.allowed.find(from);
  const bool leads_on = allowed != transition.allowed.end() && !allowed->second.empty();
  if (leads_on &&
      std::find(allowed->second.begin(), allowed->second.end(), to) != allowed->second.end()) {
    return "";
  }
  const std::string sentence =
      absl::StrCat("`", base::Escape(transition.column), "` cannot go from ", Quoted(from), " to ",
                   Quoted(to), ": ");
  if (!leads_on) return absl::StrCat(sentence, "nothing follows ", Quoted(from));
  return absl::StrCat(sentence, "from there it can go to ", ListNames(allowed->second));
}

absl::StatusOr<json::Document> Ends(absl::string_view from, absl::string_view to) {
  json::Builder builder;
  builder.StartObject().Field("from", from).Field("to", to).EndObject();
  return std::move(builder).Build();
}

// `set` with the new state.
absl::StatusOr<json::Document> Changes(const Transition& transition, absl::string_view to,
                                       CallScope& scope) {
  std::vector<json::Document> storage;
  json::Value set;
  if (transition.set) {
    TIPSTAFF_ASSIGN_OR_RETURN(set, transition.set->Resolve(scope, storage));
  }
  json::Builder builder;
  builder.StartObject().Field(transition.column, to);
  for (const json::Member& member : set.members()) builder.Field(member.key, member.value);
  builder.EndObject();
  return std::move(builder).Build();
}

}  // namespace

ActionResult RunTransition(const Transition& transition, CallScope& scope) {
  std::vector<json::Document> storage;
  const absl::StatusOr<json::Value> key = transition.key.Resolve(scope, storage);
  const absl::StatusOr<json::Value> to = transition.to.Resolve(scope, storage);
  if (!key.ok()) return ActionResult::Of(key.status());
  if (!to.ok()) return ActionResult::Of(to.status());
  if (!key->is_string()) return ActionResult::Broken("`transition` without a key that is text");
  if (!to->is_string()) return ActionResult::Broken("`transition` without a state that is text");
  const json::Document* row = scope.tables().Find(transition.table, key->string());
  if (row == nullptr) {
    return ActionResult::Failed("not_found", transition.not_found,
                                KeyNote(scope.definition().tables[transition.table],
                                        scope.tables().rows(transition.table), key->string()));
  }
  const json::Document before = *row;  // keeps its texts while the row changes
  const json::Value from = before.root().Find(transition.column);
  if (!from.is_string()) {
    return ActionResult::Broken(absl::StrCat(
        "row `", base::EscapeAndCut(key->string(), 80), "` has no text in the column `",
        base::Escape(transition.column), "`, which `transition` goes by"));
  }
  std::string forbidden = Forbidden(transition, from.string(), to->string());
  if (!forbidden.empty()) return ActionResult::Failed("invalid_transition", std::move(forbidden));
  const absl::StatusOr<json::Document> ends = Ends(from.string(), to->string());
  if (!ends.ok()) return ActionResult::Of(ends.status());
  scope.set_parts(ends->root());
  const absl::StatusOr<json::Document> changes = Changes(transition, to->string(), scope);
  scope.set_parts({});
  if (!changes.ok()) return ActionResult::Of(changes.status());
  const absl::StatusOr<json::Document> after =
      scope.tables().Update(transition.table, key->string(), changes->root());
  if (!after.ok()) return ActionResult::Of(after.status(), transition.not_found);
  return ActionResult::OfRow(*after, scope, ends->root());
}

}  // namespace tipstaff::engine
