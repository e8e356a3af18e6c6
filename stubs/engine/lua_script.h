// Scripts: Lua where a write needs logic.
//
// A script returns a function of (ctx, args) that returns ctx.ok{...} or ctx.fail(code, sentence).
// It runs in a Lua state of its own, made for the call, which holds string, table, math and utf8 in
// part (lua_libraries.h) and ctx (lua_context.h). Whatever goes wrong - an error, a limit of
// limits.h, a result that is not JSON - is kBroken, "send.lua:12: ...".
#pragma once

#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "stubs/engine/action.h"

namespace tipstaff::engine {

struct ScriptProblem {
  int line = 0;  // 0: the file as a whole
  std::string message;
};

// The bytecode of a script, and whether it returns a function when run. `problem` is set when there
// is one. Bytecode is only for this process: Lua does not check it.
std::string CompileScript(const std::string& path, absl::string_view text,
                          std::optional<ScriptProblem>& problem);

ActionResult RunScript(const Script& script, CallScope& scope);

}  // namespace tipstaff::engine
