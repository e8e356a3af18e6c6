// A gRPC Guest service on a Unix socket, scripted by the test. It keeps the contract of
// guest.proto: a token, sessions, codes; and remembers what it saw.
#pragma once

#include <grpc/grpc.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>

#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tipstaff/guest/v1/guest.grpc.pb.h"

namespace tipstaff::guest_agent {

namespace proto = ::tipstaff::guest::v1;

class FakeMediator final : public proto::Guest::Service {
 public:
  using Writer = grpc::ServerWriter<proto::CallEvent>;
  using Script =
      std::function<grpc::Status(grpc::ServerContext&, const proto::CallRequest&, Writer&)>;

  FakeMediator(std::string socket, std::string token)
      : socket_(std::move(socket)), token_(std::move(token)) {
    // Never undone: gRPC can take ten seconds to end its threads with the last server.
    static const bool kStarted = (grpc_init(), true);
    (void)kStarted;
  }
  ~FakeMediator() override { Stop(); }

  // What a call of `tool` does; without one it is refused as unknown_tool.
  void On(const std::string& tool, Script script) {
    const std::lock_guard<std::mutex> lock(mutex_);
    scripts_[tool] = std::move(script);
  }
  void SetTools(proto::ListReply tools) {
    const std::lock_guard<std::mutex> lock(mutex_);
    tools_ = std::move(tools);
  }
  // What Hello answers instead of OK.
  void RefuseHello(grpc::Status status) {
    const std::lock_guard<std::mutex> lock(mutex_);
    hello_status_ = std::move(status);
  }
  void ForgetSessions() {
    const std::lock_guard<std::mutex> lock(mutex_);
    session_.clear();
  }

  void Start() {
    grpc::ServerBuilder builder;
    builder.AddListeningPort(absl::StrCat("unix:", socket_), grpc::InsecureServerCredentials());
    builder.RegisterService(this);
    server_ = builder.BuildAndStart();
  }
  // As if killed: connections close at once and calls in flight break.
  void Stop() {
    if (!server_) return;
    server_->Shutdown(std::chrono::system_clock::now());
    server_->Wait();
    server_ = nullptr;
    ForgetSessions();
  }

  std::vector<proto::HelloRequest> hellos() const { return Copy(hellos_); }
  std::vector<proto::CallRequest> calls() const { return Copy(calls_); }
  // Waits until `count` calls were seen in all.
  void WaitForCalls(size_t count) {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return calls_.size() >= count; });
  }

  // Ends a call: `result`, and a decision.
  static grpc::Status End(Writer& writer, const std::string& result, const std::string& verdict,
                          const std::string& reason) {
    proto::CallEvent event;
    event.mutable_end()->set_result(result);
    proto::DecisionSummary& decision = *event.mutable_end()->mutable_decision();
    decision.set_id("run_a#1");
    decision.set_verdict(verdict);
    decision.set_reason(reason);
    writer.Write(event);
    return grpc::Status::OK;
  }
  // Blocks until the client cancels or its connection is gone.
  static grpc::Status UntilCancelled(grpc::ServerContext& context) {
    while (!context.IsCancelled()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return grpc::Status::CANCELLED;
  }

 private:
  grpc::Status Hello(grpc::ServerContext*, const proto::HelloRequest* request,
                     proto::HelloReply* reply) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    hellos_.push_back(*request);
    if (!hello_status_.ok()) return hello_status_;
    if (request->token() != token_) return {grpc::StatusCode::UNAUTHENTICATED, "bad token"};
    session_ = absl::StrCat("session", hellos_.size());
    reply->set_session(session_);
    reply->set_run("run_a");
    reply->set_server_version("test");
    return grpc::Status::OK;
  }
  grpc::Status List(grpc::ServerContext*, const proto::ListRequest* request,
                    proto::ListReply* reply) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (request->session() != session_) return UnknownSession();
    *reply = tools_;
    return grpc::Status::OK;
  }
  grpc::Status Call(grpc::ServerContext* context, const proto::CallRequest* request,
                    Writer* writer) override {
    Script script;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (request->session() != session_) return UnknownSession();
      calls_.push_back(*request);
      changed_.notify_all();
      const auto found = scripts_.find(request->tool());
      if (found != scripts_.end()) script = found->second;
    }
    if (!script) return End(*writer, R"({"content":[],"isError":true})", "deny", "unknown_tool");
    return script(*context, *request, *writer);
  }
  static grpc::Status UnknownSession() {
    return {grpc::StatusCode::UNAUTHENTICATED, "the session is not known"};
  }
  template <typename T>
  std::vector<T> Copy(const std::vector<T>& items) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return items;
  }

  const std::string socket_, token_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, Script> scripts_;
  proto::ListReply tools_;
  grpc::Status hello_status_;
  std::string session_;  // the newest; "" and a request's "" never meet
  std::vector<proto::HelloRequest> hellos_;
  std::vector<proto::CallRequest> calls_;
  std::unique_ptr<grpc::Server> server_;
};

}  // namespace tipstaff::guest_agent
