#include "tests/bench/path_sync.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "absl/strings/str_cat.h"
#include "mediator/base/file.h"
#include "mediator/base/status.h"

namespace tipstaff::bench {

namespace {

constexpr size_t kBlockBytes = 4096;
constexpr int kBlocks = 1024;

absl::Status WriteBlock(int file, int number) {
  const std::string block(kBlockBytes, static_cast<char>('a' + number % 26));
  const off_t at = static_cast<off_t>(number % kBlocks) * kBlockBytes;
  if (::pwrite(file, block.data(), block.size(), at) == static_cast<ssize_t>(block.size())) {
    return absl::OkStatus();
  }
  return base::ErrnoToStatus(errno, "cannot write the file of the bare sync");
}

}  // namespace

absl::StatusOr<std::unique_ptr<SyncProbe>> SyncProbe::Open(const std::string& path) {
  base::Fd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  if (!file) return base::ErrnoToStatus(errno, absl::StrCat("cannot make `", path, "`"));
  for (int i = 0; i < kBlocks; ++i) TIPSTAFF_RETURN_IF_ERROR(WriteBlock(file.get(), i));
  if (::fsync(file.get()) != 0) return base::ErrnoToStatus(errno, "cannot sync");
  return std::unique_ptr<SyncProbe>(new SyncProbe(std::move(file)));
}

absl::StatusOr<LoadResult> SyncProbe::Run(int times) {
  LoadResult result;
  const absl::Time all_begun = absl::Now();
  for (int i = 0; i < times; ++i) {
    const absl::Time begun = absl::Now();
    TIPSTAFF_RETURN_IF_ERROR(WriteBlock(file_.get(), next_++));
    if (::fdatasync(file_.get()) != 0) return base::ErrnoToStatus(errno, "cannot sync");
    result.latencies.push_back(absl::Now() - begun);
  }
  result.wall = absl::Now() - all_begun;
  return result;
}

absl::Status CheckOnDisk(const std::string& folder) {
  struct statfs info;
  if (::statfs(folder.c_str(), &info) != 0) {
    return base::ErrnoToStatus(errno, absl::StrCat("cannot look at `", folder, "`"));
  }
  if (info.f_type == TMPFS_MAGIC || info.f_type == RAMFS_MAGIC) {
    return absl::InvalidArgumentError(
        absl::StrCat("--dir `", folder, "` is in memory: a synced insert must reach a disk"));
  }
  return absl::OkStatus();
}

}  // namespace tipstaff::bench
