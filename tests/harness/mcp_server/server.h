// The protocol: what a client sends goes in, answers go to channels. No I/O but what tools do.
#pragma once

#include <functional>
#include <list>
#include <map>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "tests/harness/mcp_server/call.h"
#include "tests/harness/mcp_server/fixture.h"
#include "tests/harness/mcp_server/session.h"

namespace tipstaff::mcp_server {

inline constexpr int kMissingCapability = -32021;
// HTTP's status for an error of a modern server's.
int StatusOf(int code);
// Who the server says it is.
const mcp::ServerInfo& Self();

// On one thread.
class Server {
 public:
  // Does something later.
  using After = std::function<void(absl::Duration, std::function<void()>)>;

  Server(const Options& options, After after)
      : options_(options), after_(std::move(after)), answers_(options_) {}

  // A message of a client's. Its answer, if it is a request, goes to `channel`.
  void Take(absl::string_view bytes, const SessionPtr& session, const ChannelPtr& channel);
  // Nobody reads that channel any more: what was asked there is cancelled.
  void Closed(const Channel* channel);

  // For tools (tools.cc).
  const Options& options() const { return options_; }
  Revision& revision() { return revision_; }
  void Result(const CallPtr& call, absl::string_view result);
  void Error(const CallPtr& call, int code, absl::string_view message, absl::string_view data = "");
  void Later(absl::Duration time, std::function<void()> what) { after_(time, std::move(what)); }
  // To all who listen: "tools" or "prompts".
  void AnnounceList(absl::string_view kind);
  void AnnounceResource(const std::string& uri);

 private:
  struct Request {
    mcp::Message message;
    mcp::Generation generation = mcp::Generation::kLegacy;
    SessionPtr session;
    ChannelPtr channel;

    bool modern() const { return generation == mcp::Generation::kModern; }
    json::Value params() const { return message.params(); }
  };
  // A modern client's `subscriptions/listen`.
  struct Listener {
    std::string id;
    json::Document document;
    ChannelPtr channel;
  };

  void OnRequest(const Request& request);
  bool CheckModern(const Request& request);
  bool OnShared(const Request& request);
  bool OnLegacy(const Request& request);
  bool OnModern(const Request& request);
  void OnUnknown(const Request& request);
  void OnCancelled(const mcp::Message& message, const SessionPtr& session);

  void Initialize(const Request& request);
  void Discover(const Request& request);
  void Listen(const Request& request);
  void List(const Request& request, absl::string_view key, const std::vector<std::string>& items);
  void Read(const Request& request);
  void GetPrompt(const Request& request);
  void CallTool(const Request& request);
  void Ask(const CallPtr& call, std::function<void()> then);

  // `members` of the result, with what each generation wants before them.
  void Reply(const Request& request, absl::string_view members, bool cacheable = false);
  void Refuse(const Request& request, int code, absl::string_view message,
              absl::string_view data = "");
  void Tell(const Listener& listener, absl::string_view method, absl::string_view members);

  const Options options_;
  const After after_;
  Answers answers_;
  Revision revision_;
  size_t calls_ = 0, lists_ = 0, asks_ = 0;
  std::list<CallPtr> under_way_;
  std::list<Listener> listeners_;
  std::list<std::weak_ptr<Session>> sessions_;
  std::map<std::string, std::function<void()>> asked_;  // of the client, by id
};

// Runs the tool that the call names; false when there is none (tools.cc).
bool RunTool(Server& server, const CallPtr& call);
// The tools that keep an account (accounts.cc).
void Look(Server& server, const CallPtr& call);
void Post(Server& server, const CallPtr& call);
void Submit(Server& server, const CallPtr& call);
void FindOperation(Server& server, const CallPtr& call);

}  // namespace tipstaff::mcp_server
