#include "mediator/host/channel.h"

#include <spdlog/spdlog.h>
#include <sys/socket.h>

#include "mediator/base/status.h"
#include "mediator/transport/listen/listen.h"
#include "tipstaff/gate/v1/gate.pb.h"

namespace tipstaff::host {
namespace {

// After a gate ended: how long until its channel may have another one.
constexpr absl::Duration kGatePause = absl::Milliseconds(100);
constexpr int kSocketMode = 0600;

}  // namespace

Channel::Channel(boost::asio::io_context& loop, std::string name, std::string gate_program,
                 GuestContext context)
    : loop_(loop),
      name_(std::move(name)),
      gate_program_(std::move(gate_program)),
      context_(std::move(context)),
      pause_(loop) {}

Channel::~Channel() {
  Shut();
  if (!path_.empty()) transport::RemoveSocket(path_, link_);
}

absl::Status Channel::Listen(const std::string& path, transport::FolderLink link) {
  TIPSTAFF_ASSIGN_OR_RETURN(base::Fd listener, transport::ListenUnix(path, kSocketMode, link));
  path_ = path;
  link_ = link;
  listener_ = std::make_unique<boost::asio::posix::stream_descriptor>(loop_, listener.release());
  AwaitConnection();
  return absl::OkStatus();
}

void Channel::AwaitConnection() {
  if (retired_ || listener_ == nullptr) return;
  listener_->async_wait(boost::asio::posix::stream_descriptor::wait_read,
                        [weak = weak_from_this()](boost::system::error_code error) {
                          const std::shared_ptr<Channel> self = weak.lock();
                          if (error || self == nullptr || self->retired_) return;
                          self->StartGate(Connections::kListen, self->listener_->native_handle());
                        });
}

void Channel::HandOver(base::Fd connection) {
  if (retired_) return;
  if (gate_ == nullptr) {
    int pair[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) return;
    handoff_ = base::Fd(pair[0]);
    const base::Fd theirs(pair[1]);
    StartGate(Connections::kHandoff, theirs.get());
  }
  if (const absl::Status sent = transport::SendFd(handoff_.get(), connection.get()); !sent.ok()) {
    spdlog::warn("{}: a connection could not be handed to its gate: {}", name_,
                 std::string(sent.message()));
  }
}

void Channel::StartGate(Connections kind, int connections) {
  absl::StatusOr<std::unique_ptr<GateProcess>> gate =
      GateProcess::Start(loop_, gate_program_, name_, kind, connections,
                         [weak = weak_from_this()](const std::string& how) {
                           if (const auto self = weak.lock()) self->GateEnded(how);
                         });
  if (!gate.ok()) {
    GateEnded(std::string(gate.status().message()));
    return;
  }
  gate_ = *std::move(gate);
  spdlog::info("{}: gate {} started", name_, gate_->pid());
  socket_ = std::make_shared<FramedSocket>(loop_, gate_->TakeSocket());
  service_ = std::make_shared<GuestService>(
      context_, [socket = std::weak_ptr<FramedSocket>(socket_)](const gate::v1::ToGate& message) {
        if (const auto open = socket.lock()) open->Send(message);
      });
  socket_->Start(
      [service = service_](absl::string_view message) { return service->Handle(message); },
      [weak = weak_from_this()](const absl::Status& why) {
        if (const auto self = weak.lock()) self->GateEnded(std::string(why.message()));
      });
}

void Channel::Shut() {
  if (socket_ != nullptr) socket_->Close();
  if (service_ != nullptr) service_->Disconnect();
  socket_ = nullptr;
  service_ = nullptr;
  gate_ = nullptr;
  handoff_.reset();
}

void Channel::GateEnded(const std::string& how) {
  spdlog::info("{}: gate ended: {}", name_, how);
  Shut();
  pause_.expires_after(absl::ToChronoMilliseconds(kGatePause));
  pause_.async_wait([weak = weak_from_this()](boost::system::error_code error) {
    const auto self = weak.lock();
    if (!error && self != nullptr) self->AwaitConnection();
  });
}

void Channel::Retire(call::Reason reason, absl::Duration grace) {
  retired_ = true;
  *context_.closed_reason = reason;
  listener_ = nullptr;
  if (!path_.empty()) transport::RemoveSocket(path_, link_);
  path_.clear();
  if (gate_ == nullptr) return;
  pause_.expires_after(absl::ToChronoMilliseconds(grace));
  pause_.async_wait([weak = weak_from_this()](boost::system::error_code error) {
    const auto self = weak.lock();
    if (!error && self != nullptr) self->Shut();
  });
}

}  // namespace tipstaff::host
