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
#include "stubs/engine/lua_arena.h"

struct lua_State;
struct lua_Debug;

namespace tipstaff::engine {

struct ScriptRun;

// Holds one state at a time, and none at first. Not thread-safe.
class Sandbox {
 public:
  Sandbox() = default;
  Sandbox(const Sandbox&) = delete;
  Sandbox& operator=(const Sandbox&) = delete;

  // Makes a new state in the place of the one before; Close() only drops it, with its memory.
  void Open();
  void Close();

  // A state as it was at one moment, for this sandbox only, and what it had used of the limits.
  struct Image {
    Arena::Image memory;
    lua_State* lua = nullptr;
    uint64_t steps = 0;
    size_t in_use = 0;
    size_t allocated = 0;
  };
  // Nothing when the state is large: make it anew each time.
  std::optional<Image> Save() const;
  // The state of `image` to the last byte, whatever scripts did to the one before.
  void Restore(const Image& image);

  // The sandbox that a state belongs to.
  static Sandbox& Of(lua_State* lua);

  // Runs `body`, in which Lua may raise errors; what the error said, or nothing.
  std::optional<std::string> Protect(absl::FunctionRef<void(lua_State*)> body);

  // Counts work that a C++ function does as Lua instructions; raises an error when it is too much.
  void Charge(lua_State* lua, uint64_t steps);

  // Whether calls are made for the first time, as at first, and not again (State::CallAgain()).
  void SetLive(bool live) { is_live_ = live; }

  // What the functions of ctx work on; null while a script is compiled.
  ScriptRun* run = nullptr;

 private:
  static void* Allocate(void* sandbox, void* block, size_t old_size, size_t new_size);
  static void CountSteps(lua_State* lua, lua_Debug* debug);
  std::string TakeError(int status);
  // The limit that is passed, or null.
  const char* Exceeded();
  bool IsOutOfTime();
  // From now on the clock is looked at often.
  void WatchClosely();

  Arena arena_;
  lua_State* lua_ = nullptr;
  uint64_t steps_ = 0;
  size_t in_use_ = 0;
  size_t allocated_ = 0;
  bool watches_closely_ = false;
  bool is_live_ = true;
  std::optional<int64_t> start_nanos_;  // set when the time is first looked at
};

}  // namespace tipstaff::engine
