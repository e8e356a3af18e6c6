#include "tests/harness/mcp_server/http.h"

#include <unistd.h>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <cstdio>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "tests/harness/mcp_server/http_connection.h"
#include "tests/harness/mcp_server/loop.h"

namespace tipstaff::mcp_server {
namespace {

using boost::asio::ip::tcp;

class Listener {
 public:
  Listener(boost::asio::io_context& loop, uint16_t port, Endpoint& endpoint)
      : acceptor_(loop, tcp::endpoint(boost::asio::ip::address_v4::loopback(), port)),
        endpoint_(endpoint) {
    Accept();
  }
  uint16_t port() const { return acceptor_.local_endpoint().port(); }

 private:
  void Accept() {
    acceptor_.async_accept([this](const boost::system::error_code& error, tcp::socket socket) {
      if (!error) StartConnection(std::move(socket), endpoint_);
      Accept();
    });
  }

  tcp::acceptor acceptor_;
  Endpoint& endpoint_;
};

// The server ends with whoever started it.
void EndWithInput(boost::asio::posix::stream_descriptor& input) {
  input.async_wait(boost::asio::posix::stream_descriptor::wait_read,
                   [&input](const boost::system::error_code& error) {
                     char byte;
                     if (error || ::read(STDIN_FILENO, &byte, 1) <= 0) ::_exit(0);
                     EndWithInput(input);
                   });
}

}  // namespace

int ServeHttp(const Options& options) {
  absl::string_view digits = options.http;
  uint32_t port = 0;
  if (!absl::ConsumePrefix(&digits, "127.0.0.1:") || !absl::SimpleAtoi(digits, &port) ||
      port > 65535) {
    std::fprintf(stderr, "tipstaff-test-mcp-server: `--http %s`: 127.0.0.1:PORT is due\n",
                 options.http.c_str());
    return 2;
  }
  try {
    boost::asio::io_context loop;
    Server server(options, [&](absl::Duration time, std::function<void()> what) {
      After(loop, time, std::move(what));
    });
    Endpoint endpoint(options, server);
    Listener listener(loop, static_cast<uint16_t>(port), endpoint);
    endpoint.set_port(listener.port());
    std::printf("listening on http://127.0.0.1:%d/mcp\n", listener.port());
    std::fflush(stdout);
    boost::asio::posix::stream_descriptor input(loop, ::dup(STDIN_FILENO));
    EndWithInput(input);
    loop.run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tipstaff-test-mcp-server: cannot serve on %s: %s\n", options.http.c_str(),
                 error.what());
    return 5;
  }
  return 0;
}

}  // namespace tipstaff::mcp_server
