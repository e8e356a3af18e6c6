#include "tests/harness/mcp_server/call.h"

#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "mediator/json/write.h"

namespace tipstaff::mcp_server {
namespace {

constexpr size_t kHugeBytes = 40 << 20;

std::string WithId(absl::string_view id, absl::string_view body) {
  return absl::StrCat(R"({"jsonrpc":"2.0","id":)", id, ",", body, "}");
}

// `"1"` for `1`, and the other way round where that is a number.
std::string OtherType(absl::string_view id) {
  if (id.front() != '"') return json::Quote(id);
  int64_t number = 0;
  return absl::SimpleAtoi(id.substr(1, id.size() - 2), &number) ? absl::StrCat(number) : "0";
}

}  // namespace

void Call::Progress(int64_t progress, int64_t total, absl::string_view text) const {
  const std::optional<std::string> token =
      mcp::IdText(message.params().Find("_meta").Find("progressToken"));
  if (!token || over) return;
  channel->Say(mcp::NotificationMessage(
      "notifications/progress",
      absl::StrCat(R"({"progressToken":)", *token, R"(,"progress":)", progress,
                   total == 0 ? "" : absl::StrCat(R"(,"total":)", total), R"(,"message":)",
                   json::Quote(text), "}")));
}

void Call::Log(absl::string_view text) const {
  if (!logs || over) return;
  channel->Say(mcp::NotificationMessage(
      "notifications/message",
      absl::StrCat(R"({"level":"info","logger":"test","data":)", json::Quote(text), "}")));
}

void Answers::Give(const CallPtr& call, absl::string_view body, int status) {
  if (call->over) return;
  call->over = true;
  if (options_.never_answer) return;
  if (options_.huge_line) call->channel->Say(std::string(kHugeBytes, 'x'));
  const std::string& id = call->message.id;
  std::string message = WithId(options_.wrong_id_type ? OtherType(id) : id, body);
  if (options_.error_null_id) {
    message = WithId("null", R"("error":{"code":-32603,"message":"internal error"})");
  }
  if (!options_.swap_answers) {
    if (options_.double_answer) call->channel->Say(message);
    return call->channel->Answer(message, status);
  }
  if (held_.call == nullptr) {
    held_ = {call, message, status};
    return;
  }
  const Held first = std::exchange(held_, {});
  first.call->channel->Answer(message, status);
  call->channel->Answer(first.message, first.status);
}

}  // namespace tipstaff::mcp_server
