#include "stubs/engine/lua_script.h"

#include <lua.hpp>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "stubs/engine/lua_context.h"
#include "stubs/engine/lua_libraries.h"
#include "stubs/engine/lua_library_functions.h"
#include "stubs/engine/lua_sandbox.h"
#include "stubs/engine/lua_values.h"

namespace tipstaff::engine {
namespace {

// Splits "send.lua:12: what" into line and message.
ScriptProblem SplitPosition(absl::string_view error) {
  for (size_t at = error.find(':'); at != absl::string_view::npos; at = error.find(':', at + 1)) {
    size_t end = at + 1;
    while (end < error.size() && absl::ascii_isdigit(error[end])) ++end;
    int line = 0;
    if (end == at + 1 || !absl::StartsWith(error.substr(end), ": ")) continue;
    if (!absl::SimpleAtoi(error.substr(at + 1, end - at - 1), &line)) continue;
    return {line, std::string(error.substr(end + 2))};
  }
  return {0, std::string(error)};
}

int Append(lua_State*, const void* data, size_t size, void* out) {
  static_cast<std::string*>(out)->append(static_cast<const char*>(data), size);
  return 0;
}

// Runs the chunk on top of the stack, which leaves the script's function there.
void RunChunk(lua_State* lua) {
  lua_call(lua, 0, 1);
  if (!lua_isfunction(lua, -1)) {
    luaL_error(lua, "the script returns %s; it must return function(ctx, args) ... end",
               TypeName(lua, -1));
  }
}

}  // namespace

std::string CompileScript(const std::string& path, absl::string_view text,
                          std::optional<ScriptProblem>& problem) {
  std::string bytecode;
  Sandbox sandbox;
  const std::optional<std::string> error = sandbox.Protect([&](lua_State* lua) {
    const std::string chunk = absl::StrCat("@", path);
    if (luaL_loadbufferx(lua, text.data(), text.size(), chunk.c_str(), "t") != LUA_OK) {
      lua_error(lua);
    }
    lua_dump(lua, &Append, &bytecode, 0);
    OpenLibraries(lua);
    if (luaL_loadbufferx(lua, bytecode.data(), bytecode.size(), path.c_str(), "b") != LUA_OK) {
      lua_error(lua);
    }
    RunChunk(lua);
  });
  if (error) problem = SplitPosition(*error);
  return bytecode;
}

ActionResult RunScript(const Script& script, CallScope& scope) {
  if (HasLargeInteger(scope.arguments())) {
    return ActionResult::Failed("invalid_arguments",
                                "an integer in the arguments is too large for this tool");
  }
  Sandbox sandbox;
  ScriptRun run(scope);
  sandbox.run = &run;
  ActionResult result;
  std::optional<std::string> error = sandbox.Protect([&](lua_State* lua) {
    OpenLibraries(lua);
    RegisterValues(lua);
    if (luaL_loadbufferx(lua, script.bytecode.data(), script.bytecode.size(), script.path.c_str(),
                         "b") != LUA_OK) {
      lua_error(lua);
    }
    RunChunk(lua);
    PushContext(lua);
    PushJson(lua, scope.arguments());
    lua_call(lua, 2, 1);
    result = TakeAnswer(lua, -1);
  });
  if (!error) return result;
  const bool placed = absl::StartsWith(*error, absl::StrCat(script.path, ":"));
  return ActionResult::Broken(placed ? *std::move(error) : absl::StrCat(script.path, ": ", *error));
}

}  // namespace tipstaff::engine
