// A gRPC Guest service on a Unix socket, scripted by the test. It keeps the contract of
// guest.proto: a token, sessions, codes; and remembers what it saw.
#pragma once

#include <grpc/grpc.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>

#include <atomic>
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

  // What a call of `tool` does, of other kinds than tools and prompts "RESOURCE", "SUBSCRIPTION" or
  // "COMPLETION"; without one it is refused as unknown_tool.
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
  // As a mediator that knows of no changes.
  void RefuseToWatch() {
    const std::lock_guard<std::mutex> lock(mutex_);
    watchable_ = false;
  }
  // To everyone who watches.
  void Change(proto::CallKind list) {
    proto::Change change;
    change.set_list_changed(list);
    Report(change);
  }
  void ResourceUpdated(const std::string& uri) {
    proto::Change change;
    change.set_resource_updated(uri);
    Report(change);
  }
  // Waits until `count` streams of changes have begun in all.
  void WaitForWatches(size_t count) {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return watches_ >= count; });
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
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      stopping_ = true;
      changed_.notify_all();
    }
    server_->Shutdown(std::chrono::system_clock::now());
    server_->Wait();
    server_ = nullptr;
    ForgetSessions();
    stopping_ = false;
  }

  std::vector<proto::HelloRequest> hellos() const { return Copy(hellos_); }
  size_t lists() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return lists_;
  }
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
  static grpc::Status EndWithError(Writer& writer, int code, const std::string& message,
                                   const std::string& verdict, const std::string& reason) {
    proto::CallEvent event;
    event.mutable_end()->mutable_error()->set_code(code);
    event.mutable_end()->mutable_error()->set_message(message);
    event.mutable_end()->mutable_decision()->set_id("run_a#1");
    event.mutable_end()->mutable_decision()->set_verdict(verdict);
    event.mutable_end()->mutable_decision()->set_reason(reason);
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
    ++lists_;
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
      const auto found =
          scripts_.find(request->tool().empty() ? std::string(proto::CallKind_Name(request->kind()))
                                                : request->tool());
      if (found != scripts_.end()) script = found->second;
    }
    if (!script) return End(*writer, R"({"content":[],"isError":true})", "deny", "unknown_tool");
    return script(*context, *request, *writer);
  }
  grpc::Status Watch(grpc::ServerContext* context, const proto::WatchRequest* request,
                     grpc::ServerWriter<proto::Change>* writer) override {
    std::unique_lock<std::mutex> lock(mutex_);
    if (!watchable_) return {grpc::StatusCode::UNIMPLEMENTED, "no such method"};
    if (request->session() != session_) return UnknownSession();
    size_t seen = changes_.size();
    writer->Write(proto::Change());
    ++watches_;
    changed_.notify_all();
    while (!context->IsCancelled() && !stopping_) {
      changed_.wait_for(lock, std::chrono::milliseconds(5));
      for (; seen < changes_.size(); ++seen) writer->Write(changes_[seen]);
    }
    return grpc::Status::CANCELLED;
  }
  void Report(const proto::Change& change) {
    const std::lock_guard<std::mutex> lock(mutex_);
    changes_.push_back(change);
    changed_.notify_all();
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
  bool watchable_ = true;
  std::atomic<bool> stopping_ = false;
  size_t lists_ = 0, watches_ = 0;
  std::vector<proto::Change> changes_;
  std::vector<proto::HelloRequest> hellos_;
  std::vector<proto::CallRequest> calls_;
  std::unique_ptr<grpc::Server> server_;
};

}  // namespace tipstaff::guest_agent
