#include "stubs/engine/lua_tables.h"

#include <cstdint>
#include <lua.hpp>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "stubs/engine/fields.h"
#include "stubs/engine/lua_context.h"
#include "stubs/engine/lua_sandbox.h"
#include "stubs/engine/lua_values.h"

namespace tipstaff::engine {
namespace {

constexpr char kHandle[] = "tipstaff.table";  // a userdata that holds the table's index

// Finding, changing and recording a row, counted as instructions of Lua.
constexpr uint64_t kStepsPerRow = 250;

size_t CheckTable(lua_State* lua) {
  Sandbox::Of(lua).Charge(lua, kStepsPerRow);
  return *static_cast<size_t*>(luaL_checkudata(lua, 1, kHandle));
}

Tables& TablesOf(lua_State* lua) { return Sandbox::Of(lua).run->scope.tables(); }

absl::string_view CheckKey(lua_State* lua) {
  if (lua_type(lua, 2) != LUA_TSTRING) luaL_argerror(lua, 2, "a row's key is text");
  size_t size = 0;
  const char* text = lua_tolstring(lua, 2, &size);
  return absl::string_view(text, size);
}

int Raise(lua_State* lua, const absl::Status& status) {
  return luaL_error(lua, "%s", std::string(status.message()).c_str());
}

int Get(lua_State* lua) {
  const size_t table = CheckTable(lua);
  const absl::string_view key = CheckKey(lua);
  const json::Document* row = TablesOf(lua).Find(table, key);
  if (row == nullptr) {
    Sandbox::Of(lua).run->scope.Missed(table, key);
  } else {
    Sandbox::Of(lua).Charge(lua, 5 * row->node_count());
  }
  PushJson(lua, row == nullptr ? json::Value() : row->root());
  return 1;
}

int InsertRow(lua_State* lua) {
  const size_t table = CheckTable(lua);
  luaL_checktype(lua, 2, LUA_TTABLE);
  const absl::Status status = TablesOf(lua).Insert(table, ToJson(lua, 2, "row"));
  if (!status.ok()) return Raise(lua, status);
  lua_settop(lua, 2);
  return 1;
}

int UpdateRow(lua_State* lua) {
  const size_t table = CheckTable(lua);
  luaL_checktype(lua, 3, LUA_TTABLE);
  const json::Document changes = ToJson(lua, 3, "changes");
  const absl::StatusOr<json::Document> row =
      TablesOf(lua).Update(table, CheckKey(lua), changes.root());
  if (!row.ok()) return Raise(lua, row.status());
  PushJson(lua, row->root());
  return 1;
}

int DeleteRow(lua_State* lua) {
  const size_t table = CheckTable(lua);
  const absl::Status status = TablesOf(lua).Delete(table, CheckKey(lua));
  if (!status.ok()) return Raise(lua, status);
  return 0;
}

// A list of the rows that pass `filter`; all when it is null.
int PushRows(lua_State* lua, const Rows& rows, const RowFilter* filter) {
  lua_createtable(lua, 0, 0);
  lua_Integer position = 0;
  for (const auto& [key, row] : rows) {
    Sandbox::Of(lua).Charge(lua, 5 * row.node_count());
    if (filter != nullptr && !filter->Matches(row.root())) continue;
    PushJson(lua, row.root());
    lua_rawseti(lua, -2, ++position);
  }
  MarkArray(lua, -1);
  return 1;
}

int AllRows(lua_State* lua) { return PushRows(lua, TablesOf(lua).rows(CheckTable(lua)), nullptr); }

int FindRows(lua_State* lua) {
  const size_t table = CheckTable(lua);
  luaL_checktype(lua, 2, LUA_TTABLE);
  const absl::StatusOr<RowFilter> filter = RowFilter::Parse(ToJson(lua, 2, "conditions"));
  if (!filter.ok()) return Raise(lua, filter.status());
  PushRows(lua, TablesOf(lua).rows(table), &*filter);
  if (lua_rawlen(lua, -1) == 0) Sandbox::Of(lua).run->scope.Missed(table, *filter);
  return 1;
}

int UnknownTable(lua_State* lua) {
  const std::vector<std::string> names = Sandbox::Of(lua).run->scope.definition().TableNames();
  const std::string list = ListNames(names);
  return luaL_error(lua, "there is no table `%s`: stub.yaml has %s",
                    lua_type(lua, 2) == LUA_TSTRING ? lua_tostring(lua, 2) : "?",
                    names.empty() ? "none" : list.c_str());
}

constexpr luaL_Reg kMethods[] = {
    {"delete", &DeleteRow}, {"find", &FindRows},    {"get", &Get},     {"insert", &InsertRow},
    {"rows", &AllRows},     {"update", &UpdateRow}, {nullptr, nullptr}};

}  // namespace

void PushTables(lua_State* lua, const Definition& definition) {
  luaL_newmetatable(lua, kHandle);
  luaL_newlib(lua, kMethods);
  lua_setfield(lua, -2, "__index");
  lua_pop(lua, 1);
  lua_createtable(lua, 0, static_cast<int>(definition.tables.size()));
  for (size_t i = 0; i < definition.tables.size(); ++i) {
    *static_cast<size_t*>(lua_newuserdatauv(lua, sizeof(size_t), 0)) = i;
    luaL_setmetatable(lua, kHandle);
    lua_setfield(lua, -2, definition.tables[i].name.c_str());
  }
  lua_createtable(lua, 0, 1);
  lua_pushcfunction(lua, &UnknownTable);
  lua_setfield(lua, -2, "__index");
  lua_setmetatable(lua, -2);
}

}  // namespace tipstaff::engine
