// `ctx`: the only capability a script has.
//
//   ctx.tool                    the name of the tool that is called
//   ctx.run.bindings            what the run was opened with
//   ctx.tables.NAME             :get(key) -> row or nil, :insert(row) -> row,
//                               :update(key, changes) -> row, :delete(key), :rows() -> list,
//                               :find{column = value or {contains = ...}} -> list
//   ctx.fixture(table, key)     the row as the fixture has it, or nil
//   ctx.now() ctx.id(name) ctx.random(n)   virtual time, next id, 1..n: by the run's seed
//   ctx.text                    trim starts_with ends_with contains split replace matches
//   ctx.log(text)               a line for the stub's author
//   ctx.null ctx.array{...}     JSON's null; a list even when it is empty
//   ctx.ok(value) ctx.fail(code, sentence)   what the script returns
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "stubs/engine/action.h"
#include "stubs/engine/call_scope.h"
#include "stubs/engine/lua_patterns.h"

struct lua_State;

namespace tipstaff::engine {

// A run of a script, which ctx works on.
struct ScriptRun {
  ScriptRun(CallScope& call_scope, PatternCache& pattern_cache)
      : scope(call_scope), patterns(pattern_cache) {}
  CallScope& scope;
  PatternCache& patterns;
  std::set<std::string, std::less<>> matched;  // patterns that this run has charged for
  std::vector<ActionResult> answers;           // of ctx.ok and ctx.fail
};

// Pushes ctx. Sandbox::Of(lua).run must be set. May raise Lua errors.
void PushContext(lua_State* lua);

// What the script returned, the value at `index`, says; raises a Lua error when it is not an
// answer.
ActionResult TakeAnswer(lua_State* lua, int index);

}  // namespace tipstaff::engine
