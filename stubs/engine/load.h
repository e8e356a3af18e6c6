// The parts of loading stub.yaml. Each reads one section into the definition, adds an error for
// each mistake, and leaves out what it could not read.
#pragma once

#include <optional>

#include "absl/functional/function_ref.h"
#include "mediator/json/document.h"
#include "stubs/engine/definition.h"
#include "stubs/engine/fields.h"
#include "stubs/engine/stub_sources.h"

namespace tipstaff::engine {

// A name that scripts and templates can use: a letter or _, then letters, digits and _; at most 64.
bool IsName(absl::string_view text);
// An error's code: a-z, then a-z, 0-9 and _; at most 64.
bool IsErrorCode(absl::string_view text);

// `tables`, `fixtures`, `slots`: of the root.
void LoadTables(json::Value root, Fields& fields, StubSources& sources, Definition& definition);
void LoadTools(json::Value tools, Fields& fields, StubSources& sources, Definition& definition);
void LoadFaults(json::Value faults, Fields& fields, Definition& definition);
// After the tools. `unmatched` may be missing.
void LoadUnmatched(json::Value unmatched, Fields& fields, Definition& definition);
// Warnings for states that nothing leads to. The tools were loaded without an error.
void WarnOfStates(json::Value tools, Fields& fields, const Definition& definition);
// An error's code into `code`. False after adding an error.
bool LoadErrorCode(json::Value value, Fields& fields, std::string& code);

// What `tool`, of which the rest was read from the mapping `value`, does. False after an error.
bool LoadAction(json::Value value, Fields& fields, StubSources& sources,
                const Definition& definition, ToolDefinition& tool);

// Any schema, with an error or a warning at what is wrong with it. `what`: "column `status`".
std::optional<schema::Program> CompileSchema(json::Value schema, absl::string_view what,
                                             Fields& fields);

struct LoadedSchema {
  json::Document schema;
  schema::Program program;
};
// An object schema, inline or in a file. `what`: "`input`".
std::optional<LoadedSchema> LoadSchema(json::Value at, absl::string_view what, Fields& fields,
                                       StubSources& sources);

// What agents see of a tool: its names, effect, schemas, idempotency key and audience. The
// mapping's keys were checked. `is_known` says whether another tool has the name.
struct ToolFace {
  call::Tool tool;
  schema::Program input;
  std::optional<schema::Program> output;
};
using IsKnownTool = absl::FunctionRef<bool(absl::string_view name)>;
std::optional<ToolFace> LoadToolFace(json::Value tool, Fields& fields, StubSources& sources,
                                     const IsKnownTool& is_known);

}  // namespace tipstaff::engine
