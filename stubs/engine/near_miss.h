// What came nearest when nothing fitted: notes for a stub's author, never for an agent.
//
// Rows are a guest's too: the first kMaxNearRows of a table are looked at, texts are escaped and
// cut.
#pragma once

#include <string>

#include "absl/strings/string_view.h"
#include "mediator/call/tool.h"
#include "mediator/json/document.h"
#include "mediator/schema/program.h"
#include "stubs/engine/definition.h"
#include "stubs/engine/row.h"
#include "stubs/engine/where.h"

namespace tipstaff::engine {

inline constexpr size_t kMaxNearRows = 2000;

// Of a key that no row has: "`things` has no row `b1`: did you mean `b`?".
std::string KeyNote(const TableDefinition& table, const Rows& rows, absl::string_view key);

// Of a filter that no row passes: the row that fails the fewest conditions, which they are and what
// the row has instead; among equals the one whose key is most like the wanted one.
std::string RowNote(const TableDefinition& table, const Rows& rows, const RowFilter& filter);

// Of arguments that `tool` does not take: the argument or value that may be meant, what else is
// missing or unknown beside it, and how to write it. "" when there is nothing to add to the failure
// itself, or its schema cannot be followed there ($ref, anyOf).
std::string ArgumentNote(const call::Tool& tool, json::Value arguments,
                         const schema::Failure& failure);

}  // namespace tipstaff::engine
