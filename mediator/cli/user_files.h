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

// The files and folders in `paths`: a folder stands for every skill.yaml and stub.yaml below it.
// Without any, all that the configuration leads to, its own file first. InvalidArgument for what is
// none of the three kinds, NotFound for what is not there.
absl::StatusOr<std::vector<UserFile>> FindUserFiles(const config::Config& config,
                                                    const std::vector<std::string>& paths);

}  // namespace tipstaff::cli
