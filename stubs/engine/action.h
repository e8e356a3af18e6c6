// What the declarative tools do: select, insert, update, delete, transition, replies.
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
  std::string note;         // what came nearest, for the stub's author only; not of kBroken
  bool is_content = false;  // kOk: the value is a whole CallToolResult

  static ActionResult Ok(json::Document value) { return {Kind::kOk, std::move(value), "", "", ""}; }
  static ActionResult Failed(std::string code, std::string message, std::string note = "") {
    return {Kind::kFailed, {}, std::move(code), std::move(message), std::move(note)};
  }
  // Of what tables and templates say; `not_found` is the sentence for a row that is not there.
  static ActionResult Of(const absl::Status& status, absl::string_view not_found = "");
  // A row, or the parts of the result where the tool has a template for it: "row" and the members
  // of `more`.
  static ActionResult OfRow(const json::Document& row, const CallScope& scope,
                            json::Value more = {});
  static ActionResult Broken(std::string message) {
    return {Kind::kBroken, {}, "", std::move(message), ""};
  }
};

// Changes the scope's tables as the action says; a result that is not kOk may leave changes, which
// the caller rolls back.
ActionResult RunAction(const Action& action, CallScope& scope);

}  // namespace tipstaff::engine
