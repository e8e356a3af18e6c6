#include "stubs/engine/lua_sandbox.h"

#include <time.h>

#include <lua.hpp>
#include <new>

#include "absl/strings/string_view.h"
#include "mediator/base/escape.h"
#include "stubs/engine/limits.h"

namespace tipstaff::engine {
namespace {

constexpr int kStepsPerHook = 1000, kStepsPerCloseHook = 16;
constexpr size_t kMaxErrorColumns = 500;

int64_t ThreadNanos() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

int CallBody(lua_State* lua) {
  auto* body = static_cast<absl::FunctionRef<void(lua_State*)>*>(lua_touserdata(lua, 1));
  lua_settop(lua, 0);
  (*body)(lua);
  return 0;
}

}  // namespace

// Nothing that a state owns lies outside its memory: no userdata holds an object, and scripts
// cannot make finalizers. So there is no lua_close(), which frees block by block.
void Sandbox::Close() {
  arena_.Clear();
  lua_ = nullptr;
  steps_ = in_use_ = allocated_ = 0;
  watches_closely_ = false;
  start_nanos_.reset();
}

void Sandbox::Open() {
  Close();
  lua_ = lua_newstate(&Sandbox::Allocate, this);
  if (lua_ == nullptr) throw std::bad_alloc();
  *static_cast<Sandbox**>(lua_getextraspace(lua_)) = this;
  lua_sethook(lua_, &Sandbox::CountSteps, LUA_MASKCOUNT, kStepsPerHook);
}

std::optional<Sandbox::Image> Sandbox::Save() const {
  std::optional<Arena::Image> memory = arena_.Save();
  if (!memory) return std::nullopt;
  return Image{*std::move(memory), lua_, steps_, in_use_, allocated_};
}

void Sandbox::Restore(const Image& image) {
  arena_.Restore(image.memory);
  lua_ = image.lua;
  steps_ = image.steps;
  in_use_ = image.in_use;
  allocated_ = image.allocated;
  watches_closely_ = false;  // an image has no long block
  start_nanos_.reset();
}

Sandbox& Sandbox::Of(lua_State* lua) { return **static_cast<Sandbox**>(lua_getextraspace(lua)); }

void* Sandbox::Allocate(void* sandbox, void* block, size_t old_size, size_t new_size) {
  Sandbox& self = *static_cast<Sandbox*>(sandbox);
  if (block == nullptr) old_size = 0;  // then it tells the kind of object
  if (new_size == 0) {
    self.in_use_ -= old_size;
    if (block != nullptr) self.arena_.Free(block, old_size);
    return nullptr;
  }
  if (new_size > old_size) {
    const size_t more = new_size - old_size;
    if (more > kMaxScriptMemory || self.in_use_ + more > kMaxScriptMemory ||
        self.allocated_ + more > kMaxScriptAllocation) {
      return nullptr;
    }
    self.allocated_ += more;
  }
  void* moved = block == nullptr ? self.arena_.Allocate(new_size)
                                 : self.arena_.Resize(block, old_size, new_size);
  if (moved != nullptr) self.in_use_ += new_size - old_size;
  if (new_size >= kLongBlockBytes && !self.watches_closely_) self.WatchClosely();
  return moved;
}

// From the first look on: reading the clock is dear for a short script, which ends before.
bool Sandbox::IsOutOfTime() {
  const int64_t now = ThreadNanos();
  if (!start_nanos_) start_nanos_ = now;
  const absl::Duration limit = !is_live_          ? kMaxTimeAgain
                               : watches_closely_ ? kMaxLongBlockTime
                                                  : kMaxScriptTime;
  return now - *start_nanos_ > absl::ToInt64Nanoseconds(limit);
}

// Lua lets a hook be set at any moment, as from a signal.
void Sandbox::WatchClosely() {
  if (lua_ == nullptr) return;
  watches_closely_ = true;
  start_nanos_ = ThreadNanos();
  lua_sethook(lua_, &Sandbox::CountSteps, LUA_MASKCOUNT, kStepsPerCloseHook);
}

const char* Sandbox::Exceeded() {
  if (steps_ > kMaxScriptSteps) return "the script ran for too many instructions";
  return IsOutOfTime() ? "the script ran for too long" : nullptr;
}

void Sandbox::CountSteps(lua_State* lua, lua_Debug* debug) {
  Sandbox& self = Of(lua);
  self.steps_ += lua_gethookcount(lua);
  if (const char* exceeded = self.Exceeded()) {
    lua_getinfo(lua, "Sl", debug);
    lua_pushfstring(lua, "%s:%d: %s", debug->short_src, debug->currentline, exceeded);
    lua_error(lua);
  }
}

void Sandbox::Charge(lua_State* lua, uint64_t steps) {
  steps_ += steps;
  if (steps_ > kMaxScriptSteps) luaL_error(lua, "%s", Exceeded());
}

std::optional<std::string> Sandbox::Protect(absl::FunctionRef<void(lua_State*)> body) {
  lua_pushcfunction(lua_, &CallBody);
  lua_pushlightuserdata(lua_, &body);
  const int status = lua_pcall(lua_, 1, 0, 0);
  if (status == LUA_OK) return std::nullopt;
  std::string error = TakeError(status);
  lua_settop(lua_, 0);
  return error;
}

std::string Sandbox::TakeError(int status) {
  if (status == LUA_ERRMEM) return "the script used too much memory";
  if (status != LUA_ERRRUN && status != LUA_ERRSYNTAX) return "the script could not be run";
  if (lua_type(lua_, -1) != LUA_TSTRING) return "an error that is not text: give error() a text";
  size_t size = 0;
  const char* text = lua_tolstring(lua_, -1, &size);
  return base::EscapeAndCut(absl::string_view(text, size), kMaxErrorColumns);
}

}  // namespace tipstaff::engine
