// Scripts: Lua where a write needs logic.
//
// A script returns a function of (ctx, args) that returns ctx.ok{...} or ctx.fail(code, sentence).
// Each call runs in a fresh Lua state, which holds string, table, math and utf8 in part
// (lua_libraries.h) and ctx (lua_context.h). Whatever goes wrong - an error, a limit of limits.h, a
// result that is not JSON - is kBroken, "send.lua:12: ...".
#pragma once

#include <map>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "stubs/engine/action.h"
#include "stubs/engine/lua_patterns.h"
#include "stubs/engine/lua_sandbox.h"

namespace tipstaff::engine {

struct ScriptProblem {
  int line = 0;  // 0: the file as a whole
  std::string message;
};

// The bytecode of a script, and whether it returns a function when run. `problem` is set when there
// is one. Bytecode is only for this process: Lua does not check it.
std::string CompileScript(const std::string& path, absl::string_view text,
                          std::optional<ScriptProblem>& problem);

// Runs the scripts of one state of a stub. A tool's first call makes a Lua state with the
// libraries, ctx and the script's function; later ones start from an image of it, which is the same
// and takes less time. Not thread-safe.
class ScriptRunner {
 public:
  // The definition and the bindings in `scope` are the same in all calls.
  ActionResult Run(const Script& script, CallScope& scope);
  // Whether calls are made for the first time, as at first, and not again (State::CallAgain()).
  void SetLive(bool live) { is_live_ = live; }

 private:
  // Puts the state with which a call starts into the sandbox; what the error said, or nothing.
  std::optional<std::string> Prepare(const Script& script, const std::string& tool);

  std::optional<Sandbox> sandbox_;                // once a script has run
  std::map<std::string, Sandbox::Image> images_;  // by tool
  PatternCache patterns_;
  bool is_live_ = true;
};

}  // namespace tipstaff::engine
