// ctx.text: what scripts need of texts, in linear time.
#pragma once

struct lua_State;

namespace tipstaff::engine {

// Pushes a table of functions:
//   trim(s)                 without white space at both ends
//   starts_with(s, part)    ends_with(s, part)
//   contains(s, part)       ASCII letters of either case
//   split(s, separator)     a list; the separator is plain text, not empty
//   replace(s, from, to)    every one; plain text, `from` not empty
//   matches(s, pattern)     whether an RE2 regular expression matches somewhere in it
void PushTextFunctions(lua_State* lua);

}  // namespace tipstaff::engine
