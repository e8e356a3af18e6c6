// A stub's folder to begin with: one file of each kind, with comments, that passes its own tests.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "mediator/cli/working_folder.h"

namespace tipstaff::cli {

// `folder`: as comments in the files name it. `schema`: where the files for editors are as seen
// from stub.yaml, "" for nowhere. InvalidArgument: `name` is no name for a stub; it says what is,
// and the nearest one.
absl::StatusOr<std::vector<NewFile>> MakeStub(const std::string& name, const std::string& folder,
                                              const std::string& schema);

// The name nearest to `text` that MakeStub takes: "my stub!" is "my-stub".
std::string NearestStubName(const std::string& text);

}  // namespace tipstaff::cli
