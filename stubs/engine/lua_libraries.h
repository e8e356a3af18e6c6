// The part of Lua's standard library that scripts have.
//
//   assert error ipairs pairs select tonumber tostring type
//   string  byte char find format len lower rep reverse sub upper
//   table   concat insert pack remove sort unpack
//   math    abs ceil floor fmod huge max maxinteger min mininteger modf pi sqrt tointeger type ult
//   utf8    char codepoint codes len offset
//
// Nothing in it reaches outside, and the same calls give the same results in every process:
//   pairs      goes by key: numbers by value, then texts by their bytes; other keys are an error
//   table.sort is stable
//   tostring, string.format  never show an address
//   string.find  looks for plain text (ctx.text.matches has regular expressions)
// Patterns are left out as they take exponential time on some texts, pcall as an error ends a
// script. Texts do not turn into numbers in arithmetic.
#pragma once

struct lua_State;

namespace tipstaff::engine {

// Sets the globals. May raise a Lua error (memory).
void OpenLibraries(lua_State* lua);

}  // namespace tipstaff::engine
