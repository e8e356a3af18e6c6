#include <algorithm>
#include <lua.hpp>
#include <vector>

#include "absl/strings/string_view.h"
#include "stubs/engine/lua_library_functions.h"
#include "stubs/engine/lua_sandbox.h"

namespace tipstaff::engine {
namespace {

// A key of a table that pairs goes through. Texts stay alive with the table.
struct Key {
  bool is_text = false;
  bool is_integer = false;
  lua_Integer integer = 0;
  lua_Number number = 0;
  absl::string_view text;
};

bool operator<(const Key& a, const Key& b) {
  if (a.is_text != b.is_text) return b.is_text;
  if (a.is_text) return a.text < b.text;
  if (a.is_integer && b.is_integer) return a.integer < b.integer;
  return a.number < b.number;
}

Key ReadKey(lua_State* lua, int index) {
  Key key;
  if (lua_type(lua, index) == LUA_TSTRING) {
    size_t size = 0;
    const char* text = lua_tolstring(lua, index, &size);
    key.is_text = true;
    key.text = absl::string_view(text, size);
  } else if (lua_type(lua, index) == LUA_TNUMBER) {
    key.is_integer = lua_isinteger(lua, index);
    key.integer = lua_tointeger(lua, index);
    key.number = lua_tonumber(lua, index);
  } else {
    luaL_error(lua, "pairs: a key is %s, not text or a number", TypeName(lua, index));
  }
  return key;
}

void PushKey(lua_State* lua, const Key& key) {
  if (key.is_text) {
    lua_pushlstring(lua, key.text.data(), key.text.size());
  } else if (key.is_integer) {
    lua_pushinteger(lua, key.integer);
  } else {
    lua_pushnumber(lua, key.number);
  }
}

// Upvalues: the table, its keys in order, the position of the last one given.
int NextPair(lua_State* lua) {
  lua_Integer position = lua_tointeger(lua, lua_upvalueindex(3));
  for (;;) {
    lua_settop(lua, 0);
    if (lua_rawgeti(lua, lua_upvalueindex(2), ++position) == LUA_TNIL) return 1;
    lua_pushinteger(lua, position);
    lua_replace(lua, lua_upvalueindex(3));
    lua_pushvalue(lua, 1);
    // One that was removed meanwhile is passed over.
    if (lua_rawget(lua, lua_upvalueindex(1)) != LUA_TNIL) return 2;
  }
}

// table[1..n], as table.insert and table.remove see it.
lua_Integer CheckList(lua_State* lua) {
  luaL_checktype(lua, 1, LUA_TTABLE);
  return static_cast<lua_Integer>(lua_rawlen(lua, 1));
}

// Whether the value on top of the stack comes before the one below it; pops both.
bool TopIsLess(lua_State* lua, bool has_comparison) {
  if (has_comparison) {
    lua_pushvalue(lua, 2);
    lua_pushvalue(lua, -2);
    lua_pushvalue(lua, -4);
    lua_call(lua, 2, 1);
    const bool less = lua_toboolean(lua, -1);
    lua_pop(lua, 3);
    return less;
  }
  if (lua_type(lua, -1) == LUA_TSTRING && lua_type(lua, -2) == LUA_TSTRING) {
    Sandbox::Of(lua).Charge(lua, (lua_rawlen(lua, -1) + lua_rawlen(lua, -2)) / 8);
  }
  const bool less = lua_compare(lua, -1, -2, LUA_OPLT);
  lua_pop(lua, 2);
  return less;
}

}  // namespace

int SortedPairs(lua_State* lua) {
  luaL_checktype(lua, 1, LUA_TTABLE);
  std::vector<Key> keys;
  for (lua_pushnil(lua); lua_next(lua, 1) != 0; lua_pop(lua, 1)) keys.push_back(ReadKey(lua, -2));
  Sandbox::Of(lua).Charge(lua, keys.size());
  std::sort(keys.begin(), keys.end());
  lua_pushvalue(lua, 1);
  lua_createtable(lua, static_cast<int>(keys.size()), 0);
  for (size_t i = 0; i < keys.size(); ++i) {
    PushKey(lua, keys[i]);
    lua_rawseti(lua, -2, static_cast<lua_Integer>(i) + 1);
  }
  lua_pushinteger(lua, 0);
  lua_pushcclosure(lua, &NextPair, 3);
  return 1;
}

int ChargedInsert(lua_State* lua) {
  const lua_Integer size = CheckList(lua);
  const int arguments = lua_gettop(lua);
  if (arguments != 2 && arguments != 3) {
    return luaL_error(lua, "table.insert: expected a list, a position if wanted, and a value");
  }
  lua_Integer position = size + 1;
  if (arguments == 3) {
    position = luaL_checkinteger(lua, 2);
    luaL_argcheck(lua, position >= 1 && position <= size + 1, 2, "position out of bounds");
  }
  Sandbox::Of(lua).Charge(lua, size + 1 - position);
  for (lua_Integer i = size; i >= position; --i) {
    lua_rawgeti(lua, 1, i);
    lua_rawseti(lua, 1, i + 1);
  }
  lua_rawseti(lua, 1, position);
  return 0;
}

int ChargedRemove(lua_State* lua) {
  const lua_Integer size = CheckList(lua);
  if (size == 0) {
    lua_pushnil(lua);
    return 1;
  }
  const lua_Integer position = luaL_optinteger(lua, 2, size);
  luaL_argcheck(lua, position >= 1 && position <= size, 2, "position out of bounds");
  Sandbox::Of(lua).Charge(lua, size - position);
  lua_rawgeti(lua, 1, position);
  for (lua_Integer i = position; i < size; ++i) {
    lua_rawgeti(lua, 1, i + 1);
    lua_rawseti(lua, 1, i);
  }
  lua_pushnil(lua);
  lua_rawseti(lua, 1, size);
  return 1;
}

// Merge sort, bottom up, between the list and a scratch table of the same length. A comparison that
// contradicts itself gives some order and no harm.
int StableSort(lua_State* lua) {
  const lua_Integer size = CheckList(lua);
  const bool has_comparison = !lua_isnoneornil(lua, 2);
  if (has_comparison) luaL_checktype(lua, 2, LUA_TFUNCTION);
  lua_settop(lua, 2);
  lua_createtable(lua, static_cast<int>(std::min<lua_Integer>(size, 1 << 20)), 0);
  int from = 1, to = 3;
  for (lua_Integer width = 1; width < size; width *= 2, std::swap(from, to)) {
    Sandbox::Of(lua).Charge(lua, size);
    for (lua_Integer left = 1; left <= size; left += 2 * width) {
      const lua_Integer middle = std::min(left + width, size + 1);
      const lua_Integer end = std::min(left + 2 * width, size + 1);
      lua_Integer a = left, b = middle;
      for (lua_Integer out = left; out < end; ++out) {
        bool take_right = a == middle;
        if (a < middle && b < end) {
          lua_rawgeti(lua, from, a);
          lua_rawgeti(lua, from, b);
          take_right = TopIsLess(lua, has_comparison);
        }
        lua_rawgeti(lua, from, take_right ? b++ : a++);
        lua_rawseti(lua, to, out);
      }
    }
  }
  for (lua_Integer i = 1; from == 3 && i <= size; ++i) {
    lua_rawgeti(lua, 3, i);
    lua_rawseti(lua, 1, i);
  }
  return 0;
}

}  // namespace tipstaff::engine
