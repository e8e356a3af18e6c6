// What of a recording can be told by tables: reads that look up a row by its key, and writes whose
// arguments the rows show afterwards.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "mediator/json/document.h"
#include "stubs/recorder/recording.h"

namespace tipstaff::recorder {

// A tool that sets columns of one row.
struct FoundUpdate {
  std::string tool, argument;               // the row's key
  std::map<std::string, std::string> sets;  // column -> argument
  // The result's members: "$args.NAME", "$row.NAME", or a value. Null: the row itself.
  json::Document result;
};

// Rows that a tool reads one by one.
struct FoundTable {
  std::string name, key_column;
  std::string read_tool, argument;             // the row's key
  std::string not_found;                       // the sentence, "" when it was never seen
  std::map<std::string, json::Document> rows;  // by key, as they were first read
  std::vector<FoundUpdate> updates;
};

// A guess from what was seen: whoever uses it makes the calls again and compares (stub_maker.h).
// Tools in `left_out` are not looked at.
std::vector<FoundTable> FindTables(const Recording& recording,
                                   const std::set<std::string>& left_out);

}  // namespace tipstaff::recorder
