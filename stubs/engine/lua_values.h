// JSON to Lua and back, exactly.
//
//   null    ctx.null                     integer  integer (over int64: refused)
//   number  float                        text     string (of UTF-8 only, on the way back)
//   array   table marked as a list       object   table with text keys
// On the way back a table is an array when it is marked (ctx.array{...}) or has keys 1..n and no
// others; an empty table that is not marked is an object. A float that is an integer becomes one.
#pragma once

#include "mediator/json/document.h"

struct lua_State;

namespace tipstaff::engine {

// Must be called once in a state before the others.
void RegisterValues(lua_State* lua);

// Pushes one value. Raises a Lua error for an integer over int64.
void PushJson(lua_State* lua, json::Value value);
// Whether it has an integer over int64, which PushJson refuses.
bool HasLargeInteger(json::Value value);

// Marks the table at `index` as a list.
void MarkArray(lua_State* lua, int index);

// The value at `index`. Raises a Lua error that says what cannot be JSON and where: "row.to[2] is a
// function". `name` is what the whole is called: "row".
json::Document ToJson(lua_State* lua, int index, const char* name);

}  // namespace tipstaff::engine
