// Where a session is saved as a test.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "mediator/cli/stub_session.h"

namespace tipstaff::cli {

struct SavedTest {
  std::string path;
  bool runs = false;  // it is among the stub's tests
};

// `name` alone goes to <folder>/tests/<name>.yaml; with a `/` it is a path, to which .yaml is added
// where it is not there. AlreadyExists: nothing is overwritten. InvalidArgument: no name for a
// file.
absl::StatusOr<SavedTest> SaveTest(const std::string& folder, const std::string& name,
                                   const StubSession& session);

}  // namespace tipstaff::cli
