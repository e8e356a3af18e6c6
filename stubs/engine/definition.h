// A stub as stub.yaml declares it, checked: what the parts of the engine share.
#pragma once

#include <map>
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

// Rows come in pages; the cursor (cursor.h) is where the last one ended.
struct Page {
  std::optional<Template> size;
  Template cursor;
  bool total = false;  // the result says how many rows there are in all pages
};

struct Select {
  size_t table = 0;
  Where where;
  std::optional<Order> order;
  std::optional<Template> limit;
  std::optional<Page> page;
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

// Takes a row from the state that its column has to another, which that one must allow.
struct Transition {
  size_t table = 0;
  Template key;
  std::string column;
  Template to;
  std::map<std::string, std::vector<std::string>, std::less<>> allowed;  // state -> what may follow
  std::optional<Template> set;  // columns that change with it
  std::string not_found;
};

class Replies;

struct Script {
  std::string path;      // for messages: "send.lua"
  std::string bytecode;  // made by CompileScript() of this process
};

using Action = std::variant<Select, Insert, Update, Delete, Transition, Script,
                            std::shared_ptr<const Replies>>;

struct ToolDefinition {
  call::Tool tool;
  schema::Program input;
  schema::Defaults defaults;  // of the arguments
  std::optional<schema::Program> output;
  Action action;
  std::optional<Template> result;  // in place of what the action gives
};

// What a call comes to that none of a tool's replies answers.
struct Unmatched {
  std::string error = "unmatched";
  std::string message = "no reply is known for these arguments";
  std::optional<json::Document> result;  // in place of an error
};

// Applies to calls of a tool: the numbered ones, those that chance picks, or all. One of `error`,
// malformed, `truncated` and `timeout`, or none of them where there is a delay.
struct FaultDefinition {
  enum class Timeout { kNone, kBefore, kAfter };  // before or after the call took effect

  size_t tool = 0;
  int line = 0;                       // of stub.yaml
  std::vector<int64_t> on_call;       // calls of this tool, from 1; empty: any
  std::optional<double> probability;  // in (0, 1]
  std::string error;                  // "" for none
  std::string message;
  bool is_malformed = false;
  std::optional<json::Document> malformed;  // what is sent; nothing: it is made
  std::optional<size_t> truncated;          // bytes of the result's text that are left
  Timeout timeout = Timeout::kNone;
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
  Unmatched unmatched;

  // Index by name, or nothing.
  std::optional<size_t> FindTable(absl::string_view table) const;
  std::optional<size_t> FindId(absl::string_view id) const;
  std::optional<size_t> FindTool(absl::string_view tool) const;
  std::vector<std::string> TableNames() const;
  std::vector<std::string> ToolNames() const;
  std::vector<std::string> IdNames() const;
};

}  // namespace tipstaff::engine
