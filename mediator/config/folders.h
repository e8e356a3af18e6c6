// Where the skills and stubs of a configuration are: one folder each, below the folders that
// `policies` and `stubs` list.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "mediator/config/config.h"

namespace tipstaff::config {

// The path of <folder>/<name>/skill.yaml. NotFound says where it was looked for and which name may
// be meant; InvalidArgument for what cannot be a name, or when two folders have one of that name.
absl::StatusOr<std::string> FindSkill(const Config& config, absl::string_view name);
// Likewise <folder>/<name>/stub.yaml.
absl::StatusOr<std::string> FindStub(const Config& config, absl::string_view name);

// The names that can be found, sorted, each once. Folders that cannot be read are left out.
std::vector<std::string> ListSkills(const Config& config);
std::vector<std::string> ListStubs(const Config& config);

}  // namespace tipstaff::config
