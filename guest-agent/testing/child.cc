#include "guest-agent/testing/child.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "mediator/json/parse.h"

namespace tipstaff::guest_agent {
namespace {

constexpr int kPatienceMs = 60'000;

void MakePipe(base::Fd& read, base::Fd& write) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  read.reset(ends[0]);
  write.reset(ends[1]);
}

std::vector<char*> Pointers(std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  for (std::string& text : strings) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

Child::Child(const std::string& program, std::vector<std::string> arguments,
             std::vector<std::string> environment) {
  ::signal(SIGPIPE, SIG_IGN);
  base::Fd child_input, child_output;
  MakePipe(child_input, input_);
  MakePipe(output_, child_output);
  // A file, so that a child that logs a lot is not held up.
  errors_.reset(::open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, child_input.get(), STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, child_output.get(), STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, errors_.get(), STDERR_FILENO);
  arguments.insert(arguments.begin(), program);
  const int error = ::posix_spawn(&pid_, program.c_str(), &actions, nullptr,
                                  Pointers(arguments).data(), Pointers(environment).data());
  ::posix_spawn_file_actions_destroy(&actions);
  EXPECT_EQ(error, 0) << program;
}

Child::~Child() {
  if (pid_ <= 0 || reaped_) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

void Child::Write(absl::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(input_.get(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    ASSERT_GT(written, 0) << "the child does not read";
    bytes.remove_prefix(written);
  }
}

void Child::WriteLine(absl::string_view line) { Write(std::string(line) + "\n"); }

bool Child::Fill() {
  pollfd ready = {output_.get(), POLLIN, 0};
  if (::poll(&ready, 1, kPatienceMs) <= 0) {
    ADD_FAILURE() << "no output in time";
    return false;
  }
  char buffer[65536];
  const ssize_t got = ::read(output_.get(), buffer, sizeof buffer);
  if (got > 0) buffer_.append(buffer, got);
  return got > 0;
}

json::Document Child::ReadMessage() {
  size_t scanned = 0, end;
  while ((end = buffer_.find('\n', scanned)) == std::string::npos) {
    scanned = buffer_.size();
    if (!Fill()) {
      ADD_FAILURE() << "the output ended before a line";
      return json::Document();
    }
  }
  const std::string line = buffer_.substr(0, end);
  buffer_.erase(0, end + 1);
  absl::StatusOr<json::Document> message = json::Parse(line, {.max_depth = 100});
  EXPECT_TRUE(message.ok()) << message.status() << " in " << line.substr(0, 200);
  return message.ok() ? *message : json::Document();
}

std::string Child::ReadOutput() {
  while (Fill()) {
  }
  return std::move(buffer_);
}

int Child::Wait() {
  const absl::Time deadline = absl::Now() + absl::Milliseconds(kPatienceMs);
  int status = 0;
  while (::waitpid(pid_, &status, WNOHANG) == 0) {
    if (absl::Now() > deadline) {
      ADD_FAILURE() << "does not exit";
      ::kill(pid_, SIGKILL);
    }
    ::usleep(1000);
  }
  reaped_ = true;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

std::string Child::WaitForError(absl::string_view text) {
  const absl::Time deadline = absl::Now() + absl::Milliseconds(kPatienceMs);
  while (absl::Now() < deadline) {
    const std::string errors = Errors();
    const size_t begin = errors.find(std::string(text));
    const size_t end = errors.find('\n', begin);
    if (begin != std::string::npos && end != std::string::npos) {
      return errors.substr(begin + text.size(), end - begin - text.size());
    }
    ::usleep(1000);
  }
  ADD_FAILURE() << "stderr does not say `" << text << "`: " << Errors();
  return "";
}

void Child::Signal(int signal) { ::kill(pid_, signal); }

std::string Child::Errors() {
  std::string text(::lseek(errors_.get(), 0, SEEK_END), '\0');
  EXPECT_EQ(::pread(errors_.get(), text.data(), text.size(), 0), static_cast<ssize_t>(text.size()));
  return text;
}

}  // namespace tipstaff::guest_agent
