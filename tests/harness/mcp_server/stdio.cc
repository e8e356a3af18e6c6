#include "tests/harness/mcp_server/stdio.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <cerrno>
#include <cstdlib>

#include "mediator/mcp/lines.h"
#include "tests/harness/mcp_server/loop.h"
#include "tests/harness/mcp_server/server.h"

namespace tipstaff::mcp_server {
namespace {

// Waits for a client that does not read, as most servers do.
class StandardOutput final : public Channel {
 public:
  explicit StandardOutput(bool noisy) : noisy_(noisy) {
    if (noisy_) Line("Welcome to the \x1b[1mtest server\x1b[0m!\n\n{\"level\":\"info\"}\n[1,2]");
  }
  void Say(const std::string& message) override {
    Line(message);
    if (noisy_) Line("[debug] said something");
  }
  void Answer(const std::string& message, int) override { Say(message); }

 private:
  static void Line(std::string text) {
    text += '\n';
    for (size_t done = 0; done < text.size();) {
      const ssize_t put = ::write(STDOUT_FILENO, text.data() + done, text.size() - done);
      if (put > 0) {
        done += static_cast<size_t>(put);
      } else if (errno == EAGAIN || errno == EINTR) {
        pollfd ready = {STDOUT_FILENO, POLLOUT, 0};
        ::poll(&ready, 1, -1);
      } else {
        ::_exit(1);  // nobody reads any more
      }
    }
  }

  const bool noisy_;
};

class Input {
 public:
  Input(boost::asio::io_context& loop, std::function<void(absl::string_view)> take)
      : input_(loop, ::dup(STDIN_FILENO)), take_(std::move(take)) {
    Read();
  }

 private:
  void Read() {
    input_.async_read_some(boost::asio::buffer(buffer_),
                           [this](const boost::system::error_code& error, size_t size) {
                             if (error) ::_exit(0);
                             lines_.Add(absl::string_view(buffer_.data(), size));
                             while (const auto line = lines_.Next()) take_(line->text);
                             Read();
                           });
  }

  boost::asio::posix::stream_descriptor input_;
  const std::function<void(absl::string_view)> take_;
  mcp::LineReader lines_;
  std::array<char, 1 << 16> buffer_;
};

}  // namespace

int ServeStdio(const Options& options) {
  boost::asio::io_context loop;
  Server server(options, [&](absl::Duration time, std::function<void()> what) {
    After(loop, time, std::move(what));
  });
  const auto output = std::make_shared<StandardOutput>(options.banner);
  const auto session = std::make_shared<Session>();
  session->listener = output;
  Input input(loop, [&](absl::string_view line) { server.Take(line, session, output); });
  loop.run();
  return 0;
}

}  // namespace tipstaff::mcp_server
