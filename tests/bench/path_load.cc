#include "tests/bench/path_load.h"

#include <fcntl.h>
#include <grpcpp/create_channel_posix.h>
#include <grpcpp/grpcpp.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cerrno>
#include <cstring>
#include <optional>

#include "absl/strings/str_cat.h"
#include "mediator/base/fd.h"
#include "mediator/base/file.h"
#include "mediator/base/status.h"
#include "tipstaff/guest/v1/guest.grpc.pb.h"

namespace tipstaff::bench {
namespace {

using guest::v1::CallEvent;
using guest::v1::Guest;

constexpr std::chrono::seconds kCallTimeout{30};

absl::Status FromGrpc(const grpc::Status& status) {
  return absl::Status(static_cast<absl::StatusCode>(status.error_code()), status.error_message());
}

// One call under way: started, then read until its end, then finished.
class Flight {
 public:
  Flight(Guest::Stub& stub, grpc::CompletionQueue& queue, const guest::v1::CallRequest& request)
      : begun_(absl::Now()) {
    context_.set_deadline(std::chrono::system_clock::now() + kCallTimeout);
    reader_ = stub.PrepareAsyncCall(&context_, request, &queue);
    reader_->StartCall(this);
  }

  // After an operation of this flight. True: it is over.
  bool Step(bool ok) {
    if (finishing_) return true;
    if (ok && !ended_.has_value() && event_.has_end()) ended_ = event_.end();
    if (!ok || ended_.has_value()) {
      finishing_ = true;
      reader_->Finish(&status_, this);
    } else {
      reader_->Read(&event_, this);
    }
    return false;
  }

  absl::Duration latency() const { return absl::Now() - begun_; }
  absl::Status Judge() const {
    if (!status_.ok()) return FromGrpc(status_);
    if (!ended_.has_value()) return absl::InternalError("a call ended without an end event");
    if (ended_->decision().verdict() != "allow") {
      return absl::FailedPreconditionError(absl::StrCat(
          "a call was not allowed: ", ended_->decision().reason(), ": ", ended_->result()));
    }
    return absl::OkStatus();
  }

 private:
  const absl::Time begun_;
  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientAsyncReader<CallEvent>> reader_;
  CallEvent event_;
  std::optional<guest::v1::End> ended_;
  bool finishing_ = false;
  grpc::Status status_;
};

class Client final : public LoadClient {
 public:
  explicit Client(int fd) : stub_(Guest::NewStub(grpc::CreateInsecureChannelFromFd("load", fd))) {}

  absl::Status Hello(const std::string& token) override {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + kCallTimeout);
    guest::v1::HelloRequest request;
    request.set_token(token);
    request.set_agent_name("bench_path");
    guest::v1::HelloReply reply;
    TIPSTAFF_RETURN_IF_ERROR(FromGrpc(stub_->Hello(&context, request, &reply)));
    session_ = reply.session();
    return absl::OkStatus();
  }

  absl::StatusOr<LoadResult> Run(const Workload& workload, int calls, int in_flight) override {
    grpc::CompletionQueue queue;
    LoadResult result;
    absl::Status failed;
    int started = 0, flying = 0;
    const absl::Time begun = absl::Now();
    const auto start = [&] {
      new Flight(*stub_, queue, Request(workload));
      ++started, ++flying;
    };
    while (started < std::min(calls, in_flight)) start();
    while (flying > 0) {
      void* tag = nullptr;
      bool ok = false;
      if (!queue.Next(&tag, &ok)) return absl::InternalError("the completion queue ended");
      auto* flight = static_cast<Flight*>(tag);
      if (!flight->Step(ok)) continue;
      const std::unique_ptr<Flight> over(flight);
      result.latencies.push_back(over->latency());
      failed.Update(over->Judge());
      --flying;
      if (started < calls && failed.ok()) start();
    }
    result.wall = absl::Now() - begun;
    TIPSTAFF_RETURN_IF_ERROR(failed);
    return result;
  }

 private:
  guest::v1::CallRequest Request(const Workload& workload) {
    const uint64_t number = ++last_;
    guest::v1::CallRequest request;
    request.set_session(session_);
    request.set_call_id(absl::StrCat("bench-", number));
    request.set_tool(workload.tool);
    request.set_arguments(workload.arguments(number));
    return request;
  }

  const std::unique_ptr<Guest::Stub> stub_;
  std::string session_;
  uint64_t last_ = 0;
};

}  // namespace

std::string PaddedArguments(uint64_t number, size_t size) {
  std::string text = absl::StrCat(R"({"number":)", number, R"(,"pad":")");
  if (text.size() + 2 < size) text.append(size - text.size() - 2, 'a' + number % 26);
  return text + "\"}";
}

absl::StatusOr<std::unique_ptr<LoadClient>> LoadClient::Connect(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) {
    return absl::InvalidArgumentError(
        absl::StrCat("socket path `", path, "` is too long: give a shorter --dir"));
  }
  std::memcpy(address.sun_path, path.c_str(), path.size());
  base::Fd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!fd || ::connect(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
    return absl::UnavailableError(
        absl::StrCat("cannot connect to `", path, "`: ", std::strerror(errno)));
  }
  ::fcntl(fd.get(), F_SETFL, O_NONBLOCK);
  return std::make_unique<Client>(fd.release());
}

}  // namespace tipstaff::bench
