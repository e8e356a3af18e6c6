// The files that users write, as `check` and `test` find them.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "mediator/config/config.h"

namespace tipstaff::cli {

struct UserFile {
  enum class Kind { kSkill, kStub, kConfig };
  Kind kind = Kind::kSkill;
  std::string path;  // of skill.yaml, stub.yaml or the configuration
  std::string folder() const;
};

// Files and folders as named on the command line: a folder stands for every skill.yaml and
// stub.yaml below it. InvalidArgument for what is none of the three kinds.
absl::StatusOr<std::vector<UserFile>> FindUserFiles(const std::vector<std::string>& paths);

// All that a configuration leads to, the configuration's own file first.
absl::StatusOr<std::vector<UserFile>> FilesOfConfig(const config::Config& config);

}  // namespace tipstaff::cli
