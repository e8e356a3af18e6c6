// One writer per ledger: an flock(2) on a file beside it.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "mediator/base/fd.h"

namespace tipstaff::ledger {

// Holds `<ledger>.lock`, which names the holder's process id. The kernel releases the lock when the
// process ends, however it ends; the file stays and means nothing by itself. Local file systems
// only.
class WriterLock {
 public:
  // FailedPrecondition when it is held, naming the process id; PermissionDenied and the like when
  // the file cannot be made.
  static absl::StatusOr<WriterLock> Take(const std::string& ledger);
  WriterLock(WriterLock&&) = default;
  WriterLock& operator=(WriterLock&&) = default;
  ~WriterLock();

 private:
  explicit WriterLock(base::Fd fd) : fd_(std::move(fd)) {}

  base::Fd fd_;
};

}  // namespace tipstaff::ledger
