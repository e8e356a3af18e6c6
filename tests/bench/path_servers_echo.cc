#include "tests/bench/path_servers.h"
#include "tests/bench/path_serving.h"
#include "tipstaff/guest/v1/guest.grpc.pb.h"

namespace tipstaff::bench {
namespace {

using guest::v1::CallEvent;

// As long as what reports.get_report gives back.
constexpr size_t kResultBytes = 300;

class Echo final : public grpc::ServerWriteReactor<CallEvent> {
 public:
  explicit Echo(const std::string& call_id) {
    guest::v1::End* end = event_.mutable_end();
    end->set_result(std::string(kResultBytes, 'r'));
    end->mutable_decision()->set_id(call_id);
    end->mutable_decision()->set_verdict("allow");
    StartWriteAndFinish(&event_, grpc::WriteOptions(), grpc::Status::OK);
  }

 private:
  void OnDone() override { delete this; }
  CallEvent event_;
};

class EchoService final : public guest::v1::Guest::CallbackService {
  grpc::ServerWriteReactor<CallEvent>* Call(grpc::CallbackServerContext*,
                                            const guest::v1::CallRequest* request) override {
    return new Echo(request->call_id());
  }
};

}  // namespace

int ServeEcho(const std::string& path) {
  EchoService service;
  return ServeUntilInputEnds(path, service);
}

}  // namespace tipstaff::bench
