// Drives a ClientSession in tests: events in, and what came out as a line of text each.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "mediator/mcp/client_session.h"
#include "mediator/mcp/message.h"

namespace tipstaff::mcp {

// "request 1 tools/call", "answered 2 {...}", "unanswered 3 unsent: why", ...
inline std::string LineOf(const ClientOutput& output) {
  struct Visitor {
    static std::string Name(ListKind kind) { return std::string(ListMethod(kind)); }
    std::string operator()(const SendRequest& o) {
      return absl::StrCat("request ", o.id, " ", o.method);
    }
    std::string operator()(const SendNotification& o) {
      return o.method.empty() ? absl::StrCat("reply ", o.message)
                              : absl::StrCat("notify ", o.method);
    }
    std::string operator()(const ForgetRequest& o) { return absl::StrCat("forget ", o.id); }
    std::string operator()(const Reconnect& o) { return absl::StrCat("reconnect: ", o.why); }
    std::string operator()(const Ready& o) { return absl::StrCat("ready ", o.peer.version); }
    std::string operator()(const Answered& o) {
      if (!o.error) return absl::StrCat("answered ", o.ticket, " ", o.result);
      return absl::StrCat("error ", o.ticket, " ", o.error->code, " ", o.error->message,
                          o.error->data.empty() ? "" : " ", o.error->data);
    }
    std::string operator()(const Unanswered& o) {
      return absl::StrCat("unanswered ", o.ticket, o.sent ? " sent: " : " unsent: ", o.why);
    }
    std::string operator()(const Progressed& o) {
      return absl::StrCat("progress ", o.ticket, " ", o.progress, "/", o.total, " ", o.message);
    }
    std::string operator()(const Logged& o) {
      return absl::StrCat("logged ", o.ticket, " ", o.params);
    }
    std::string operator()(const ListChanged& o) { return absl::StrCat("changed ", Name(o.kind)); }
    std::string operator()(const ResourceUpdated& o) { return absl::StrCat("updated ", o.uri); }
    std::string operator()(const Listed& o) {
      if (!o.error.empty()) return absl::StrCat("not listed ", o.ticket, ": ", o.error);
      return absl::StrCat("listed ", o.ticket, " ", absl::StrJoin(o.items, ","));
    }
    std::string operator()(const PeerNote& o) { return absl::StrCat("note: ", o.text); }
    std::string operator()(const Unusable& o) { return absl::StrCat("unusable: ", o.why); }
  };
  return std::visit(Visitor{}, output);
}

class ClientDriver {
 public:
  using Lines = std::vector<std::string>;

  explicit ClientDriver(Wire wire = Wire::kStdio, std::optional<Generation> expected = std::nullopt)
      : wire_(wire), session_(wire, {"tipstaff", "1.0", ""}, expected) {}

  ClientSession& session() { return session_; }
  // Of the newest event; and the newest request that it sent.
  const ClientOutputs& outputs() const { return outputs_; }
  const SendRequest& sent() const { return sent_; }
  uint64_t ticket() const { return ticket_; }

  Lines Start() { return Take(session_.Start(now_)); }
  Lines Connected() { return Take(session_.OnConnected(now_)); }
  Lines Gone(absl::string_view how = "exited with 1") { return Take(session_.OnGone(how, now_)); }
  Lines Says(absl::string_view bytes, uint64_t stream = 0) {
    return Take(session_.OnMessage(bytes, now_, stream));
  }
  // A result or an error for the newest request, over HTTP in its own response.
  Lines Result(absl::string_view result) {
    return Says(absl::StrCat(R"({"jsonrpc":"2.0","id":)", sent_.id, R"(,"result":)", result, "}"),
                Stream());
  }
  Lines Error(int code, absl::string_view message, absl::string_view data = "") {
    return Says(ErrorBody(code, message, data), Stream());
  }
  std::string ErrorBody(int code, absl::string_view message, absl::string_view data = "") const {
    return ErrorMessage(absl::StrCat(sent_.id), code, message, data);
  }
  Lines Notice(absl::string_view method, absl::string_view params, uint64_t stream = 0) {
    return Says(NotificationMessage(method, params), stream);
  }
  Lines Fails(int status, absl::string_view body = "", bool sent = true) {
    return Take(session_.OnHttpFailure(sent_.id, status, body, sent, now_));
  }
  Lines Ends() { return Take(session_.OnResponseEnd(sent_.id, now_)); }
  Lines After(absl::Duration time) {
    now_ += time;
    return Take(session_.OnTime(now_));
  }
  Lines Ask(ClientRequest request) {
    return Take(session_.Request(std::move(request), now_, ticket_));
  }
  Lines Call() { return Ask({.method = "tools/call", .params = R"({"name":"t"})", .name = "t"}); }
  Lines List(ListKind kind) { return Take(session_.List(kind, now_, ticket_)); }
  Lines Cancel(uint64_t ticket) { return Take(session_.Cancel(ticket, "why not")); }
  Lines Notify(absl::string_view method, absl::string_view params) {
    return Take(session_.Notify(method, params));
  }

  // To Ready.
  ClientDriver& Modern() {
    Start();
    Result(kDiscovered);
    return *this;
  }
  ClientDriver& Legacy() {
    Start();
    Error(kMethodNotFound, "no");
    if (wire_ == Wire::kStdio) Connected();
    Result(kInitialized);
    return *this;
  }

  static constexpr char kDiscovered[] =
      R"({"resultType":"complete","supportedVersions":["2026-07-28"],"ttlMs":0,)"
      R"("cacheScope":"private","capabilities":{"tools":{}},"instructions":"be kind",)"
      R"("_meta":{"io.modelcontextprotocol/serverInfo":{"name":"m","version":"3"}}})";
  static constexpr char kInitialized[] =
      R"({"protocolVersion":"2025-06-18","capabilities":{"prompts":{},"odd":7},)"
      R"("serverInfo":{"name":"l","version":"2"}})";

 private:
  uint64_t Stream() const { return wire_ == Wire::kHttp ? sent_.id : 0; }
  Lines Take(ClientOutputs outputs) {
    outputs_ = std::move(outputs);
    Lines lines;
    for (const ClientOutput& output : outputs_) {
      if (const auto* request = std::get_if<SendRequest>(&output)) sent_ = *request;
      lines.push_back(LineOf(output));
    }
    return lines;
  }

  const Wire wire_;
  ClientSession session_;
  absl::Time now_ = absl::UnixEpoch();
  ClientOutputs outputs_;
  SendRequest sent_;
  uint64_t ticket_ = 0;
};

}  // namespace tipstaff::mcp
