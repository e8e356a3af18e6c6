// A stub as stub.yaml declares it, checked: what the parts of the engine share.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "mediator/call/tool.h"
#include "mediator/json/document.h"
#include "mediator/schema/defaults.h"
#include "mediator/schema/program.h"
#include "stubs/engine/columns.h"
#include "stubs/engine/id_format.h"
#include "stubs/engine/row.h"
#include "stubs/engine/template.h"
#include "stubs/engine/where.h"

namespace tipstaff::engine {

struct ClockDefinition {
  absl::Time start = absl::FromCivil(absl::CivilSecond(2026, 1, 1), absl::UTCTimeZone());
  absl::Duration per_call = absl::Seconds(1);
};

struct IdDefinition {
  std::string name;
  IdFormat format;
};

struct TableDefinition {
  std::string name;
  std::string key;                 // the column whose text names a row
  bool capture = false;            // keeps what the agent did: starts empty, rows are only added
  std::optional<Columns> columns;  // nothing: rows have any
  Rows rows;                       // the fixture's
};

// An Order sorts by a column; rows without it come first.
struct Order {
  std::string column;
  bool descending = false;
};

struct Select {
  size_t table = 0;
  Where where;
  std::optional<Order> order;
  std::optional<Template> limit;
  bool one = false;
  std::string not_found;             // the sentence when `one` row is not there
  std::string as;                    // the result's member that holds the rows
  std::vector<std::string> columns;  // empty: all
};

struct Insert {
  size_t table = 0;
  Template row;
};

struct Update {
  size_t table = 0;
  Template key, set;
  std::string not_found;
};

struct Delete {
  size_t table = 0;
  Template key;
  std::string not_found;
};

struct Script {
  std::string path;      // for messages: "send.lua"
  std::string bytecode;  // made by CompileScript() of this process
};

using Action = std::variant<Select, Insert, Update, Delete, Script>;

struct ToolDefinition {
  call::Tool tool;
  schema::Program input;
  schema::Defaults defaults;  // of the arguments
  std::optional<schema::Program> output;
  Action action;
};

// Applies to calls of a tool: the numbered ones, those that chance picks, or all.
struct FaultDefinition {
  size_t tool = 0;
  std::vector<int64_t> on_call;       // calls of this tool, from 1; empty: any
  std::optional<double> probability;  // in (0, 1]
  std::string error;                  // "" for none
  std::string message;
  absl::Duration delay;
  int progress = 0;
};

struct Definition {
  std::string name;
  std::string description;
  ClockDefinition clock;
  std::vector<IdDefinition> ids;
  std::vector<TableDefinition> tables;
  std::vector<ToolDefinition> tools;
  std::vector<FaultDefinition> faults;

  // Index by name, or nothing.
  std::optional<size_t> FindTable(absl::string_view table) const;
  std::optional<size_t> FindId(absl::string_view id) const;
  std::optional<size_t> FindTool(absl::string_view tool) const;
  std::vector<std::string> TableNames() const;
  std::vector<std::string> ToolNames() const;
  std::vector<std::string> IdNames() const;
};

}  // namespace tipstaff::engine
