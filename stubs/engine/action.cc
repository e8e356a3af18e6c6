#include "stubs/engine/action.h"

#include "absl/strings/str_cat.h"
#include "mediator/json/builder.h"
#include "stubs/engine/lua_script.h"
#include "stubs/engine/near_miss.h"
#include "stubs/engine/select.h"

namespace tipstaff::engine {
namespace {

// `not_found` is the sentence for a row that is not there.
ActionResult FromStatus(const absl::Status& status, absl::string_view not_found = "") {
  if (absl::IsNotFound(status)) return ActionResult::Failed("not_found", std::string(not_found));
  if (absl::IsAlreadyExists(status)) {
    return ActionResult::Failed("already_exists", std::string(status.message()));
  }
  return ActionResult::Broken(std::string(status.message()));
}

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
  if (!row.ok()) return FromStatus(row.status());
  absl::StatusOr<json::Document> copy = Copy(*row);
  if (!copy.ok()) return FromStatus(copy.status());
  const absl::Status status = scope.tables().Insert(insert.table, *copy);
  if (!status.ok()) return FromStatus(status);
  return ActionResult::Ok(*std::move(copy));
}

ActionResult Run(const Update& update, CallScope& scope) {
  std::vector<json::Document> storage;
  const absl::StatusOr<json::Value> key = update.key.Resolve(scope, storage);
  const absl::StatusOr<json::Value> set = update.set.Resolve(scope, storage);
  if (!key.ok()) return FromStatus(key.status());
  if (!set.ok()) return FromStatus(set.status());
  if (!key->is_string()) return ActionResult::Broken("`update` without a key that is text");
  absl::StatusOr<json::Document> row = scope.tables().Update(update.table, key->string(), *set);
  if (!row.ok()) {
    return WithNote(FromStatus(row.status(), update.not_found), update.table, key->string(), scope);
  }
  return ActionResult::Ok(*std::move(row));
}

ActionResult Run(const Delete& action, CallScope& scope) {
  std::vector<json::Document> storage;
  const absl::StatusOr<json::Value> key = action.key.Resolve(scope, storage);
  if (!key.ok()) return FromStatus(key.status());
  if (!key->is_string()) return ActionResult::Broken("`delete` without a key that is text");
  const absl::Status status = scope.tables().Delete(action.table, key->string());
  if (!status.ok()) {
    return WithNote(FromStatus(status, action.not_found), action.table, key->string(), scope);
  }
  json::Builder builder;
  builder.StartObject().Field("deleted", key->string()).EndObject();
  absl::StatusOr<json::Document> value = std::move(builder).Build();
  if (!value.ok()) return FromStatus(value.status());
  return ActionResult::Ok(*std::move(value));
}

}  // namespace

ActionResult RunAction(const Action& action, CallScope& scope) {
  return std::visit([&scope](const auto& one) { return Run(one, scope); }, action);
}

}  // namespace tipstaff::engine
