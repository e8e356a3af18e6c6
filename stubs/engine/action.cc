#include "stubs/engine/action.h"

#include "absl/strings/str_cat.h"
#include "mediator/json/builder.h"
#include "mediator/json/parse.h"
#include "stubs/engine/lua_script.h"
#include "stubs/engine/near_miss.h"
#include "stubs/engine/replies.h"
#include "stubs/engine/select.h"
#include "stubs/engine/transition.h"

namespace tipstaff::engine {
namespace {

// What came nearest to a row that is not there.
ActionResult WithNote(ActionResult result, size_t table, absl::string_view key, CallScope& scope) {
  if (result.code == "not_found") {
    result.note = KeyNote(scope.definition().tables[table], scope.tables().rows(table), key);
  }
  return result;
}

absl::StatusOr<json::Document> Copy(json::Value value) {
  json::Builder builder;
  builder.Copy(value);
  return std::move(builder).Build();
}

ActionResult Run(const Select& select, CallScope& scope) { return RunSelect(select, scope); }
ActionResult Run(const Script& script, CallScope& scope) {
  return scope.scripts().Run(script, scope);
}

ActionResult Run(const Insert& insert, CallScope& scope) {
  std::vector<json::Document> storage;
  const absl::StatusOr<json::Value> row = insert.row.Resolve(scope, storage);
  if (!row.ok()) return ActionResult::Of(row.status());
  absl::StatusOr<json::Document> copy = Copy(*row);
  if (!copy.ok()) return ActionResult::Of(copy.status());
  const absl::Status status = scope.tables().Insert(insert.table, *copy);
  if (!status.ok()) return ActionResult::Of(status);
  return ActionResult::OfRow(*copy, scope);
}

ActionResult Run(const Update& update, CallScope& scope) {
  std::vector<json::Document> storage;
  const absl::StatusOr<json::Value> key = update.key.Resolve(scope, storage);
  const absl::StatusOr<json::Value> set = update.set.Resolve(scope, storage);
  if (!key.ok()) return ActionResult::Of(key.status());
  if (!set.ok()) return ActionResult::Of(set.status());
  if (!key->is_string()) return ActionResult::Broken("`update` without a key that is text");
  absl::StatusOr<json::Document> row = scope.tables().Update(update.table, key->string(), *set);
  if (!row.ok()) {
    return WithNote(ActionResult::Of(row.status(), update.not_found), update.table, key->string(),
                    scope);
  }
  return ActionResult::OfRow(*row, scope);
}

ActionResult Run(const Delete& action, CallScope& scope) {
  std::vector<json::Document> storage;
  const absl::StatusOr<json::Value> key = action.key.Resolve(scope, storage);
  if (!key.ok()) return ActionResult::Of(key.status());
  if (!key->is_string()) return ActionResult::Broken("`delete` without a key that is text");
  const json::Document* row = scope.tables().Find(action.table, key->string());
  const json::Document before = row == nullptr ? json::Document() : *row;
  const std::string deleted(key->string());
  const absl::Status status = scope.tables().Delete(action.table, deleted);
  if (!status.ok()) {
    return WithNote(ActionResult::Of(status, action.not_found), action.table, deleted, scope);
  }
  if (scope.wants_parts()) return ActionResult::OfRow(before, scope);
  json::Builder builder;
  builder.StartObject().Field("deleted", deleted).EndObject();
  absl::StatusOr<json::Document> value = std::move(builder).Build();
  if (!value.ok()) return ActionResult::Of(value.status());
  return ActionResult::Ok(*std::move(value));
}

ActionResult Run(const Transition& transition, CallScope& scope) {
  return RunTransition(transition, scope);
}

ActionResult Run(const std::shared_ptr<const Replies>& replies, CallScope& scope) {
  const std::optional<size_t> group = replies->FindGroup(scope.arguments());
  if (group) {
    const CannedReply& reply = replies->At(*group, scope.GiveReply(*group));
    if (!reply.error.empty()) return ActionResult::Failed(reply.error, reply.message);
    ActionResult result = ActionResult::Ok(reply.result);
    result.is_content = reply.is_content;
    return result;
  }
  const Unmatched& unmatched = scope.definition().unmatched;
  if (unmatched.result) return ActionResult::Ok(*unmatched.result);
  return ActionResult::Failed(unmatched.error, unmatched.message,
                              replies->ExplainNearest(scope.arguments()));
}

}  // namespace

ActionResult ActionResult::Of(const absl::Status& status, absl::string_view not_found) {
  if (absl::IsNotFound(status)) return Failed("not_found", std::string(not_found));
  if (absl::IsAlreadyExists(status)) return Failed("already_exists", std::string(status.message()));
  return Broken(std::string(status.message()));
}

ActionResult ActionResult::OfRow(const json::Document& row, const CallScope& scope,
                                 json::Value more) {
  if (!scope.wants_parts()) return Ok(row);
  json::Builder builder(json::kMaxDepth + 1);
  builder.StartObject().Field("row", row.root());
  for (const json::Member& member : more.members()) builder.Field(member.key, member.value);
  builder.EndObject();
  absl::StatusOr<json::Document> parts = std::move(builder).Build();
  return parts.ok() ? Ok(*std::move(parts)) : Of(parts.status());
}

ActionResult RunAction(const Action& action, CallScope& scope) {
  return std::visit([&scope](const auto& one) { return Run(one, scope); }, action);
}

}  // namespace tipstaff::engine
