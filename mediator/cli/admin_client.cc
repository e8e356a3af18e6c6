#include "mediator/cli/admin_client.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "mediator/base/file.h"
#include "mediator/json/parse.h"
#include "tipstaff/admin/v1/admin.pb.h"

namespace tipstaff::cli {
namespace {

size_t CountErrors(const std::string& diagnostics) {
  const absl::StatusOr<json::Document> list = json::Parse(diagnostics);
  if (!list.ok()) return 0;
  size_t count = 0;
  for (json::Value one : list->root().items()) {
    if (one.StringOr("severity", "") == "error") ++count;
  }
  return count;
}

// Prints what was found wrong. Where that has errors, the message is the first of them.
absl::Status Refusal(const admin::v1::Error& error) {
  std::fputs(error.diagnostics_text().c_str(), stderr);
  const size_t errors = CountErrors(error.diagnostics_json());
  const std::string message =
      errors == 0
          ? error.message()
          : absl::StrCat("refused for ", errors, errors == 1 ? " error" : " errors", "; see above");
  return absl::Status(static_cast<absl::StatusCode>(error.code()), message);
}

}  // namespace

absl::StatusOr<AdminClient> AdminClient::Connect(const config::Config& config) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string& path = config.admin_socket;
  if (path.size() >= sizeof address.sun_path) {
    return absl::InvalidArgumentError(absl::StrCat("the path of the admin socket, `", path,
                                                   "`, is over 107 bytes; choose a shorter one"));
  }
  std::memcpy(address.sun_path, path.c_str(), path.size());
  base::Fd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!socket ||
      ::connect(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
    if (errno == EACCES) {
      return absl::PermissionDeniedError(absl::StrCat(
          "this user may not connect to `", path,
          "`: its folder, or the socket, does not let others through (docs/approvals.md)"));
    }
    return absl::UnavailableError(absl::StrCat("no mediator answers on `", path,
                                               "`: ", std::strerror(errno),
                                               "; start one with `tipstaff serve`"));
  }
  return AdminClient(std::move(socket));
}

absl::Status AdminClient::Ask(const admin::v1::Request& request, admin::v1::Reply& reply,
                              absl::Duration timeout) {
  std::string message, bytes;
  request.SerializeToString(&message);
  if (message.size() > transport::kMaxFrameBytes) {
    return absl::InvalidArgumentError("the request is larger than the mediator takes");
  }
  transport::AppendFrame(message, bytes);
  for (absl::string_view rest = bytes; !rest.empty();) {
    const ssize_t sent = ::send(socket_.get(), rest.data(), rest.size(), MSG_NOSIGNAL);
    if (sent < 0) return base::ErrnoToStatus(errno, "cannot reach the mediator");
    rest.remove_prefix(sent);
  }
  const absl::Time deadline = absl::Now() + timeout;
  for (;;) {
    const auto next = reader_.Next();
    if (!next.ok()) return next.status();
    if (next->has_value()) {
      if (!reply.ParseFromArray((*next)->data(), static_cast<int>((*next)->size()))) {
        return absl::InternalError("the mediator's reply is not one; are both of one version?");
      }
      break;
    }
    pollfd wait{socket_.get(), POLLIN, 0};
    const int64_t left = absl::ToInt64Milliseconds(deadline - absl::Now());
    if (left <= 0 || ::poll(&wait, 1, static_cast<int>(left)) == 0) {
      return absl::DeadlineExceededError("the mediator does not answer");
    }
    char buffer[65536];
    const ssize_t got = ::recv(socket_.get(), buffer, sizeof buffer, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return absl::UnavailableError("the mediator closed the connection");
    reader_.Add(absl::string_view(buffer, got));
  }
  return reply.has_error() ? Refusal(reply.error()) : absl::OkStatus();
}

}  // namespace tipstaff::cli
