// Calls of a system that were made and answered, to be made a stub of.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mediator/call/tool.h"
#include "mediator/json/document.h"

namespace tipstaff::recorder {

struct RecordedCall {
  uint64_t number = 0;  // of the call in its run
  std::string tool;     // within the system: "get_report"
  json::Document arguments;
  // What it was answered with: a value, an error, or a CallToolResult that has another form than
  // stubs give to these.
  enum class Kind { kValue, kError, kContent };
  Kind kind = Kind::kValue;
  json::Document answer;       // kValue, kContent
  std::string error, message;  // kError: a code such as "not_found", and a sentence
};

struct Recording {
  std::string system;             // the name of the recorded system, or stub
  std::vector<call::Tool> tools;  // all that it offers
  std::vector<RecordedCall> calls;
};

}  // namespace tipstaff::recorder
