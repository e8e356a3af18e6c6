#include "stubs/engine/lua_text.h"

#include <re2/re2.h>

#include <lua.hpp>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "stubs/engine/limits.h"
#include "stubs/engine/lua_context.h"
#include "stubs/engine/lua_sandbox.h"
#include "stubs/engine/lua_values.h"
#include "stubs/engine/where.h"

namespace tipstaff::engine {
namespace {

constexpr uint64_t kStepsPerPattern = 50'000;

absl::string_view CheckText(lua_State* lua, int index) {
  size_t size = 0;
  const char* text = luaL_checklstring(lua, index, &size);
  Sandbox::Of(lua).Charge(lua, size / 8);
  return absl::string_view(text, size);
}

absl::string_view CheckPart(lua_State* lua, int index) {
  const absl::string_view part = CheckText(lua, index);
  luaL_argcheck(lua, !part.empty(), index, "must not be empty");
  return part;
}

int PushText(lua_State* lua, absl::string_view text) {
  lua_pushlstring(lua, text.data(), text.size());
  return 1;
}

int PushBool(lua_State* lua, bool value) {
  lua_pushboolean(lua, value);
  return 1;
}

int Trim(lua_State* lua) { return PushText(lua, absl::StripAsciiWhitespace(CheckText(lua, 1))); }

int StartsWith(lua_State* lua) {
  return PushBool(lua, absl::StartsWith(CheckText(lua, 1), CheckText(lua, 2)));
}

int EndsWith(lua_State* lua) {
  return PushBool(lua, absl::EndsWith(CheckText(lua, 1), CheckText(lua, 2)));
}

int Contains(lua_State* lua) {
  return PushBool(lua, HoldsText(CheckText(lua, 1), CheckText(lua, 2)));
}

int Split(lua_State* lua) {
  absl::string_view text = CheckText(lua, 1);
  const absl::string_view separator = CheckPart(lua, 2);
  lua_createtable(lua, 0, 0);
  for (lua_Integer position = 1;; ++position) {
    const size_t end = FindText(text, separator);
    PushText(lua, text.substr(0, end));
    lua_rawseti(lua, -2, position);
    if (end == absl::string_view::npos) break;
    text.remove_prefix(end + separator.size());
  }
  MarkArray(lua, -1);
  return 1;
}

int Replace(lua_State* lua) {
  absl::string_view text = CheckText(lua, 1);
  const absl::string_view from = CheckPart(lua, 2);
  const absl::string_view to = CheckText(lua, 3);
  // The result is made outside the state, so its length is bounded beforehand.
  if (!to.empty() && text.size() / from.size() > kMaxScriptMemory / to.size()) {
    return luaL_error(lua, "replace: the text would be too long");
  }
  std::string replaced;
  for (size_t at; (at = FindText(text, from)) != absl::string_view::npos;) {
    replaced.append(text.data(), at).append(to.data(), to.size());
    text.remove_prefix(at + from.size());
  }
  replaced.append(text.data(), text.size());
  return PushText(lua, replaced);
}

int Matches(lua_State* lua) {
  const absl::string_view text = CheckText(lua, 1), pattern = CheckText(lua, 2);
  // RE2 is linear, but slow where an expression does not fit its memory; compiling is dear, whether
  // this run finds it in the cache or not.
  Sandbox::Of(lua).Charge(lua, 500 + 10 * pattern.size() + text.size());
  if (Sandbox::Of(lua).run->matched.emplace(pattern).second) {
    Sandbox::Of(lua).Charge(lua, kStepsPerPattern);
  }
  const RE2& expression = Sandbox::Of(lua).run->patterns.Get(pattern);
  if (!expression.ok()) {
    return luaL_error(lua, "matches: %s", expression.error().c_str());
  }
  // Where its states do not fit the memory, each byte is held against each instruction.
  const size_t program = static_cast<size_t>(expression.ProgramSize());
  Sandbox::Of(lua).Charge(lua, program * text.size() / (program > 100 ? 4 : 16));
  return PushBool(lua, RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), expression));
}

constexpr luaL_Reg kFunctions[] = {{"contains", &Contains}, {"ends_with", &EndsWith},
                                   {"matches", &Matches},   {"replace", &Replace},
                                   {"split", &Split},       {"starts_with", &StartsWith},
                                   {"trim", &Trim},         {nullptr, nullptr}};

}  // namespace

void PushTextFunctions(lua_State* lua) { luaL_newlib(lua, kFunctions); }

}  // namespace tipstaff::engine
