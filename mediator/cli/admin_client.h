// Asks a running mediator over its admin socket.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "mediator/base/fd.h"
#include "mediator/config/config.h"
#include "mediator/transport/framing.h"

namespace tipstaff::admin::v1 {
class Reply;
class Request;
}  // namespace tipstaff::admin::v1

namespace tipstaff::cli {

// Blocking. Not thread-safe.
class AdminClient {
 public:
  // Unavailable when nobody answers on the socket, with what to do.
  static absl::StatusOr<AdminClient> Connect(const config::Config& config);

  // One request and its reply. An error reply becomes its status, after its diagnostics were
  // printed on standard error. Waits for at most `timeout`.
  absl::Status Ask(const admin::v1::Request& request, admin::v1::Reply& reply,
                   absl::Duration timeout = absl::Minutes(2));

 private:
  explicit AdminClient(base::Fd socket) : socket_(std::move(socket)) {}
  base::Fd socket_;
  transport::FrameReader reader_{transport::kMaxAdminReplyBytes};
};

}  // namespace tipstaff::cli
