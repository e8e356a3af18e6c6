#include <string.h>

#include <algorithm>
#include <lua.hpp>

#include "absl/strings/ascii.h"
#include "absl/strings/string_view.h"
#include "stubs/engine/limits.h"
#include "stubs/engine/lua_library_functions.h"
#include "stubs/engine/lua_sandbox.h"

namespace tipstaff::engine {
namespace {

absl::string_view CheckText(lua_State* lua, int index) {
  size_t size = 0;
  const char* text = luaL_checklstring(lua, index, &size);
  return absl::string_view(text, size);
}

// Lua's own, for what the stand-ins let through.
lua_CFunction StandardFormat() {
  static const lua_CFunction kFormat = [] {
    lua_State* lua = luaL_newstate();
    luaL_requiref(lua, LUA_STRLIBNAME, luaopen_string, 0);
    lua_getfield(lua, -1, "format");
    const lua_CFunction format = lua_tocfunction(lua, -1);
    lua_close(lua);
    return format;
  }();
  return kFormat;
}

bool IsPlain(lua_State* lua, int index) {
  const int type = lua_type(lua, index);
  return type == LUA_TSTRING || type == LUA_TNUMBER || type == LUA_TBOOLEAN || type == LUA_TNIL;
}

// Whether a format has %p, which shows an address.
bool ShowsAddress(absl::string_view format) {
  for (size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') continue;
    ++i;
    while (i < format.size() && !absl::ascii_isalpha(format[i]) && format[i] != '%') ++i;
    if (i < format.size() && format[i] == 'p') return true;
  }
  return false;
}

}  // namespace

const char* TypeName(lua_State* lua, int index) {
  if (lua_islightuserdata(lua, index) && lua_touserdata(lua, index) == nullptr) return "null";
  return luaL_typename(lua, index);
}

int PlainToString(lua_State* lua) {
  luaL_checkany(lua, 1);
  if (IsPlain(lua, 1)) {
    luaL_tolstring(lua, 1, nullptr);
  } else {
    lua_pushstring(lua, TypeName(lua, 1));
  }
  return 1;
}

int PlainFind(lua_State* lua) {
  const absl::string_view text = CheckText(lua, 1), part = CheckText(lua, 2);
  lua_Integer from = luaL_optinteger(lua, 3, 1);
  const auto size = static_cast<lua_Integer>(text.size());
  if (from < 0) from = std::max<lua_Integer>(size + from + 1, 1);
  if (from == 0) from = 1;
  Sandbox::Of(lua).Charge(lua, (text.size() + part.size()) / 8);
  if (from > size + 1) {
    lua_pushnil(lua);
    return 1;
  }
  // memmem is linear, unlike a search by memchr and memcmp.
  const char* start = text.data() + from - 1;
  const void* found = ::memmem(start, size - from + 1, part.data(), part.size());
  if (found == nullptr) {
    lua_pushnil(lua);
    return 1;
  }
  const lua_Integer at = static_cast<const char*>(found) - text.data() + 1;
  lua_pushinteger(lua, at);
  lua_pushinteger(lua, at + static_cast<lua_Integer>(part.size()) - 1);
  return 2;
}

int PlainFormat(lua_State* lua) {
  const absl::string_view format = CheckText(lua, 1);
  if (ShowsAddress(format)) return luaL_error(lua, "string.format: there is no %%p");
  for (int i = 2; i <= lua_gettop(lua); ++i) {
    if (!IsPlain(lua, i)) {
      return luaL_error(lua, "string.format: argument %d is %s, not text or a number", i - 1,
                        TypeName(lua, i));
    }
    // %q goes byte by byte, and the result is copied as it grows.
    if (lua_type(lua, i) == LUA_TSTRING) Sandbox::Of(lua).Charge(lua, 4 * lua_rawlen(lua, i));
  }
  return StandardFormat()(lua);
}

int BoundedRepeat(lua_State* lua) {
  const absl::string_view text = CheckText(lua, 1);
  const lua_Integer times = luaL_checkinteger(lua, 2);
  size_t separator_size = 0;
  const char* separator = luaL_optlstring(lua, 3, "", &separator_size);
  const size_t each = text.size() + separator_size;
  if (times <= 0 || each == 0) {
    lua_pushliteral(lua, "");
    return 1;
  }
  if (static_cast<size_t>(times) > kMaxScriptMemory / each) {
    return luaL_error(lua, "string.rep: the text would be too long");
  }
  Sandbox::Of(lua).Charge(lua, times / 4);
  luaL_Buffer buffer;
  luaL_buffinitsize(lua, &buffer, each * times);
  for (lua_Integer i = 0; i < times; ++i) {
    if (i > 0) luaL_addlstring(&buffer, separator, separator_size);
    luaL_addlstring(&buffer, text.data(), text.size());
  }
  luaL_pushresult(&buffer);
  return 1;
}

}  // namespace tipstaff::engine
