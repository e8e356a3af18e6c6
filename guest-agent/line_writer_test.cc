#include "guest-agent/line_writer.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <future>
#include <string>

#include "absl/strings/str_cat.h"

namespace tipstaff::guest_agent {
namespace {

struct Pipe {
  Pipe() {
    int ends[2];
    EXPECT_EQ(::pipe(ends), 0);
    read.reset(ends[0]);
    write.reset(ends[1]);
  }
  base::Fd read, write;
};

std::string ReadToEnd(int fd) {
  std::string text;
  char buffer[4096];
  for (ssize_t got; (got = ::read(fd, buffer, sizeof buffer)) > 0;) text.append(buffer, got);
  return text;
}

TEST(LineWriter, WritesWholeLinesInOrder) {
  Pipe pipe;
  std::string expected;
  auto reader = std::async(std::launch::async, [&] { return ReadToEnd(pipe.read.get()); });
  {
    LineWriter writer(pipe.write.get(), 1 << 20, [] { FAIL() << "the reader is there"; });
    for (int i = 0; i < 50; ++i) {
      const std::string line = absl::StrCat(i, ":", std::string(i * 997, 'x'));
      absl::StrAppend(&expected, line, "\n");
      writer.Write(line);
    }
    EXPECT_TRUE(writer.Flush(absl::Seconds(60)));
  }
  pipe.write.reset();
  EXPECT_EQ(reader.get(), expected);
}

TEST(LineWriter, HoldsUpOnlyWhoMakesWorkWhenNobodyReads) {
  Pipe pipe;
  LineWriter writer(pipe.write.get(), 100'000, [] {});
  for (int i = 0; i < 10; ++i) writer.Write(std::string(50'000, 'x'));
  EXPECT_FALSE(writer.Flush(absl::Milliseconds(10))) << "the pipe holds 64 KiB";
  auto room = std::async(std::launch::async, [&] { writer.WaitForRoom(); });
  EXPECT_EQ(room.wait_for(std::chrono::milliseconds(10)), std::future_status::timeout);
  char buffer[4096];
  for (size_t left = 10 * 50'001; left > 0;) {
    const ssize_t got = ::read(pipe.read.get(), buffer, sizeof buffer);
    ASSERT_GT(got, 0);
    left -= got;
  }
  room.wait();
  EXPECT_TRUE(writer.Flush(absl::Seconds(60)));
}

TEST(LineWriter, EndsWhileNobodyReads) {
  Pipe pipe;
  LineWriter writer(pipe.write.get(), 1, [] {});
  writer.Write(std::string(1'000'000, 'x'));
  EXPECT_FALSE(writer.Flush(absl::ZeroDuration()));
}

TEST(LineWriter, SaysOnceThatTheReaderIsGone) {
  ::signal(SIGPIPE, SIG_IGN);
  Pipe pipe;
  std::atomic<int> gone = 0;
  std::promise<void> told;
  LineWriter writer(pipe.write.get(), 1, [&] {
    if (++gone == 1) told.set_value();
  });
  pipe.read.reset();
  writer.Write("a");
  told.get_future().wait();
  writer.Write("b");
  writer.WaitForRoom();
  EXPECT_TRUE(writer.Flush(absl::ZeroDuration()));
  EXPECT_EQ(gone, 1);
}

}  // namespace
}  // namespace tipstaff::guest_agent
