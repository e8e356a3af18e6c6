// A transport over HTTP, the server that it speaks to, and all that it reported.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/clock.h"
#include "mediator/upstream/http_transport.h"
#include "mediator/upstream/testing/http_server.h"

namespace tipstaff::upstream {

class HttpTransportTest : public ::testing::Test {
 protected:
  // Ends the server when it is destroyed: before what its handler refers to.
  class [[nodiscard]] Serving {
   public:
    explicit Serving(std::unique_ptr<HttpServer>& server) : server_(server) {}
    ~Serving() { server_.reset(); }
    Serving(const Serving&) = delete;

   private:
    std::unique_ptr<HttpServer>& server_;
  };

  // Before Start().
  Serving Serve(HttpServer::Handler handler, const Certificate& certificate = {}) {
    server_ = std::make_unique<HttpServer>(std::move(handler), certificate);
    options_.url = server_->Url();
    return Serving(server_);
  }

  void Start() {
    transport_ = MakeHttpTransport(
        loop_, client_, options_,
        {.on_message =
             [this](absl::string_view message, uint64_t request) {
               Report(absl::StrCat("message ", request, " ", message));
             },
         .on_failure =
             [this](uint64_t request, int status, const std::string& body, bool sent) {
               Report(absl::StrCat("failure ", request, " ", status, sent ? " sent " : " unsent ",
                                   body));
             },
         .on_response_end = [this](uint64_t request) { Report(absl::StrCat("end ", request)); },
         .on_gone = [this](const std::string& how) { Report(absl::StrCat("gone ", how)); },
         .on_note = [this](const std::string& note) { Report(absl::StrCat("note ", note)); }});
    const absl::Status status = transport_->Connect();
    ASSERT_TRUE(status.ok()) << status;
  }

  // A modern tools/call.
  void Call(uint64_t id, const std::string& name = "get_report") {
    transport_->Send(mcp::SendRequest{.id = id,
                                      .message = absl::StrCat("{\"id\":", id, "}"),
                                      .method = "tools/call",
                                      .name = name,
                                      .version = "2026-07-28",
                                      .modern = true});
  }
  void Initialize(uint64_t id) {
    transport_->Send(mcp::SendRequest{.id = id, .message = "{}", .method = "initialize"});
  }
  void Initialized() {
    transport_->Send(mcp::SendNotification{
        .message = "{}", .method = "notifications/initialized", .version = "2025-11-25"});
  }
  void LegacyCall(uint64_t id) {
    transport_->Send(mcp::SendRequest{
        .id = id, .message = "{}", .method = "tools/call", .name = "x", .version = "2025-11-25"});
  }

  bool RunUntil(const std::function<bool()>& reached) {
    const absl::Time deadline = absl::Now() + absl::Seconds(30);
    while (!reached() && absl::Now() < deadline) {
      loop_.restart();
      loop_.run_one_for(std::chrono::milliseconds(20));
    }
    EXPECT_TRUE(reached()) << absl::StrJoin(reports_, "\n").substr(0, 2000);
    return reached();
  }
  bool RunUntilReported(size_t count) {
    return RunUntil([this, count] { return reports_.size() >= count; });
  }
  // Requests of that method that the server has taken.
  size_t Served(const std::string& method) const {
    size_t count = 0;
    for (const ServedRequest& request : server_->requests()) count += request.method == method;
    return count;
  }

  boost::asio::io_context loop_;
  std::unique_ptr<HttpServer> server_;
  std::shared_ptr<HttpClient> client_ = std::make_shared<HttpClient>();
  HttpOptions options_;
  std::vector<std::string> reports_;
  std::function<void()> on_report_;
  std::unique_ptr<Transport> transport_;

 private:
  void Report(std::string what) {
    reports_.push_back(std::move(what));
    if (on_report_) on_report_();
  }
};

}  // namespace tipstaff::upstream
