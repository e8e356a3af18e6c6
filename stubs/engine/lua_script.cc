#include "stubs/engine/lua_script.h"

#include <lua.hpp>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "stubs/engine/lua_context.h"
#include "stubs/engine/lua_libraries.h"
#include "stubs/engine/lua_library_functions.h"
#include "stubs/engine/lua_values.h"

namespace tipstaff::engine {
namespace {

// Where the registry, which scripts do not see, has the script's function and ctx.
constexpr char kFunctionKey = 0, kContextKey = 0;

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

void LoadBytecode(lua_State* lua, const std::string& bytecode, const std::string& path) {
  if (luaL_loadbufferx(lua, bytecode.data(), bytecode.size(), path.c_str(), "b") != LUA_OK) {
    lua_error(lua);
  }
}

// Collects what is left of opening the state, and lets the state grow tenfold before the collector
// starts again: few scripts need it at all.
void DelayCollector(lua_State* lua) {
  lua_gc(lua, LUA_GCRESTART);
  const int pause = lua_gc(lua, LUA_GCSETPAUSE, 1000);
  lua_gc(lua, LUA_GCCOLLECT);
  lua_gc(lua, LUA_GCSETPAUSE, pause);
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
  sandbox.Open();
  const std::optional<std::string> error = sandbox.Protect([&](lua_State* lua) {
    const std::string chunk = absl::StrCat("@", path);
    if (luaL_loadbufferx(lua, text.data(), text.size(), chunk.c_str(), "t") != LUA_OK) {
      lua_error(lua);
    }
    lua_dump(lua, &Append, &bytecode, 0);
    OpenLibraries(lua);
    LoadBytecode(lua, bytecode, path);
    RunChunk(lua);
  });
  if (error) problem = SplitPosition(*error);
  return bytecode;
}

std::optional<std::string> ScriptRunner::Prepare(const Script& script, const std::string& tool) {
  if (const auto image = images_.find(tool); image != images_.end()) {
    sandbox_->Restore(image->second);
    return std::nullopt;
  }
  sandbox_->Open();
  std::optional<std::string> error = sandbox_->Protect([&script](lua_State* lua) {
    lua_gc(lua, LUA_GCSTOP);
    OpenLibraries(lua);
    RegisterValues(lua);
    LoadBytecode(lua, script.bytecode, script.path);
    RunChunk(lua);
    lua_rawsetp(lua, LUA_REGISTRYINDEX, &kFunctionKey);
    PushContext(lua);
    lua_rawsetp(lua, LUA_REGISTRYINDEX, &kContextKey);
    DelayCollector(lua);
  });
  if (error) return error;
  if (std::optional<Sandbox::Image> image = sandbox_->Save()) {
    images_.emplace(tool, *std::move(image));
  }
  return std::nullopt;
}

ActionResult ScriptRunner::Run(const Script& script, CallScope& scope) {
  if (HasLargeInteger(scope.arguments())) {
    return ActionResult::Failed("invalid_arguments",
                                "an integer in the arguments is too large for this tool");
  }
  if (!sandbox_) sandbox_.emplace();
  ScriptRun run(scope, patterns_);
  sandbox_->run = &run;
  sandbox_->SetLive(is_live_);
  ActionResult result;
  std::optional<std::string> error = Prepare(script, scope.tool());
  if (!error) {
    error = sandbox_->Protect([&](lua_State* lua) {
      lua_rawgetp(lua, LUA_REGISTRYINDEX, &kFunctionKey);
      lua_rawgetp(lua, LUA_REGISTRYINDEX, &kContextKey);
      PushJson(lua, scope.arguments());
      lua_call(lua, 2, 1);
      result = TakeAnswer(lua, -1);
    });
  }
  sandbox_->Close();
  sandbox_->run = nullptr;
  if (!error) {
    if (result.kind == ActionResult::Kind::kFailed) result.note = scope.NearMisses();
    return result;
  }
  const bool placed = absl::StartsWith(*error, absl::StrCat(script.path, ":"));
  return ActionResult::Broken(placed ? *std::move(error) : absl::StrCat(script.path, ": ", *error));
}

}  // namespace tipstaff::engine
