// What no request waits for: changes, told to those who listen.
#include "absl/strings/str_cat.h"
#include "mediator/json/write.h"
#include "tests/harness/mcp_server/server.h"

namespace tipstaff::mcp_server {

void Server::Listen(const Request& request) {
  listeners_.push_back({request.message.id, request.message.document, request.channel});
  Tell(listeners_.back(), "notifications/subscriptions/acknowledged",
       absl::StrCat(R"("notifications":)", json::Dump(request.params().Find("notifications"))));
}

void Server::AnnounceList(absl::string_view kind) {
  const std::string method = absl::StrCat("notifications/", kind, "/list_changed");
  for (const std::weak_ptr<Session>& weak : sessions_) {
    const SessionPtr session = weak.lock();
    const ChannelPtr listener = session == nullptr ? nullptr : session->listener.lock();
    if (listener != nullptr) listener->Say(mcp::NotificationMessage(method, "{}"));
  }
  for (const Listener& listener : listeners_) {
    const json::Value wanted = listener.document.root().Find("params").Find("notifications");
    if (wanted.BoolOr(absl::StrCat(kind, "ListChanged"), false)) Tell(listener, method, "");
  }
}

void Server::AnnounceResource(const std::string& uri) {
  constexpr absl::string_view kMethod = "notifications/resources/updated";
  const std::string member = absl::StrCat(R"("uri":)", json::Quote(uri));
  for (const std::weak_ptr<Session>& weak : sessions_) {
    const SessionPtr session = weak.lock();
    if (session == nullptr || !session->resources.contains(uri)) continue;
    if (const ChannelPtr listener = session->listener.lock()) {
      listener->Say(mcp::NotificationMessage(kMethod, absl::StrCat("{", member, "}")));
    }
  }
  for (const Listener& listener : listeners_) {
    const json::Value wanted = listener.document.root().Find("params").Find("notifications");
    for (const json::Value one : wanted.Find("resourceSubscriptions").items()) {
      if (one.is_string() && one.string() == uri) Tell(listener, kMethod, member);
    }
  }
}

void Server::Tell(const Listener& listener, absl::string_view method, absl::string_view members) {
  listener.channel->Say(mcp::NotificationMessage(
      method, absl::StrCat(R"({"_meta":{)", json::Quote(mcp::kSubscriptionIdKey), ":", listener.id,
                           "}", members.empty() ? "" : ",", members, "}")));
}

}  // namespace tipstaff::mcp_server
