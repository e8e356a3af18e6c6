// What of a stub its tests leave out, for people and as JSON.
#pragma once

#include <string>

#include "mediator/cli/tested_file.h"
#include "mediator/json/builder.h"

namespace tipstaff::cli {

// "stubs/x/stub.yaml: the tests exercise 3 of 3 tools, 4 of 5 errors, 0 of 1 faults" and a line for
// each that is not.
std::string RenderStubCoverage(const TestedFile& file);
// {"file", "tools", "errors", "faults", "not_exercised"}: the three have `exercised` and `all`, an
// entry of the last is {tool}, {error, of} or {fault, line, of}.
void AddStubCoverage(const TestedFile& file, json::Builder& b);

}  // namespace tipstaff::cli
