#include "guest-agent/line_writer.h"

#include <limits.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace tipstaff::guest_agent {

LineWriter::LineWriter(int fd, size_t max_bytes, std::function<void()> on_gone)
    : fd_(fd),
      max_bytes_(max_bytes),
      on_gone_(std::move(on_gone)),
      stop_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      thread_([this] { Run(); }) {}

LineWriter::~LineWriter() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stopped_ = true;
  }
  changed_.notify_all();
  ::eventfd_write(stop_.get(), 1);
  thread_.join();
}

void LineWriter::Write(std::string line) {
  line += '\n';
  const std::lock_guard<std::mutex> lock(mutex_);
  if (gone_ || stopped_) return;
  bytes_ += line.size();
  lines_.push_back(std::move(line));
  changed_.notify_all();
}

bool LineWriter::full() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return bytes_ >= max_bytes_;
}

void LineWriter::WaitForRoom() {
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait(lock, [this] { return gone_ || stopped_ || bytes_ < max_bytes_; });
}

bool LineWriter::Flush(absl::Duration timeout) {
  std::unique_lock<std::mutex> lock(mutex_);
  return changed_.wait_for(lock, absl::ToChronoNanoseconds(timeout),
                           [this] { return gone_ || bytes_ == 0; });
}

void LineWriter::Run() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return stopped_ || !lines_.empty(); });
    if (stopped_) return;
    const std::string line = std::move(lines_.front());
    lines_.pop_front();
    lock.unlock();
    const bool written = WriteAll(line);
    lock.lock();
    bytes_ -= line.size();
    if (!written && !stopped_) {
      gone_ = true;
      lines_.clear();
      bytes_ = 0;
      lock.unlock();
      on_gone_();
      lock.lock();
    }
    changed_.notify_all();
  }
}

// Waits for room before each write of at most PIPE_BUF bytes, which then does not block: so
// stopping needs no O_NONBLOCK, which would be set for everyone who shares the open file.
bool LineWriter::WriteAll(const std::string& line) {
  size_t done = 0;
  while (done < line.size()) {
    pollfd ready[] = {{fd_, POLLOUT, 0}, {stop_.get(), POLLIN, 0}};
    if (::poll(ready, 2, -1) < 0) {
      if (errno == EINTR) continue;
      return false;
    }
    if (ready[1].revents != 0) return false;
    const size_t size = std::min<size_t>(line.size() - done, PIPE_BUF);
    const ssize_t written = ::write(fd_, line.data() + done, size);
    if (written < 0 && errno != EINTR && errno != EAGAIN) return false;
    if (written > 0) done += written;
  }
  return true;
}

}  // namespace tipstaff::guest_agent
