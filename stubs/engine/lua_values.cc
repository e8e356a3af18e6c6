#include "stubs/engine/lua_values.h"

#include <algorithm>
#include <cmath>
#include <lua.hpp>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "mediator/base/utf8.h"
#include "mediator/json/builder.h"
#include "mediator/json/parse.h"
#include "stubs/engine/limits.h"
#include "stubs/engine/lua_library_functions.h"
#include "stubs/engine/lua_sandbox.h"

namespace tipstaff::engine {
namespace {

constexpr char kArrayMark[] = "tipstaff.array";  // a metatable, which scripts cannot reach

class Converter {
 public:
  Converter(lua_State* lua, const char* name) : lua_(lua), path_(name) {}

  json::Document Convert(int index) {
    Visit(lua_absindex(lua_, index), 0);
    absl::StatusOr<json::Document> document = std::move(builder_).Build();
    if (!document.ok()) Fail(std::string(document.status().message()));
    return *std::move(document);
  }

 private:
  [[noreturn]] void Fail(const std::string& problem) {
    const std::string message =
        absl::StrCat(base::EscapeAndCut(path_, 200), " ", base::EscapeAndCut(problem, 200));
    luaL_error(lua_, "%s", message.c_str());
    std::abort();  // luaL_error does not return
  }

  void Visit(int index, int depth) {
    Sandbox::Of(lua_).Charge(lua_, 10);
    if (++nodes_ > kMaxResultNodes) Fail("has too many values");
    switch (lua_type(lua_, index)) {
      case LUA_TBOOLEAN:
        builder_.Bool(lua_toboolean(lua_, index));
        return;
      case LUA_TNUMBER:
        return Number(index);
      case LUA_TSTRING:
        builder_.String(Text(index));
        return;
      case LUA_TTABLE:
        return Table(index, depth);
      case LUA_TLIGHTUSERDATA:
        if (lua_touserdata(lua_, index) == nullptr) {
          builder_.Null();
          return;
        }
        [[fallthrough]];
      default:
        Fail(absl::StrCat("is ", TypeName(lua_, index), ", which JSON does not have"));
    }
  }

  void Number(int index) {
    if (lua_isinteger(lua_, index)) {
      builder_.Integer(lua_tointeger(lua_, index));
      return;
    }
    const lua_Number number = lua_tonumber(lua_, index);
    if (!std::isfinite(number)) Fail("is a number that is not finite");
    builder_.Double(number);
  }

  absl::string_view Text(int index) {
    size_t size = 0;
    const char* data = lua_tolstring(lua_, index, &size);
    const absl::string_view text(data, size);
    bytes_ += size;
    Sandbox::Of(lua_).Charge(lua_, size / 16);
    if (bytes_ > kMaxResultBytes) Fail("is too long");
    if (!base::IsUtf8(text)) Fail("is text that is not UTF-8");
    return text;
  }

  void Table(int index, int depth) {
    if (depth >= json::kMaxDepth) {
      Fail(absl::StrCat("is nested deeper than ", json::kMaxDepth, " (within itself?)"));
    }
    luaL_checkstack(lua_, 4, nullptr);
    std::vector<absl::string_view> keys;  // texts, which stay alive with the table
    lua_Integer integers = 0, highest = 0;
    for (lua_pushnil(lua_); lua_next(lua_, index) != 0; lua_pop(lua_, 1)) {
      if (lua_type(lua_, -2) == LUA_TSTRING) {
        keys.push_back(Text(-2));
      } else if (lua_isinteger(lua_, -2) && lua_tointeger(lua_, -2) >= 1) {
        ++integers;
        highest = std::max<lua_Integer>(highest, lua_tointeger(lua_, -2));
      } else {
        Fail("has a key that is neither text nor a position");
      }
    }
    const bool marked = IsMarked(index);
    if ((marked || integers > 0) && !keys.empty()) Fail("is a list that has other keys too");
    if (highest != integers) Fail("is a list with holes");
    if (marked || integers > 0) return Array(index, integers, depth);
    Object(index, std::move(keys), depth);
  }

  void Array(int index, lua_Integer size, int depth) {
    builder_.StartArray();
    const size_t path_size = path_.size();
    for (lua_Integer i = 1; i <= size; ++i) {
      absl::StrAppend(&path_, "[", i, "]");
      lua_rawgeti(lua_, index, i);
      Visit(lua_gettop(lua_), depth + 1);
      lua_pop(lua_, 1);
      path_.resize(path_size);
    }
    builder_.EndArray();
  }

  void Object(int index, std::vector<absl::string_view> keys, int depth) {
    std::sort(keys.begin(), keys.end());
    builder_.StartObject();
    const size_t path_size = path_.size();
    for (const absl::string_view key : keys) {
      absl::StrAppend(&path_, ".", key.substr(0, 64));
      if (key.find('\0') != absl::string_view::npos) Fail("is a key with U+0000 in it");
      builder_.Key(key);
      lua_pushlstring(lua_, key.data(), key.size());
      lua_rawget(lua_, index);
      Visit(lua_gettop(lua_), depth + 1);
      lua_pop(lua_, 1);
      path_.resize(path_size);
    }
    builder_.EndObject();
  }

  bool IsMarked(int index) {
    if (!lua_getmetatable(lua_, index)) return false;
    luaL_getmetatable(lua_, kArrayMark);
    const bool marked = lua_rawequal(lua_, -1, -2);
    lua_pop(lua_, 2);
    return marked;
  }

  lua_State* const lua_;
  json::Builder builder_{json::kMaxDepth};
  std::string path_;
  size_t nodes_ = 0;
  size_t bytes_ = 0;
};

}  // namespace

void RegisterValues(lua_State* lua) {
  luaL_newmetatable(lua, kArrayMark);
  lua_pop(lua, 1);
}

void MarkArray(lua_State* lua, int index) {
  index = lua_absindex(lua, index);
  luaL_getmetatable(lua, kArrayMark);
  lua_setmetatable(lua, index);
}

void PushJson(lua_State* lua, json::Value value) {
  luaL_checkstack(lua, 4, "values nested too deep");
  switch (value.kind()) {
    case json::Kind::kMissing:
      lua_pushnil(lua);
      return;
    case json::Kind::kNull:
      lua_pushlightuserdata(lua, nullptr);
      return;
    case json::Kind::kBool:
      lua_pushboolean(lua, value.boolean());
      return;
    case json::Kind::kInteger:
      lua_pushinteger(lua, value.integer());
      return;
    case json::Kind::kDouble:
      lua_pushnumber(lua, value.number());
      return;
    case json::Kind::kString:
      lua_pushlstring(lua, value.string().data(), value.string().size());
      return;
    case json::Kind::kUnsigned:
      luaL_error(lua, "an integer over %I cannot be given to a script",
                 static_cast<LUAI_UACINT>(LUA_MAXINTEGER));
      return;
    case json::Kind::kArray: {
      lua_createtable(lua, static_cast<int>(value.size()), 0);
      lua_Integer position = 0;
      for (json::Value item : value.items()) {
        PushJson(lua, item);
        lua_rawseti(lua, -2, ++position);
      }
      MarkArray(lua, -1);
      return;
    }
    case json::Kind::kObject:
      lua_createtable(lua, 0, static_cast<int>(value.size()));
      for (const json::Member& member : value.members()) {
        lua_pushlstring(lua, member.key.data(), member.key.size());
        PushJson(lua, member.value);
        lua_rawset(lua, -3);
      }
  }
}

bool HasLargeInteger(json::Value value) {
  if (value.kind() == json::Kind::kUnsigned) return true;
  for (json::Value item : value.items()) {
    if (HasLargeInteger(item)) return true;
  }
  for (const json::Member& member : value.members()) {
    if (HasLargeInteger(member.value)) return true;
  }
  return false;
}

json::Document ToJson(lua_State* lua, int index, const char* name) {
  return Converter(lua, name).Convert(index);
}

}  // namespace tipstaff::engine
