#include "mediator/ledger/reserve.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "absl/time/clock.h"
#include "mediator/base/file.h"
#include "mediator/base/testing/temp_folder.h"

namespace tipstaff::ledger {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

constexpr uint64_t kBytes = 4 * Reserve::kSlice;

class ReserveTest : public ::testing::Test {
 protected:
  absl::StatusOr<std::unique_ptr<Reserve>> Open(uint64_t bytes = kBytes) {
    return Reserve::Open(ledger_, bytes, [this](int fd, uint64_t wanted) -> absl::Status {
      ++asked_;
      if (full_) return absl::ResourceExhaustedError("the disk is full");
      return base::ErrnoToStatus(::posix_fallocate(fd, 0, static_cast<off_t>(wanted)), "taken");
    });
  }

  base::TempFolder folder_;
  const std::string ledger_ = folder_.Path("t.db"), path_ = ledger_ + "-reserve";
  bool full_ = false;
  int asked_ = 0;
};

TEST_F(ReserveTest, IsGivenUpInSlices) {
  auto reserve = *Open();
  EXPECT_FALSE(reserve->Release()) << "nothing is held yet";
  ASSERT_TRUE(reserve->Hold().ok());
  EXPECT_EQ(fs::file_size(path_), kBytes);
  struct stat info {};
  ASSERT_EQ(::stat(path_.c_str(), &info), 0);
  EXPECT_GE(static_cast<uint64_t>(info.st_blocks) * 512, kBytes) << "it really takes up room";
  EXPECT_EQ(info.st_mode & 0777, 0600u);

  EXPECT_TRUE(reserve->Release());
  EXPECT_EQ(fs::file_size(path_), kBytes - Reserve::kSlice);
  EXPECT_TRUE(reserve->Release(Reserve::kSlice + 1)) << "at least so much";
  EXPECT_EQ(fs::file_size(path_), kBytes - 3 * Reserve::kSlice);
  EXPECT_TRUE(reserve->Release(100 * kBytes)) << "what is left";
  EXPECT_EQ(fs::file_size(path_), 0u);
  EXPECT_EQ(reserve->held(), 0u);
  EXPECT_FALSE(reserve->Release());
}

TEST_F(ReserveTest, IsTakenAgainAndNotAskedForAllTheTime) {
  auto reserve = *Open();
  ASSERT_TRUE(reserve->Hold().ok());
  ASSERT_TRUE(reserve->Release());
  full_ = true;
  asked_ = 0;
  const absl::Time start = absl::Now();
  while (asked_ == 0 && absl::Now() < start + absl::Seconds(20)) {
    EXPECT_TRUE(absl::IsResourceExhausted(reserve->Hold()));
    absl::SleepFor(absl::Milliseconds(20));
  }
  EXPECT_GE(absl::Now() - start, absl::Milliseconds(900)) << "not at once after it was given up";
  EXPECT_EQ(asked_, 1);
  EXPECT_EQ(reserve->held(), kBytes - Reserve::kSlice) << "what it has it keeps";
  EXPECT_TRUE(absl::IsResourceExhausted(reserve->Hold()));
  EXPECT_EQ(asked_, 1);
  full_ = false;
  while (!reserve->Hold().ok() && absl::Now() < start + absl::Seconds(20)) {
    absl::SleepFor(absl::Milliseconds(20));
  }
  EXPECT_EQ(reserve->held(), kBytes);
}

// After a restart on a full disk nothing was held, although the file was there.
TEST_F(ReserveTest, HoldsWhatAnEarlierWriterLeft) {
  ASSERT_TRUE((*Open())->Hold().ok());
  full_ = true;
  auto reserve = *Open();
  EXPECT_EQ(reserve->held(), kBytes);
  EXPECT_TRUE(reserve->Hold().ok());
  EXPECT_TRUE(reserve->Release());
  reserve.reset();
  EXPECT_EQ((*Open())->held(), kBytes - Reserve::kSlice) << "smaller than wanted";
}

TEST_F(ReserveTest, OneOfALargerReserveIsCutShorter) {
  ASSERT_TRUE((*Open(2 * kBytes))->Hold().ok());
  EXPECT_EQ((*Open())->held(), kBytes);
  EXPECT_EQ(fs::file_size(path_), kBytes);
}

TEST_F(ReserveTest, HolesAreNoRoom) {
  std::ofstream(path_).close();
  fs::resize_file(path_, kBytes);
  full_ = true;
  auto reserve = *Open();
  EXPECT_EQ(reserve->held(), 0u);
  EXPECT_TRUE(absl::IsResourceExhausted(reserve->Hold()));
}

TEST_F(ReserveTest, WithoutOneNothingIsLookedAt) {
  std::ofstream(path_) << "mine";
  auto none = *Open(0);
  EXPECT_TRUE(none->Hold().ok());
  EXPECT_FALSE(none->Release());
  EXPECT_EQ(fs::file_size(path_), 4u);
}

TEST_F(ReserveTest, WhatIsSomethingElseStaysAsItIs) {
  const std::string other = folder_.Path("other");
  struct Row {
    const char* name;
    std::function<void()> make;
    const char* says;
  };
  const Row rows[] = {
      {"a link, through which another file would be cut",
       [&] {
         std::ofstream(other) << "content";
         fs::create_symlink(other, path_);
       },
       "it is a symbolic link"},
      {"another name of a file", [&] { fs::create_hard_link(other, path_); },
       "it has another name as well"},
      {"a folder", [&] { fs::create_directory(path_); }, "it is not a regular file"},
      {"a pipe, which is not waited for", [&] { ::mkfifo(path_.c_str(), 0600); },
       "it is not a regular file"},
      {"a file with content", [&] { std::ofstream(path_) << std::string(70'000, '\0') << "x"; },
       "it has content"},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    fs::remove_all(path_);
    row.make();
    const auto type = fs::symlink_status(path_).type();
    const auto opened = Open();
    EXPECT_EQ(opened.status().code(), absl::StatusCode::kFailedPrecondition) << opened.status();
    EXPECT_THAT(opened.status().message(), HasSubstr(row.says));
    EXPECT_THAT(opened.status().message(), HasSubstr(path_));
    EXPECT_EQ(fs::symlink_status(path_).type(), type);
    EXPECT_EQ(asked_, 0);
  }
  EXPECT_EQ(*base::ReadFile(other), "content");
}

TEST_F(ReserveTest, WhatComesInItsPlaceLaterIsSaidAndLeftAlone) {
  auto reserve = *Open();
  std::ofstream(path_) << "mine";
  const absl::Status held = reserve->Hold();
  EXPECT_TRUE(absl::IsResourceExhausted(held)) << held;
  EXPECT_THAT(held.message(), HasSubstr("it has content"));
  EXPECT_FALSE(reserve->Release());
  EXPECT_EQ(*base::ReadFile(path_), "mine");
}

TEST_F(ReserveTest, AFolderThatTakesNoFileIsSaid) {
  const auto reserve = Reserve::Open(folder_.Path("nowhere/t.db"), kBytes);
  ASSERT_TRUE(reserve.ok()) << reserve.status();
  const absl::Status held = (*reserve)->Hold();
  EXPECT_TRUE(absl::IsResourceExhausted(held)) << held;
  EXPECT_THAT(held.message(), HasSubstr("it cannot be made"));
}

}  // namespace
}  // namespace tipstaff::ledger
