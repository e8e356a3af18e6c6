#include "stubs/engine/lua_libraries.h"

#include <cmath>
#include <iterator>
#include <lua.hpp>

#include "absl/strings/string_view.h"
#include "stubs/engine/lua_library_functions.h"

namespace tipstaff::engine {
namespace {

// `replacement` is null where Lua's own function does.
struct Entry {
  const char* library;  // "" for globals
  const char* name;
  lua_CFunction replacement;
};

constexpr Entry kEntries[] = {
    {"", "assert", nullptr},           {"", "error", nullptr},
    {"", "ipairs", nullptr},           {"", "pairs", &SortedPairs},
    {"", "select", nullptr},           {"", "tonumber", nullptr},
    {"", "tostring", &PlainToString},  {"", "type", nullptr},
    {"string", "byte", nullptr},       {"string", "char", nullptr},
    {"string", "find", &PlainFind},    {"string", "format", &PlainFormat},
    {"string", "len", nullptr},        {"string", "lower", nullptr},
    {"string", "rep", &BoundedRepeat}, {"string", "reverse", nullptr},
    {"string", "sub", nullptr},        {"string", "upper", nullptr},
    {"table", "concat", nullptr},      {"table", "insert", &ChargedInsert},
    {"table", "pack", nullptr},        {"table", "remove", &ChargedRemove},
    {"table", "sort", &StableSort},    {"table", "unpack", nullptr},
    {"math", "abs", nullptr},          {"math", "ceil", nullptr},
    {"math", "floor", nullptr},        {"math", "fmod", nullptr},
    {"math", "max", nullptr},          {"math", "min", nullptr},
    {"math", "modf", nullptr},         {"math", "sqrt", nullptr},
    {"math", "tointeger", nullptr},    {"math", "type", nullptr},
    {"math", "ult", nullptr},          {"utf8", "char", nullptr},
    {"utf8", "codepoint", nullptr},    {"utf8", "codes", nullptr},
    {"utf8", "len", nullptr},          {"utf8", "offset", nullptr},
};

// The functions of kEntries, looked up once in a state that is then thrown away: making a state for
// a call is then a matter of microseconds, and what is not in the list is never there.
struct Functions {
  lua_CFunction function[std::size(kEntries)];

  Functions() {
    lua_State* lua = luaL_newstate();
    luaL_openlibs(lua);
    for (size_t i = 0; i < std::size(kEntries); ++i) {
      const Entry& entry = kEntries[i];
      lua_getglobal(lua, entry.library[0] == '\0' ? LUA_GNAME : entry.library);
      lua_getfield(lua, -1, entry.name);
      function[i] = entry.replacement != nullptr ? entry.replacement : lua_tocfunction(lua, -1);
      lua_settop(lua, 0);
    }
    lua_close(lua);
  }
};

void SetConstants(lua_State* lua) {
  lua_getglobal(lua, "math");
  lua_pushnumber(lua, HUGE_VAL);
  lua_setfield(lua, -2, "huge");
  lua_pushnumber(lua, 3.14159265358979323846);
  lua_setfield(lua, -2, "pi");
  lua_pushinteger(lua, LUA_MAXINTEGER);
  lua_setfield(lua, -2, "maxinteger");
  lua_pushinteger(lua, LUA_MININTEGER);
  lua_setfield(lua, -2, "mininteger");
  lua_pop(lua, 1);
}

// So that ("x"):upper() works.
void SetStringMethods(lua_State* lua) {
  lua_pushliteral(lua, "");
  lua_createtable(lua, 0, 1);
  lua_getglobal(lua, "string");
  lua_setfield(lua, -2, "__index");
  lua_setmetatable(lua, -2);
  lua_pop(lua, 1);
}

}  // namespace

void OpenLibraries(lua_State* lua) {
  static const Functions kFunctions;
  absl::string_view library;
  lua_rawgeti(lua, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
  const int globals = lua_gettop(lua);
  for (size_t i = 0; i < std::size(kEntries); ++i) {
    const Entry& entry = kEntries[i];
    if (absl::string_view(entry.library) != library) {
      library = entry.library;
      lua_settop(lua, globals);
      lua_createtable(lua, 0, 16);
      lua_pushvalue(lua, -1);
      lua_setfield(lua, globals, entry.library);
    }
    lua_pushcfunction(lua, kFunctions.function[i]);
    lua_setfield(lua, -2, entry.name);
  }
  lua_settop(lua, globals - 1);
  SetConstants(lua);
  SetStringMethods(lua);
}

}  // namespace tipstaff::engine
