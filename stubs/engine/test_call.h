// One call of a stub's test, and what the test expects of it (stub_tests.h has the form).
#pragma once

#include <string>

#include "absl/functional/function_ref.h"
#include "mediator/json/document.h"
#include "stubs/engine/fields.h"
#include "stubs/engine/stub.h"

namespace tipstaff::engine {

// Adds an error for everything in `call` that RunTestCall would not understand.
void CheckTestCall(json::Value call, Fields& fields);

// Makes the call, and hands its reply to `seen`. What differs from what `call` expects, with the
// reply's note and log; "" for nothing.
std::string RunTestCall(uint64_t number, json::Value call, State& state,
                        absl::FunctionRef<void(const Reply&)> seen);

}  // namespace tipstaff::engine
