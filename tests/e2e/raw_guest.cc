#include "tests/e2e/raw_guest.h"

#include <unistd.h>

#include <stdexcept>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "mediator/base/file.h"
#include "mediator/gate/testing/guest_client.h"
#include "tests/e2e/fixture.h"

namespace tipstaff::e2e {
namespace {

RawAnswer Answer(const grpc::Status& status) {
  // gRPC's codes are Abseil's.
  RawAnswer answer;
  answer.code = absl::StatusCodeToString(static_cast<absl::StatusCode>(status.error_code()));
  answer.message = status.error_message();
  return answer;
}

}  // namespace

struct RawGuest::Wire {
  explicit Wire(base::Fd connection)
      : own(::dup(connection.get())), client(std::move(connection)) {}
  const base::Fd own;  // the same connection, to see its end
  gate::GuestClient client;
};

RawGuest::RawGuest(const std::string& socket)
    : wire_([&] {
        base::Fd connection = gate::Connect(socket);
        if (!connection) throw std::runtime_error(absl::StrCat("nobody listens on ", socket));
        return std::make_unique<Wire>(std::move(connection));
      }()) {}

RawGuest::~RawGuest() = default;

RawAnswer RawGuest::Hello(const std::string& token) {
  guest::v1::HelloReply reply;
  const grpc::Status status = wire_->client.Hello(token, &reply);
  if (status.ok()) session_ = reply.session();
  return Answer(status);
}

void RawGuest::HelloFrom(const std::string& token_file) {
  const RawAnswer answer = Hello(Must(base::ReadFile(token_file)));
  if (answer.code != "OK") {
    throw std::runtime_error(absl::StrCat("hello: ", answer.code, ": ", answer.message));
  }
}

RawAnswer RawGuest::Call(const std::string& call_id, const std::string& tool,
                         const std::string& arguments) {
  guest::v1::CallRequest request;
  request.set_session(session_);
  request.set_call_id(call_id);
  request.set_tool(tool);
  request.set_arguments(arguments);
  const gate::CallResult call = wire_->client.Call(std::move(request)).get();
  RawAnswer answer = Answer(call.status);
  if (!call.status.ok() || call.events.empty()) return answer;
  const guest::v1::End& end = call.events.back().end();
  answer.decision_id = end.decision().id();
  answer.verdict = end.decision().verdict();
  answer.reason = end.decision().reason();
  answer.retry = end.decision().retry();
  answer.result = call.Result();
  return answer;
}

RawAnswer RawGuest::ListTools() {
  guest::v1::ListReply reply;
  return Answer(wire_->client.List(session_, &reply));
}

bool RawGuest::ClosesWithin(absl::Duration time) {
  return gate::ClosesWithin(wire_->own.get(), static_cast<int>(absl::ToInt64Milliseconds(time)));
}

}  // namespace tipstaff::e2e
