#include "mediator/gate/testing/guest_client.h"

#include <fcntl.h>
#include <grpcpp/create_channel_posix.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <chrono>
#include <cstring>

namespace tipstaff::gate {
namespace {

// Longer than any test takes: a call that is never answered fails instead of hanging.
constexpr std::chrono::seconds kDeadline{30};

std::unique_ptr<grpc::ClientContext> NewContext() {
  auto context = std::make_unique<grpc::ClientContext>();
  context->set_deadline(std::chrono::system_clock::now() + kDeadline);
  return context;
}

}  // namespace

base::Fd Connect(const std::string& path) {
  base::Fd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
  if (::connect(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) return {};
  ::fcntl(fd.get(), F_SETFL, O_NONBLOCK);
  return fd;
}

bool SendAll(int socket, absl::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(sent);
  }
  return true;
}

bool ClosesWithin(int socket, int milliseconds) {
  using std::chrono::steady_clock;
  const auto deadline = steady_clock::now() + std::chrono::milliseconds(milliseconds);
  for (;;) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(deadline - steady_clock::now()).count();
    pollfd polled{socket, POLLIN, 0};
    if (left <= 0 || ::poll(&polled, 1, static_cast<int>(left)) <= 0) return false;
    char buffer[4096];
    const ssize_t got = ::recv(socket, buffer, sizeof buffer, 0);
    if (got == 0 || (got < 0 && errno != EAGAIN)) return true;
  }
}

std::string CallResult::Result() const {
  std::string result;
  for (const guest::v1::CallEvent& event : events) {
    result += event.has_end() ? event.end().result() : event.piece();
  }
  return result;
}

GuestClient::GuestClient(base::Fd connection)
    : stub_(guest::v1::Guest::NewStub(
          grpc::CreateInsecureChannelFromFd("guest", connection.release()))) {}

grpc::Status GuestClient::Hello(const std::string& token, guest::v1::HelloReply* reply) {
  guest::v1::HelloRequest request;
  request.set_token(token);
  return stub_->Hello(NewContext().get(), request, reply);
}

grpc::Status GuestClient::List(const std::string& session, guest::v1::ListReply* reply) {
  guest::v1::ListRequest request;
  request.set_session(session);
  return stub_->List(NewContext().get(), request, reply);
}

std::future<CallResult> GuestClient::Call(guest::v1::CallRequest request,
                                          std::shared_ptr<grpc::ClientContext> context) {
  if (context == nullptr) context = NewContext();
  return std::async(std::launch::async, [this, request = std::move(request), context] {
    CallResult result;
    const auto reader = stub_->Call(context.get(), request);
    for (guest::v1::CallEvent event; reader->Read(&event);) result.events.push_back(event);
    result.status = reader->Finish();
    return result;
  });
}

std::future<CallResult> GuestClient::Call(const std::string& call_id,
                                          const std::string& arguments) {
  guest::v1::CallRequest request;
  request.set_call_id(call_id);
  request.set_tool("reports.get_report");
  request.set_arguments(arguments);
  return Call(std::move(request));
}

}  // namespace tipstaff::gate
