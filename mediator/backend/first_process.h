// The first process of a process namespace: when it has ended, so have all others there.
#pragma once

#include <string>

#include "absl/time/time.h"
#include "mediator/base/fd.h"

namespace tipstaff::backend {

// Found from what bubblewrap says on its --info-fd. On one thread only.
class FirstProcess {
 public:
  // `info`: the end of a pipe to read that from. The process holds the lock (process_lock.h) as
  // long as it lives, which is how it is known from another one with its number.
  FirstProcess(base::Fd info, std::string lock_path);

  // Looks for it where it is not found yet; to be called soon after the start. Never waits.
  void Find();
  // False while it lives, or the kernel still ends others there. True where there is none.
  bool HasEnded();
  // Waits until it has ended, for `patience` at most.
  void Await(absl::Duration patience);

  // Can be read when Find() can succeed.
  int info() const { return info_.get(); }

 private:
  const base::Fd info_;  // stays open: bubblewrap says more, and would get SIGPIPE
  bool looked_ = false;
  const std::string lock_path_;
  base::Fd process_;
};

}  // namespace tipstaff::backend
