// Room on the disk that is kept for the records with which calls and runs end: a file of zeros
// beside the ledger that is cut shorter when the disk is full, and made whole again once there is
// room. docs/decisions/0012 says what it is enough for.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "mediator/base/fd.h"

namespace tipstaff::ledger {

// Takes room on the disk for the first `bytes` of a file; OK when it is taken.
using TakeRoom = std::function<absl::Status(int fd, uint64_t bytes)>;

// Not thread-safe.
class Reserve {
 public:
  // The file `<ledger>-reserve` of `bytes`; 0: none is kept, and a file of that name is not looked
  // at. What an earlier writer left there is held from now on. `take` unset: fallocate(2), or
  // zeros where the file system has no such call. FailedPrecondition when something else stands in
  // its place, which is then left as it is. That no file can be made there is said by Hold().
  static absl::StatusOr<std::unique_ptr<Reserve>> Open(const std::string& ledger, uint64_t bytes,
                                                       TakeRoom take = nullptr);

  // Holds all of it, or as much as before: not tried more than once in a second after it failed.
  // ResourceExhausted when there is no room, or no such file can be made.
  absl::Status Hold();
  // Gives up at least so many bytes, in whole slices, or what is left. False when none is held.
  bool Release(uint64_t bytes = 1);
  uint64_t held() const { return held_; }
  // Whether all of it is held and there is room for a slice more, which is not kept.
  bool HasRoomBeside();

  // What is given up at a time: not all, as other programs wait for room on the same disk.
  static constexpr uint64_t kSlice = 512 << 10;

 private:
  Reserve(std::string path, uint64_t bytes, TakeRoom take)
      : path_(std::move(path)), bytes_(bytes), take_(std::move(take)) {}
  // Of what is there; NotFound when there is nothing.
  absl::Status Adopt();
  absl::Status MakeFile();

  const std::string path_;
  const uint64_t bytes_;
  const TakeRoom take_;
  base::Fd fd_;
  uint64_t held_ = 0;
  absl::Time next_try_ = absl::InfinitePast();
  absl::Status why_not_;  // until then
};

}  // namespace tipstaff::ledger
