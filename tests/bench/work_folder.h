// A folder of a benchmark's own.
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"

namespace tipstaff::bench {

// Removed on destruction.
class WorkFolder {
 public:
  // `<folder>/<name>-XXXXXX`; `folder` is made where it is missing.
  static absl::StatusOr<std::unique_ptr<WorkFolder>> Make(const std::string& folder,
                                                          const std::string& name);
  WorkFolder(const WorkFolder&) = delete;
  ~WorkFolder();
  const std::string& path() const { return path_; }

 private:
  explicit WorkFolder(std::string path) : path_(std::move(path)) {}
  const std::string path_;
};

}  // namespace tipstaff::bench
