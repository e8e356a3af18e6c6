// Subscriptions of both generations, and what a change is to them.
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "mediator/json/write.h"
#include "mediator/mcp/session.h"

namespace tipstaff::mcp {
namespace {

absl::string_view MethodOf(Change::What what) {
  switch (what) {
    case Change::What::kTools:
      return "notifications/tools/list_changed";
    case Change::What::kResources:
      return "notifications/resources/list_changed";
    case Change::What::kPrompts:
      return "notifications/prompts/list_changed";
    case Change::What::kResource:
      return "notifications/resources/updated";
  }
  return "";
}

// An update may be of what is below a resource that was subscribed to.
bool Covers(const std::set<std::string>& uris, absl::string_view updated) {
  for (const std::string& uri : uris) {
    if (updated == uri) return true;
    if (absl::StartsWith(updated, uri) && (uri.back() == '/' || updated[uri.size()] == '/')) {
      return true;
    }
  }
  return false;
}

std::string SubscriptionMeta(absl::string_view id) {
  return absl::StrCat(R"("_meta":{)", json::Quote(kSubscriptionIdKey), ":", id, "}");
}

}  // namespace

// First the resources are asked for, each of which is decided; then comes the acknowledgement, of
// what is granted, and only then notifications.
std::vector<Output> ServerSession::Listen(uint64_t ticket, Request& request,
                                          const Catalog& catalog) {
  Subscription& subscription = request.subscription;
  subscription.resources = subscription.resources && catalog.has_resources();
  subscription.prompts = subscription.prompts && catalog.has_prompts();
  if (!catalog.subscriptions || !catalog.has_resources()) subscription.uris.clear();
  if (subscription.uris.empty()) return Acknowledge(ticket, request);
  Outputs outputs;
  for (const std::string& uri : subscription.uris) {
    WantCall call{.ticket = tickets_->Next(),
                  .arguments = UriArguments(uri),
                  .kind = CallKind::kSubscription};
    listen_calls_[call.ticket] = {ticket, uri};
    outputs.push_back(std::move(call));
  }
  subscription.undecided = outputs.size();
  return outputs;
}

std::vector<Output> ServerSession::OnListenCallEnd(uint64_t ticket, uint64_t call, bool granted) {
  const std::string uri = listen_calls_.at(call).uri;
  listen_calls_.erase(call);
  Request& request = requests_.at(ticket);
  if (!granted) request.subscription.uris.erase(uri);
  if (--request.subscription.undecided > 0) return {};
  return Acknowledge(ticket, request);
}

std::vector<Output> ServerSession::Acknowledge(uint64_t ticket, Request& request) {
  Subscription& subscription = request.subscription;
  subscription.acknowledged = true;
  std::vector<std::string> granted;
  if (subscription.tools) granted.push_back(R"("toolsListChanged":true)");
  if (subscription.prompts) granted.push_back(R"("promptsListChanged":true)");
  if (subscription.resources) granted.push_back(R"("resourcesListChanged":true)");
  if (!subscription.uris.empty()) {
    granted.push_back(absl::StrCat(R"("resourceSubscriptions":[)",
                                   absl::StrJoin(subscription.uris, ",",
                                                 [](std::string* out, const std::string& uri) {
                                                   json::AppendQuoted(uri, *out);
                                                 }),
                                   "]"));
  }
  return One(Send{.message = NotificationMessage(
                      "notifications/subscriptions/acknowledged",
                      absl::StrCat("{", SubscriptionMeta(request.id), R"(,"notifications":{)",
                                   absl::StrJoin(granted, ","), "}}")),
                  .ticket = ticket,
                  .kind = Send::Kind::kChange});
}

std::vector<Output> ServerSession::OnChange(const Change& change) {
  const bool update = change.what == Change::What::kResource;
  const std::string uri = absl::StrCat(R"("uri":)", json::Quote(change.uri));
  const absl::string_view method = MethodOf(change.what);
  Outputs outputs;
  // A list of tools is there for every client; the others ignore what they have not.
  if (legacy_open_ && (!update || Covers(legacy_uris_, change.uri))) {
    outputs.push_back(
        Send{.message = NotificationMessage(method, update ? absl::StrCat("{", uri, "}") : ""),
             .kind = Send::Kind::kChange});
  }
  for (const auto& [ticket, request] : requests_) {
    const Subscription& subscription = request.subscription;
    if (!subscription.acknowledged) continue;
    const bool wanted = change.what == Change::What::kTools       ? subscription.tools
                        : change.what == Change::What::kResources ? subscription.resources
                        : change.what == Change::What::kPrompts
                            ? subscription.prompts
                            : Covers(subscription.uris, change.uri);
    if (!wanted) continue;
    outputs.push_back(Send{.message = NotificationMessage(
                               method, absl::StrCat("{", SubscriptionMeta(request.id),
                                                    update ? "," : "", update ? uri : "", "}")),
                           .ticket = ticket,
                           .kind = Send::Kind::kChange});
  }
  return outputs;
}

}  // namespace tipstaff::mcp
