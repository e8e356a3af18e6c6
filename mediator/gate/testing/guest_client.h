// A guest's gRPC client over one connection of its own, and bare connections.
#pragma once

#include <grpcpp/grpcpp.h>

#include <future>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "mediator/base/fd.h"
#include "tipstaff/guest/v1/guest.grpc.pb.h"

namespace tipstaff::gate {

// A connected Unix socket, non-blocking; empty when nobody listens.
base::Fd Connect(const std::string& path);
bool SendAll(int socket, absl::string_view bytes);
// Reads and drops what comes; true when the peer closes within `milliseconds`.
bool ClosesWithin(int socket, int milliseconds);

// What came of a call.
struct CallResult {
  grpc::Status status;
  std::vector<guest::v1::CallEvent> events;
  // All pieces and the end's part.
  std::string Result() const;
};

// Thread-safe.
class GuestClient {
 public:
  explicit GuestClient(base::Fd connection);

  grpc::Status Hello(const std::string& token, guest::v1::HelloReply* reply);
  grpc::Status List(const std::string& session, guest::v1::ListReply* reply);
  // Starts a call on a thread of its own; `context` (of the caller's, if given) can cancel it.
  std::future<CallResult> Call(guest::v1::CallRequest request,
                               std::shared_ptr<grpc::ClientContext> context = nullptr);
  std::future<CallResult> Call(const std::string& call_id, const std::string& arguments = "{}");
  guest::v1::Guest::Stub& stub() { return *stub_; }

 private:
  const std::unique_ptr<guest::v1::Guest::Stub> stub_;
};

}  // namespace tipstaff::gate
