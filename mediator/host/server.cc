#include "mediator/host/server.h"

#include <spdlog/spdlog.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <csignal>
#include <filesystem>

#include "absl/strings/str_cat.h"
#include "mediator/base/clock.h"
#include "mediator/base/status.h"
#include "mediator/host/admin_service.h"
#include "mediator/host/approver.h"
#include "mediator/host/framed_socket.h"
#include "mediator/host/mediator.h"
#include "mediator/transport/listen/listen.h"
#include "tipstaff/admin/v1/admin.pb.h"

namespace tipstaff::host {
namespace {

namespace fs = std::filesystem;
namespace asio = boost::asio;

constexpr int kAdminSocketMode = 0600;
// For closing as many runs as may be open: docs/decisions/0012 does the sum.
constexpr uint64_t kReserveBytes = 16 << 20;
// Where people have Unix users of their own: who is connected is asked of the kernel.
constexpr int kPeoplesSocketMode = 0666;
// What people hold open must not keep the operator out.
constexpr int kMaxOperatorConnections = 32, kMaxConnectionsOfPerson = 4;

absl::StatusOr<std::string> GateBeside() {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  const fs::path gate = self.parent_path() / "tipstaff-gate";
  if (error || !fs::exists(gate)) {
    return absl::NotFoundError(
        absl::StrCat("`tipstaff-gate` is not beside this program (looked for `", gate.string(),
                     "`); install both in one folder"));
  }
  return gate.string();
}

int SocketModeFor(const config::Config& config) {
  const bool have_users =
      std::any_of(config.people.begin(), config.people.end(),
                  [](const config::Person& person) { return !person.user.empty(); });
  return have_users ? kPeoplesSocketMode : kAdminSocketMode;
}

// On the ledger's thread.
bool ShortenOnFullDisk(const std::string& run, call::Record& record) {
  if (!run::LeaveOutResult(record)) return false;
  spdlog::warn("{}: there is no room on the disk: a result is not kept", run);
  return true;
}

class RunningServer final : public Server {
 public:
  RunningServer(config::Config config, std::unique_ptr<ledger::Ledger> ledger,
                std::unique_ptr<ledger::Reader> reader, std::shared_ptr<keys::KeyRing> keys,
                std::string gate_program, base::Fd admin, bool handle_signals)
      : config_(std::move(config)),
        clock_(wall_),
        ledger_(std::move(ledger)),
        reader_(std::move(reader)),
        keys_(std::move(keys)),
        inbox_(loop_),
        outbox_(loop_, *ledger_),
        mediator_(config_, {loop_, inbox_, clock_, *ledger_, outbox_, *reader_, *keys_, searches_},
                  std::move(gate_program)),
        admin_(loop_, admin.release()),
        signals_(loop_) {
    if (handle_signals) {
      signals_.add(SIGINT);
      signals_.add(SIGTERM);
      signals_.async_wait([this](boost::system::error_code error, int) {
        if (!error) loop_.stop();
      });
    }
    AcceptAdmin();
  }

  ~RunningServer() override { transport::RemoveSocket(config_.admin_socket); }

  // Whoever has no such user can approve nothing.
  void WarnOfUnknownUsers() const {
    for (const config::Person& person : config_.people) {
      if (!person.user.empty() && UidOf(person.user).empty())
        spdlog::warn("people: `{}` is to be the Unix user `{}`, which there is not", person.name,
                     person.user);
    }
  }
  absl::Status Recover() {
    WarnOfUnknownUsers();
    TIPSTAFF_ASSIGN_OR_RETURN(const absl::Time newest, reader_->NewestTime());
    clock_.AtLeast(newest);
    return mediator_.Recover();
  }

  void Run() override { loop_.run(); }
  void Stop() override {
    asio::post(loop_, [this] { loop_.stop(); });
  }

 private:
  void AcceptAdmin() {
    admin_.async_wait(
        asio::posix::stream_descriptor::wait_read, [this](boost::system::error_code error) {
          if (error) return;
          // Not asio's accept: it leaves the connection to every child's exec, and
          // gates and the command of `exec` are children.
          base::Fd connection(
              ::accept4(admin_.native_handle(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
          if (connection) ServeAdmin(std::move(connection));
          AcceptAdmin();
        });
  }

  void ServeAdmin(base::Fd connection) {
    ucred peer{};
    socklen_t size = sizeof peer;
    const bool known = ::getsockopt(connection.get(), SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0;
    const bool operates = known && (peer.uid == ::geteuid() || peer.uid == 0);
    const std::string by = absl::StrCat("uid:", peer.uid);
    if (!operates && !(known && IsPerson(by))) return;
    const int most = operates ? kMaxOperatorConnections : kMaxConnectionsOfPerson;
    const std::string whose = operates ? "" : by;
    if (connections_[whose] >= most) return;
    ++connections_[whose];
    auto socket = std::make_shared<FramedSocket>(loop_, std::move(connection));
    auto service = std::make_shared<AdminService>(
        mediator_, clock_, config_.ledger, by, operates,
        [weak = std::weak_ptr<FramedSocket>(socket)](const admin::v1::Reply& reply) {
          if (const auto open = weak.lock()) open->Send(reply);
        });
    admin_sockets_[socket.get()] = socket;
    socket->Start([service](absl::string_view message) { return service->Handle(message); },
                  [this, raw = socket.get(), whose](const absl::Status&) {
                    --connections_[whose];
                    admin_sockets_.erase(raw);
                  });
  }

  bool IsPerson(const std::string& uid) const {
    return std::any_of(config_.people.begin(), config_.people.end(),
                       [&](const config::Person& person) {
                         return !person.user.empty() && UidOf(person.user) == uid;
                       });
  }

  const config::Config config_;
  const base::SystemClock wall_;
  base::AdvancingClock clock_;
  asio::io_context loop_{1};
  // The ledger ends before what its callbacks reach: they are dropped by the inbox.
  std::unique_ptr<ledger::Ledger> ledger_;
  std::unique_ptr<ledger::Reader> reader_;
  std::shared_ptr<keys::KeyRing> keys_;
  Inbox inbox_;
  Outbox outbox_;
  CanarySearches searches_;
  Mediator mediator_;
  asio::posix::stream_descriptor admin_;
  asio::signal_set signals_;
  std::map<FramedSocket*, std::shared_ptr<FramedSocket>> admin_sockets_;
  std::map<std::string, int> connections_;  // by uid of a person; "": those that may do all
};

}  // namespace

absl::StatusOr<std::unique_ptr<Server>> Server::Create(config::Config config,
                                                       const ServerOptions& options) {
  std::string gate = options.gate_program;
  if (gate.empty()) {
    TIPSTAFF_ASSIGN_OR_RETURN(gate, GateBeside());
  }
  TIPSTAFF_ASSIGN_OR_RETURN(std::shared_ptr<keys::KeyRing> keys,
                            keys::KeyRing::OpenOrCreate(config.keys_dir));
  TIPSTAFF_ASSIGN_OR_RETURN(
      auto ledger,
      ledger::Ledger::Open(
          config.ledger, {.sign = [keys](const std::string& text) { return keys->SignNote(text); },
                          .reserve_bytes = kReserveBytes,
                          .shorten = ShortenOnFullDisk}));
  TIPSTAFF_ASSIGN_OR_RETURN(auto reader, ledger::Reader::Open(config.ledger));
  TIPSTAFF_ASSIGN_OR_RETURN(base::Fd admin,
                            transport::ListenUnix(config.admin_socket, SocketModeFor(config)));
  auto server = std::make_unique<RunningServer>(std::move(config), std::move(ledger),
                                                std::move(reader), std::move(keys), std::move(gate),
                                                std::move(admin), options.handle_signals);
  TIPSTAFF_RETURN_IF_ERROR(server->Recover());
  return server;
}

}  // namespace tipstaff::host
