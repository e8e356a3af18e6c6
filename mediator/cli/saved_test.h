// A session of calls as a file of tests (engine/stub_tests.h has the form).
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "mediator/cli/stub_session.h"
#include "mediator/json/document.h"

namespace tipstaff::cli {

// One test `name` with the seed and bindings of the session, its calls, the results, errors, delays
// and table changes that it saw, and what is captured and unchanged at the end: it passes on the
// stub as it is. FailedPrecondition when no call was made, or one has what such a file cannot hold.
absl::StatusOr<std::string> RenderTest(const std::string& name, const StubSession& session);

// A value as YAML for people: in braces on one line where that is short, else a line for each part,
// indented by `indent`. Reads back as the same value.
std::string ToYaml(json::Value value, size_t indent);

}  // namespace tipstaff::cli
