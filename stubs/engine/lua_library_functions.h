// Stand-ins for functions of Lua's standard library that would let time, memory or addresses out of
// hand (lua_libraries.h says which differ from Lua's manual, and how).
#pragma once

struct lua_State;

namespace tipstaff::engine {

int SortedPairs(lua_State* lua);
int PlainToString(lua_State* lua);
int PlainFind(lua_State* lua);
int PlainFormat(lua_State* lua);
int BoundedRepeat(lua_State* lua);
int ChargedInsert(lua_State* lua);
int ChargedRemove(lua_State* lua);
int StableSort(lua_State* lua);

// "null" for ctx.null, else Lua's name of the value's type.
const char* TypeName(lua_State* lua, int index);

}  // namespace tipstaff::engine
