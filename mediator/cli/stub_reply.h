// What a call of a stub came to, for people and as JSON.
#pragma once

#include <string>

#include "absl/strings/string_view.h"
#include "mediator/json/builder.h"
#include "mediator/json/document.h"
#include "stubs/engine/stub.h"

namespace tipstaff::cli {

// The result or error, what changed table by table, note and log lines: aligned, long texts cut,
// everything escaped.
//
//   ok
//     id     "note_0001"
//   changed notes
//     insert note_0001
//       text  "seen"
std::string RenderReply(const engine::Reply& reply);
// "ok {"id":"note_0001"}", cut; "error not_found: there is no item of this id".
std::string ReplyInOneLine(const engine::Reply& reply);

// {"tool", "kind", "result" or "error" and "message", "changes": {TABLE: [{key, op, row}]},
// "delay", "note", "log"}; the last three where there is something. `kind` is
// engine::ReplyKind().
void AddReply(absl::string_view tool, const engine::Reply& reply, json::Builder& b);

// A value as JSON in one line, cut to so many bytes with a final "…" where something was left out.
std::string ShowValue(json::Value value, size_t bytes);
// Rows as a table with a line for the columns; what is too wide is left out and said.
std::string RenderRows(json::Value rows);
// A row or an object, a line for each member.
std::string RenderMembers(json::Value object, absl::string_view indent);

}  // namespace tipstaff::cli
