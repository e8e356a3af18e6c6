// What an upstream's process sees of the host, and its environment.
#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "mediator/upstream/stdio_transport.h"

namespace tipstaff::upstream {

// Where a confined process finds its scratch folder.
inline constexpr char kConfinedScratch[] = "/run/tipstaff/scratch";

// PATH, HOME and TMPDIR (the scratch folder), LANG, and what is configured, which counts where it
// names one of these. "NAME=value".
std::vector<std::string> EnvironmentOf(const StdioOptions& options);

// What bubblewrap keeps to itself: one on the process lock, one to say which process is the view's
// first on.
struct ViewDescriptors {
  int lock = -1;
  int info = -1;
};

// Bubblewrap's options. The view is that
// of mediator/confine/view.h, the folders in `read` at their own paths, and the scratch folder. An
// error where it cannot be, or would show what is to be hidden: FailedPrecondition names both.
absl::StatusOr<std::vector<std::string>> ViewOf(const StdioOptions& options,
                                                ViewDescriptors descriptors);

// InvalidArgument where the command, the environment or a folder is not one; says which.
absl::Status CheckStdioOptions(const StdioOptions& options);

}  // namespace tipstaff::upstream
