// ctx.tables.
#pragma once

struct lua_State;

namespace tipstaff::engine {

struct Definition;

// Pushes a table with a handle for each table of `definition`. Another name is an error that says
// which there are. Methods raise a Lua error for a row that is not there or is there already.
void PushTables(lua_State* lua, const Definition& definition);

}  // namespace tipstaff::engine
