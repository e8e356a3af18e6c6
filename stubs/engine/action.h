// What the declarative tools do: select, insert, update, delete.
#pragma once

#include <string>

#include "mediator/json/document.h"
#include "stubs/engine/call_scope.h"
#include "stubs/engine/definition.h"

namespace tipstaff::engine {

struct ActionResult {
  enum class Kind {
    kOk,
    kFailed,  // the tool's own answer: `code` and a sentence for the agent
    kBroken,  // the stub's mistake: a sentence for its author
  };
  Kind kind = Kind::kBroken;
  json::Document value;  // kOk: an object
  std::string code;
  std::string message;
  std::string note;  // what came nearest, for the stub's author only; not of kBroken

  static ActionResult Ok(json::Document value) { return {Kind::kOk, std::move(value), "", "", ""}; }
  static ActionResult Failed(std::string code, std::string message, std::string note = "") {
    return {Kind::kFailed, {}, std::move(code), std::move(message), std::move(note)};
  }
  static ActionResult Broken(std::string message) {
    return {Kind::kBroken, {}, "", std::move(message), ""};
  }
};

// Changes the scope's tables as the action says; a result that is not kOk may leave changes, which
// the caller rolls back.
ActionResult RunAction(const Action& action, CallScope& scope);

}  // namespace tipstaff::engine
