#include "tests/bench/work_folder.h"

#include <stdlib.h>

#include <cerrno>
#include <filesystem>

#include "absl/strings/str_cat.h"
#include "mediator/base/file.h"

namespace tipstaff::bench {

absl::StatusOr<std::unique_ptr<WorkFolder>> WorkFolder::Make(const std::string& folder,
                                                             const std::string& name) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  std::string pattern = absl::StrCat(folder, "/", name, "-XXXXXX");
  if (error || ::mkdtemp(pattern.data()) == nullptr) {
    return base::ErrnoToStatus(errno, absl::StrCat("cannot make a folder in `", folder, "`"));
  }
  return std::unique_ptr<WorkFolder>(new WorkFolder(pattern));
}

WorkFolder::~WorkFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace tipstaff::bench
