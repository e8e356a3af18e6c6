#include "mediator/upstream/listening.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "mediator/json/write.h"

namespace tipstaff::upstream {

std::string ListenParams(const mcp::Peer& peer, const std::set<std::string>& uris) {
  std::vector<std::string> wanted;
  for (const char* kind : {"tools", "prompts", "resources"}) {
    if (peer.Has(kind)) wanted.push_back(absl::StrCat("\"", kind, "ListChanged\":true"));
  }
  if (!uris.empty()) {
    wanted.push_back(absl::StrCat("\"resourceSubscriptions\":[",
                                  absl::StrJoin(uris, ",",
                                                [](std::string* out, const std::string& uri) {
                                                  json::AppendQuoted(uri, *out);
                                                }),
                                  "]"));
  }
  return absl::StrCat(R"({"notifications":{)", absl::StrJoin(wanted, ","), "}}");
}

void Listening::Begin() {
  ticket_ = 0;  // that of the connection before is over
  if (link_.peer().generation == mcp::Generation::kModern) Ask();
}

void Listening::Add(const std::string& uri) {
  if (!uris_.insert(uri).second) return;
  if (ticket_ != 0) link_.Cancel(ticket_, "it is asked for more");
  Ask();
}

void Listening::Ask() {
  mcp::ClientRequest request;
  request.method = "subscriptions/listen";
  request.params = ListenParams(link_.peer(), uris_);
  // It lasts as long as the connection; a server that ends it, or knows none, tells of nothing.
  ticket_ = link_.Request(std::move(request), {.on_end = [this](const Link::End&) { ticket_ = 0; },
                                               .on_progress = nullptr,
                                               .on_log = nullptr});
}

}  // namespace tipstaff::upstream
