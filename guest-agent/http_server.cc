#include "guest-agent/http_server.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <csignal>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "guest-agent/calls.h"
#include "guest-agent/http_peer.h"
#include "guest-agent/http_sessions.h"
#include "guest-agent/limits.h"
#include "mediator/base/clock.h"

namespace tipstaff::guest_agent {
namespace {

namespace asio = boost::asio;
using Tcp = asio::ip::tcp;
using Error = boost::system::error_code;

constexpr absl::Duration kAcceptPause = absl::Milliseconds(100);

// Everything but the calls happens in the thread of Run(). What the calls' threads have to say is
// posted there.
class Server final : public HttpServer, private HttpHandler, private Wishes, private Answers {
 public:
  Server(std::string token, mcp::ServerInfo info, Connection::Dial dial,
         Connection::Token run_token, Agent::Log log)
      : acceptor_(io_),
        signals_(io_, SIGTERM, SIGINT),
        ticks_(io_),
        pause_(io_),
        log_(std::move(log)),
        connection_(std::move(dial), std::move(run_token), log_),
        sessions_(std::move(info), static_cast<Wishes&>(*this), clock_),
        calls_(connection_, static_cast<Answers&>(*this)) {
    door_.token = std::move(token);
  }

  absl::Status Bind(const HttpAddress& address) {
    const Tcp::endpoint endpoint(address.ipv6 ? asio::ip::address(asio::ip::address_v6::loopback())
                                              : asio::ip::address(asio::ip::address_v4::loopback()),
                                 address.port);
    Error error;
    acceptor_.open(endpoint.protocol(), error);
    if (!error) acceptor_.set_option(Tcp::acceptor::reuse_address(true), error);
    if (!error) acceptor_.bind(endpoint, error);
    if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
    if (error) {
      return absl::UnavailableError(
          absl::StrCat("cannot listen on ", address.ipv6 ? "[::1]" : "127.0.0.1", ":", address.port,
                       ": ", error.message(), "; choose another port, or 0"));
    }
    door_.port = acceptor_.local_endpoint(error).port();
    url_ = absl::StrCat("http://", address.ipv6 ? "[::1]" : "127.0.0.1", ":", door_.port,
                        mcp::kEndpoint);
    return absl::OkStatus();
  }

  std::string url() const override { return url_; }

  void Run() override {
    signals_.async_wait([this](Error error, int) {
      if (!error) Stop();
    });
    Accept();
    Tick();
    io_.run();
    calls_.Stop();
  }

 private:
  void Stop() {
    stopped_ = true;
    Error ignored;
    acceptor_.close(ignored);
    ticks_.cancel();
    pause_.cancel();
    while (!peers_.empty()) (*peers_.begin())->Close();
  }

  void Accept() {
    acceptor_.async_accept([this](Error error, Tcp::socket socket) {
      if (stopped_) return;
      if (error) return PauseAccepting();  // no descriptor is left, for instance
      // Over the limit it is closed as it goes out of scope.
      if (peers_.size() < kMaxHttpConnections) {
        Error ignored;
        socket.set_option(Tcp::no_delay(true), ignored);
        const auto peer =
            std::make_shared<HttpPeer>(std::move(socket), static_cast<HttpHandler&>(*this));
        peers_.insert(peer);
        peer->Start();
      }
      Accept();
    });
  }

  void PauseAccepting() {
    pause_.expires_after(absl::ToChronoNanoseconds(kAcceptPause));
    pause_.async_wait([this](Error error) {
      if (!error && !stopped_) Accept();
    });
  }

  void Tick() {
    ticks_.expires_after(absl::ToChronoNanoseconds(kHttpKeepAlive));
    ticks_.async_wait([this](Error error) {
      if (error || stopped_) return;
      sessions_.OnTime();
      Tick();
    });
  }

  // HttpHandler
  std::optional<mcp::HttpAnswer> OnHead(const mcp::HttpHead& head) override {
    return mcp::JudgeHead(head, door_);
  }
  void OnRequest(const std::shared_ptr<HttpResponse>& response, const mcp::HttpHead& head,
                 const std::string& body) override {
    sessions_.OnRequest(response, head, body);
  }
  void OnGone(const std::shared_ptr<HttpResponse>& response) override {
    sessions_.OnGone(response);
  }
  void OnClosed(const std::shared_ptr<HttpPeer>& peer) override { peers_.erase(peer); }

  // Wishes
  void List(const mcp::WantList& list, const mcp::ClientInfo& client) override {
    if (!client.name.empty()) connection_.SetAgent(client);
    calls_.List(list);
  }
  void Call(const mcp::WantCall& call, const mcp::ClientInfo& client) override {
    if (!client.name.empty()) connection_.SetAgent(client);
    calls_.Call(call);
  }
  void Cancel(uint64_t ticket) override { calls_.Cancel(ticket); }
  void Note(absl::string_view text) override { log_(text); }

  // Answers, from threads of calls_.
  void OnList(uint64_t ticket, const absl::StatusOr<mcp::CatalogPtr>& catalog) override {
    asio::post(io_, [this, ticket, catalog] { sessions_.OnList(ticket, catalog); });
  }
  void OnProgress(uint64_t ticket, const mcp::CallProgress& progress) override {
    asio::post(io_, [this, ticket, progress] { sessions_.OnProgress(ticket, progress); });
  }
  void OnLog(uint64_t ticket, const std::string& params) override {
    asio::post(io_, [this, ticket, params] { sessions_.OnLog(ticket, params); });
  }
  void OnCallEnd(uint64_t ticket, const mcp::CallEnd& end) override {
    asio::post(io_, [this, ticket, end] { sessions_.OnCallEnd(ticket, end); });
  }
  void OnChange(const mcp::Change& change) override {
    asio::post(io_, [this, change] { sessions_.OnChange(change); });
  }

  asio::io_context io_{1};
  Tcp::acceptor acceptor_;
  asio::signal_set signals_;
  asio::steady_timer ticks_, pause_;
  const Agent::Log log_;
  base::SystemClock clock_;
  mcp::HttpDoor door_;
  std::string url_;
  bool stopped_ = false;
  Connection connection_;
  HttpSessions sessions_;
  std::set<std::shared_ptr<HttpPeer>> peers_;
  Calls calls_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<HttpServer>> HttpServer::Listen(
    const HttpAddress& address, std::string token, mcp::ServerInfo info, Connection::Dial dial,
    Connection::Token run_token, Agent::Log log) {
  auto server = std::make_unique<Server>(std::move(token), std::move(info), std::move(dial),
                                         std::move(run_token), std::move(log));
  if (const absl::Status bound = server->Bind(address); !bound.ok()) return bound;
  return server;
}

}  // namespace tipstaff::guest_agent
