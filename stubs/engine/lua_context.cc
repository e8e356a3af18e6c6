#include "stubs/engine/lua_context.h"

#include <lua.hpp>

#include "absl/strings/str_cat.h"
#include "mediator/base/utf8.h"
#include "stubs/engine/limits.h"
#include "stubs/engine/load.h"
#include "stubs/engine/lua_library_functions.h"
#include "stubs/engine/lua_sandbox.h"
#include "stubs/engine/lua_tables.h"
#include "stubs/engine/lua_text.h"
#include "stubs/engine/lua_values.h"

namespace tipstaff::engine {
namespace {

ScriptRun& RunOf(lua_State* lua) { return *Sandbox::Of(lua).run; }

absl::string_view CheckText(lua_State* lua, int index) {
  size_t size = 0;
  const char* text = luaL_checklstring(lua, index, &size);
  return absl::string_view(text, size);
}

// An answer is a light userdata that holds its number, from 1.
int PushAnswer(lua_State* lua, ActionResult answer) {
  std::vector<ActionResult>& answers = RunOf(lua).answers;
  if (!answers.empty()) {
    return luaL_error(lua, "ctx.ok or ctx.fail was called twice: return the first answer");
  }
  answers.push_back(std::move(answer));
  lua_pushlightuserdata(lua, reinterpret_cast<void*>(answers.size()));
  return 1;
}

int Ok(lua_State* lua) {
  lua_settop(lua, 1);
  if (lua_isnil(lua, 1)) {
    lua_createtable(lua, 0, 0);
    lua_replace(lua, 1);
  }
  json::Document value = ToJson(lua, 1, "result");
  if (!value.root().is_object()) {
    return luaL_error(lua, "ctx.ok needs a table with text keys, not %s", TypeName(lua, 1));
  }
  return PushAnswer(lua, ActionResult::Ok(std::move(value)));
}

int Fail(lua_State* lua) {
  const absl::string_view code = CheckText(lua, 1), sentence = CheckText(lua, 2);
  if (!IsErrorCode(code)) {
    return luaL_error(lua, "ctx.fail: the code must be of a-z, 0-9 and _");
  }
  if (!base::IsUtf8(sentence)) return luaL_error(lua, "ctx.fail: the sentence is not UTF-8");
  return PushAnswer(lua, ActionResult::Failed(std::string(code), std::string(base::CutUtf8(
                                                                     sentence, kMaxMessageBytes))));
}

int Now(lua_State* lua) {
  const std::string now = RunOf(lua).scope.now();
  lua_pushlstring(lua, now.data(), now.size());
  return 1;
}

int NextId(lua_State* lua) {
  CallScope& scope = RunOf(lua).scope;
  const char* name = luaL_checkstring(lua, 1);
  const std::optional<size_t> index = scope.definition().FindId(name);
  if (!index) {
    const std::string names = ListNames(scope.definition().IdNames());
    return luaL_error(lua, "unknown id `%s`: stub.yaml has %s", name,
                      names.empty() ? "none" : names.c_str());
  }
  Sandbox::Of(lua).Charge(lua, 50);
  const absl::StatusOr<std::string> id = scope.NextId(*index);
  if (!id.ok()) return luaL_error(lua, "%s", std::string(id.status().message()).c_str());
  lua_pushlstring(lua, id->data(), id->size());
  return 1;
}

int Random(lua_State* lua) {
  const lua_Integer below = luaL_checkinteger(lua, 1);
  luaL_argcheck(lua, below >= 1, 1, "must be at least 1");
  Sandbox::Of(lua).Charge(lua, 10);
  lua_pushinteger(lua, static_cast<lua_Integer>(RunOf(lua).scope.random().Below(below)) + 1);
  return 1;
}

int Log(lua_State* lua) {
  const absl::string_view line = CheckText(lua, 1);
  Sandbox::Of(lua).Charge(lua, 20 + line.size() / 16);
  if (!base::IsUtf8(line)) return luaL_error(lua, "ctx.log: the text is not UTF-8");
  RunOf(lua).scope.Log(line);
  return 0;
}

int Array(lua_State* lua) {
  lua_settop(lua, 1);
  if (lua_isnil(lua, 1)) {
    lua_createtable(lua, 0, 0);
    lua_replace(lua, 1);
  }
  luaL_checktype(lua, 1, LUA_TTABLE);
  MarkArray(lua, 1);
  return 1;
}

int Fixture(lua_State* lua) {
  const Definition& definition = RunOf(lua).scope.definition();
  const char* name = luaL_checkstring(lua, 1);
  const std::optional<size_t> table = definition.FindTable(name);
  if (!table) return luaL_error(lua, "there is no table `%s`", name);
  const Rows& rows = definition.tables[*table].rows;
  const auto row = rows.find(CheckText(lua, 2));
  if (row != rows.end()) Sandbox::Of(lua).Charge(lua, 50 + 5 * row->second.node_count());
  PushJson(lua, row == rows.end() ? json::Value() : row->second.root());
  return 1;
}

constexpr luaL_Reg kFunctions[] = {{"array", &Array}, {"fail", &Fail},     {"fixture", &Fixture},
                                   {"id", &NextId},   {"log", &Log},       {"now", &Now},
                                   {"ok", &Ok},       {"random", &Random}, {nullptr, nullptr}};

// What a missing binding reads as: null, which equals nothing that a row has. With nil a condition
// of `find` on it would not be there at all, and every row would pass.
int MissingBinding(lua_State* lua) {
  lua_pushlightuserdata(lua, nullptr);
  return 1;
}

void PushBindings(lua_State* lua) {
  if (const json::Value bindings = RunOf(lua).scope.bindings(); bindings.is_object()) {
    PushJson(lua, bindings);
  } else {
    lua_createtable(lua, 0, 0);
  }
  lua_createtable(lua, 0, 1);
  lua_pushcfunction(lua, &MissingBinding);
  lua_setfield(lua, -2, "__index");
  lua_setmetatable(lua, -2);
}

}  // namespace

void PushContext(lua_State* lua) {
  lua_createtable(lua, 0, 12);
  luaL_setfuncs(lua, kFunctions, 0);
  lua_pushlightuserdata(lua, nullptr);
  lua_setfield(lua, -2, "null");
  lua_pushstring(lua, RunOf(lua).scope.tool().c_str());
  lua_setfield(lua, -2, "tool");
  PushTables(lua, RunOf(lua).scope.definition());
  lua_setfield(lua, -2, "tables");
  PushTextFunctions(lua);
  lua_setfield(lua, -2, "text");
  lua_createtable(lua, 0, 1);
  PushBindings(lua);
  lua_setfield(lua, -2, "bindings");
  lua_setfield(lua, -2, "run");
}

ActionResult TakeAnswer(lua_State* lua, int index) {
  std::vector<ActionResult>& answers = RunOf(lua).answers;
  const bool is_answer = lua_islightuserdata(lua, index) && answers.size() == 1 &&
                         lua_touserdata(lua, index) == reinterpret_cast<void*>(answers.size());
  if (is_answer) return std::move(answers.front());
  if (!answers.empty()) luaL_error(lua, "the answer of ctx.ok or ctx.fail was not returned");
  luaL_error(lua, "the script returned %s, not ctx.ok{...} or ctx.fail(code, sentence)",
             TypeName(lua, index));
  return ActionResult::Broken("");
}

}  // namespace tipstaff::engine
