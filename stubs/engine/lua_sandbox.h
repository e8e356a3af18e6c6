// A Lua state with bounds on instructions, memory and time.
//
// Lua is linked in its C++ build: its errors are exceptions, so that destructors run when one
// passes through our functions. They must not be caught: no catch (...) between Lua and Lua.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/functional/function_ref.h"

struct lua_State;
struct lua_Debug;

namespace tipstaff::engine {

struct ScriptRun;

// Not thread-safe.
class Sandbox {
 public:
  Sandbox();
  ~Sandbox();
  Sandbox(const Sandbox&) = delete;
  Sandbox& operator=(const Sandbox&) = delete;

  // The sandbox that a state belongs to.
  static Sandbox& Of(lua_State* lua);

  // Runs `body`, in which Lua may raise errors; what the error said, or nothing.
  std::optional<std::string> Protect(absl::FunctionRef<void(lua_State*)> body);

  // Counts work that a C++ function does as Lua instructions; raises an error when it is too much.
  void Charge(lua_State* lua, uint64_t steps);

  // What the functions of ctx work on; null while a script is compiled.
  ScriptRun* run = nullptr;

 private:
  static void* Allocate(void* sandbox, void* block, size_t old_size, size_t new_size);
  static void CountSteps(lua_State* lua, lua_Debug* debug);
  std::string TakeError(int status);
  // The limit that is passed, or null.
  const char* Exceeded() const;

  lua_State* lua_ = nullptr;
  uint64_t steps_ = 0;
  size_t in_use_ = 0;
  size_t allocated_ = 0;
  int64_t start_nanos_ = 0;
};

}  // namespace tipstaff::engine
