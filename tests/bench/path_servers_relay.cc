#include <atomic>
#include <memory>

#include "tests/bench/path_insert.h"
#include "tests/bench/path_servers.h"
#include "tests/bench/path_serving.h"
#include "tipstaff/guest/v1/guest.grpc.pb.h"

namespace tipstaff::bench {
namespace {

using guest::v1::CallEvent;
using guest::v1::CallRequest;
using guest::v1::Guest;

// One call: the guest's side is the server reactor, the echo server's the client reactor. Events go
// over one at a time; the last one goes with the status as soon as it is there, as in the gate.
class Relayed final : public grpc::ServerWriteReactor<CallEvent> {
 public:
  Relayed(Guest::Stub& echo, const CallRequest& request) : request_(request), upstream_(*this) {
    echo.async()->Call(&context_, &request_, &upstream_);
    upstream_.Begin();
  }

 private:
  class Upstream final : public grpc::ClientReadReactor<CallEvent> {
   public:
    explicit Upstream(Relayed& call) : call_(call) {}
    void Begin() {
      StartRead(&event_);
      StartCall();
    }
    void ReadOn() { StartRead(&event_); }

   private:
    void OnReadDone(bool ok) override {
      if (ok) call_.Pass(event_);
    }
    void OnDone(const grpc::Status& status) override { call_.UpstreamDone(status); }

    Relayed& call_;
    CallEvent event_;
  };

  void Pass(CallEvent& event) {
    event_.Swap(&event);
    if (!event_.has_end()) return StartWrite(&event_);
    finished_ = true;
    StartWriteAndFinish(&event_, grpc::WriteOptions(), grpc::Status::OK);
  }
  void UpstreamDone(const grpc::Status& status) {
    if (!finished_) Finish(status);
    LetGo();
  }
  void OnWriteDone(bool ok) override { ok ? upstream_.ReadOn() : context_.TryCancel(); }
  void OnCancel() override { context_.TryCancel(); }
  void OnDone() override { LetGo(); }
  // Of the two sides the last one.
  void LetGo() {
    if (--sides_ == 0) delete this;
  }

  const CallRequest request_;
  grpc::ClientContext context_;
  CallEvent event_;
  bool finished_ = false;  // of the upstream's reactions only, which come one after the other
  std::atomic<int> sides_{2};
  Upstream upstream_;
};

class Failed final : public grpc::ServerWriteReactor<CallEvent> {
 public:
  explicit Failed(const absl::Status& why) {
    Finish(grpc::Status(grpc::StatusCode::INTERNAL,
                        std::string(why.message().data(), why.message().size())));
  }

 private:
  void OnDone() override { delete this; }
};

class RelayService final : public Guest::CallbackService {
 public:
  RelayService(SyncedInsert& insert, const std::string& echo_path)
      : insert_(insert),
        echo_(Guest::NewStub(
            grpc::CreateChannel("unix:" + echo_path, grpc::InsecureChannelCredentials()))) {}

 private:
  grpc::ServerWriteReactor<CallEvent>* Call(grpc::CallbackServerContext*,
                                            const CallRequest* request) override {
    const absl::Status inserted = insert_.Insert(request->call_id(), request->arguments());
    if (!inserted.ok()) return new Failed(inserted);
    return new Relayed(*echo_, *request);
  }

  SyncedInsert& insert_;
  const std::unique_ptr<Guest::Stub> echo_;
};

}  // namespace

int ServeRelay(const std::string& path, const std::string& echo_path,
               const std::string& database_path) {
  const auto insert = SyncedInsert::Open(database_path);
  if (!insert.ok()) {
    std::cerr << "bench_path: " << insert.status().message() << "\n";
    return 5;
  }
  RelayService service(**insert, echo_path);
  return ServeUntilInputEnds(path, service);
}

}  // namespace tipstaff::bench
