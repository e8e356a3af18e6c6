#include "mediator/backend/error_output.h"

#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cerrno>
#include <utility>

namespace tipstaff::backend {
namespace {

namespace asio = boost::asio;

constexpr size_t kChunkBytes = 16 << 10;
// Read at most in one turn of the loop, and of what is left at the end.
constexpr int kChunksAtOnce = 8;
// Between two chunks that nobody wants: a flood of them costs the loop little.
constexpr std::chrono::milliseconds kPauseBetweenUnwanted(5);

}  // namespace

// Handlers hold it, so that it outlives the ErrorOutput while one runs.
class ErrorOutput::Impl : public std::enable_shared_from_this<Impl> {
 public:
  Impl(asio::io_context& loop, base::Fd pipe, OnBytes on_bytes)
      : pipe_(loop, pipe.release()), pause_(loop), on_bytes_(std::move(on_bytes)) {
    pipe_.non_blocking(true);
  }

  void Await() {
    pipe_.async_wait(asio::posix::stream_descriptor::wait_read,
                     [self = shared_from_this()](boost::system::error_code error) {
                       if (error || !self->TakeSome()) return;
                       self->wanted_ ? self->Await() : self->AwaitLater();
                     });
  }

  // False at the end.
  bool TakeSome() {
    char chunk[kChunkBytes];
    for (int chunks = 0; chunks < kChunksAtOnce && pipe_.is_open(); ++chunks) {
      const ssize_t got = ::read(pipe_.native_handle(), chunk, sizeof chunk);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0 && errno == EAGAIN) return true;
      if (got <= 0) return false;
      if (!wanted_) return true;
      // It may destroy what it is called from.
      const OnBytes on_bytes = on_bytes_;
      wanted_ = on_bytes(absl::string_view(chunk, static_cast<size_t>(got)));
    }
    return pipe_.is_open();
  }

  void Stop() {
    boost::system::error_code ignored;
    pipe_.close(ignored);
    pause_.cancel();
  }

 private:
  void AwaitLater() {
    pause_.expires_after(kPauseBetweenUnwanted);
    pause_.async_wait([self = shared_from_this()](boost::system::error_code error) {
      if (!error && self->pipe_.is_open()) self->Await();
    });
  }

  asio::posix::stream_descriptor pipe_;
  asio::steady_timer pause_;
  const OnBytes on_bytes_;
  bool wanted_ = true;
};

ErrorOutput::ErrorOutput(asio::io_context& loop, base::Fd pipe, OnBytes on_bytes)
    : impl_(std::make_shared<Impl>(loop, std::move(pipe), std::move(on_bytes))) {
  impl_->Await();
}

ErrorOutput::~ErrorOutput() { impl_->Stop(); }

void ErrorOutput::TakeRest() {
  const std::shared_ptr<Impl> impl = impl_;
  impl->TakeSome();
  impl->Stop();
}

}  // namespace tipstaff::backend
