// A folder to begin with: a configuration, a skill with comments and tests, a stub, and the JSON
// Schemas that editors read.
//
// The schemas are written beside the files and named by a relative path, `../../schemas/json/...`,
// as in this repository and in an installed one: an editor finds them offline and on another
// machine, whoever checks the folder out, and they are those of the program that wrote them. A path
// into the installed files would hold on one machine only, an address would need a network.
#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace tipstaff::cli {

struct NewFile {
  std::string path;  // relative to the folder
  std::string text;
};

struct WorkingFolder {
  std::vector<NewFile> files;
  std::string binding;  // for `run open --bind`: "report_id=rep_demo0001"
};

// With `stub` "reports" the skill is one for that stub, which is copied; with any other name a
// small new stub is made. InvalidArgument for names that cannot be used.
absl::StatusOr<WorkingFolder> MakeWorkingFolder(const std::string& skill, const std::string& stub);

// Writes the files below `folder`, which is made when it is not there. Never overwrites: a file
// that is there with the same content stays, and when one has another, nothing is written and
// AlreadyExists names all of them. The paths that were written, `folder` included.
absl::StatusOr<std::vector<std::string>> WriteFiles(const std::string& folder,
                                                    const std::vector<NewFile>& files);

}  // namespace tipstaff::cli
