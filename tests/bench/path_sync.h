// What the disk takes for one write that is to last: the floor under every arm that records.
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "mediator/base/fd.h"
#include "tests/bench/path_load.h"

namespace tipstaff::bench {

// Of one thread.
class SyncProbe {
 public:
  // Makes a file of kBlocks blocks at `path` and syncs it, so that later writes change its content
  // alone, as those to a write-ahead log in use do.
  static absl::StatusOr<std::unique_ptr<SyncProbe>> Open(const std::string& path);

  // Writes and syncs (fdatasync) a block, `times` times, one after the other.
  absl::StatusOr<LoadResult> Run(int times);

 private:
  explicit SyncProbe(base::Fd file) : file_(std::move(file)) {}

  const base::Fd file_;
  int next_ = 0;
};

// InvalidArgument when `folder` is on a file system in memory, where a sync costs nothing.
absl::Status CheckOnDisk(const std::string& folder);

}  // namespace tipstaff::bench
