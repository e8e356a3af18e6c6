// Tools that keep an account (tests/harness/account.h), of writes by their keys, `RUN#NUMBER`; of
// results by keys that say nothing, in the account of `report_id`.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <optional>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "mediator/json/write.h"
#include "tests/harness/account.h"
#include "tests/harness/mcp_server/server.h"

namespace tipstaff::mcp_server {
namespace {

using harness::Entry;

std::string ErrorText(absl::string_view text) {
  return absl::StrCat(R"({"isError":true,)", TextResult(text).substr(1));
}

std::string FolderOf(const Server& server) { return server.options().accounts; }

// Nothing for a key that is none.
std::optional<Entry> EntryOf(absl::string_view key) {
  const std::vector<std::string> parts = absl::StrSplit(key, absl::MaxSplits('#', 1));
  Entry entry;
  if (parts.size() != 2 || parts[0].find('/') != std::string::npos ||
      !absl::SimpleAtoi(parts[1], &entry.call)) {
    return std::nullopt;
  }
  entry.run = parts[0];
  return entry;
}

// An account that cannot be kept would make every test of it say nothing.
void Die(const absl::Status& why) {
  std::fprintf(stderr, "tipstaff-test-mcp-server: %s\n", std::string(why.message()).c_str());
  ::_exit(1);
}

// How often the account has that of the same write or result.
size_t Count(const Server& server, const Entry& entry, Entry::What what) {
  const auto account = harness::ReadAccount(FolderOf(server), entry.run);
  if (!account.ok()) Die(account.status());
  return static_cast<size_t>(std::count_if(account->begin(), account->end(), [&](const Entry& one) {
    return one.what == what && one.tool == entry.tool &&
           (entry.finalizes ? one.key == entry.key : one.call == entry.call);
  }));
}

bool TookEffect(const Server& server, const Entry& entry) {
  return Count(server, entry, Entry::What::kEffect) > 0;
}

void Add(const Server& server, Entry entry, Entry::What what) {
  entry.what = what;
  const absl::Status added = harness::AppendToAccount(FolderOf(server), entry);
  if (!added.ok()) Die(added);
}

// Once for each key.
void Effect(const Server& server, const Entry& entry) {
  if (!TookEffect(server, entry)) Add(server, entry, Entry::What::kEffect);
}

// "crash_after,ok": the first time that it is asked, and each later time.
std::string BehaviourOf(const Server& server, const CallPtr& call, const Entry& entry) {
  const std::vector<std::string> all =
      absl::StrSplit(call->arguments().StringOr("behaviour", "ok"), ',');
  return all[std::min(Count(server, entry, Entry::What::kAsked), all.size()) - 1];
}

// Takes effect and answers as `behaviour` says; what it does not know hangs.
void Behave(Server& server, const CallPtr& call, const Entry& entry) {
  const std::string how = BehaviourOf(server, call, entry);
  const std::string done = TextResult(absl::StrCat(R"({"label":)", json::Quote(entry.label), "}"));
  if (how == "slow") {
    // Also of one that was cancelled: it is under way.
    const auto time = absl::Milliseconds(call->arguments().IntegerOr("ms", 0));
    server.Later(time, [&server, call, entry, done] {
      Effect(server, entry);
      server.Result(call, done);
    });
  } else if (how == "crash_before") {
    ::_exit(1);
  } else if (how == "refuse") {
    if (entry.finalizes) Add(server, entry, Entry::What::kRefused);
    server.Result(call, ErrorText("it is refused"));
  } else if (how == "ok" || how == "crash_after" || how == "hang_after") {
    Effect(server, entry);
    if (how == "crash_after") ::_exit(1);
    if (how == "ok") server.Result(call, done);
  }
}

void Start(Server& server, const CallPtr& call, Entry entry, const char* tool) {
  entry.tool = tool;
  entry.label = std::string(call->arguments().StringOr("label", ""));
  Add(server, entry, Entry::What::kAsked);
  Behave(server, call, entry);
}

}  // namespace

void Look(Server& server, const CallPtr& call) {
  const std::string label(call->arguments().StringOr("label", ""));
  server.Result(call, TextResult(absl::StrCat(R"({"label":)", json::Quote(label), "}")));
}

void Post(Server& server, const CallPtr& call) {
  const std::optional<Entry> entry = EntryOf(call->arguments().StringOr("key", ""));
  if (!entry) return server.Result(call, ErrorText("`key` is no RUN#NUMBER"));
  Start(server, call, *entry, "post");
}

void Submit(Server& server, const CallPtr& call) {
  Entry entry;
  entry.run = std::string(call->arguments().StringOr("report_id", ""));
  entry.key = std::string(call->arguments().StringOr("key", ""));
  entry.finalizes = true;
  if (entry.run.empty() || entry.run.find('/') != std::string::npos || entry.key.empty()) {
    return server.Result(call, ErrorText("`report_id` and `key` are due"));
  }
  Start(server, call, entry, "submit");
}

void FindOperation(Server& server, const CallPtr& call) {
  std::optional<Entry> entry = EntryOf(call->arguments().StringOr("key", ""));
  if (!entry) return server.Result(call, ErrorText("`key` is no RUN#NUMBER"));
  entry->tool = "post";
  const char* what = TookEffect(server, *entry) ? "done" : "not_yet";
  server.Result(call, TextResult(absl::StrCat(R"({"took_place":")", what, "\"}")));
}

}  // namespace tipstaff::mcp_server
