// What one gate's guests may ask: the mediator's side of schemas/proto/tipstaff/gate/v1/gate.proto.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "mediator/host/live_run.h"
#include "mediator/host/run_changes.h"
#include "mediator/keys/keys.h"

namespace tipstaff::gate::v1 {
class FromGate;
class ToGate;
}  // namespace tipstaff::gate::v1

namespace tipstaff::host {

// What a channel's guest speaks to: the run that the channel belongs to.
struct GuestContext {
  // The run, or null once it is over.
  std::function<std::shared_ptr<LiveRun>()> run;
  // Why it is over, once it is. Set by whoever closes the channel.
  std::shared_ptr<call::Reason> closed_reason;
  std::function<absl::StatusOr<keys::RunClaims>(absl::string_view token)> check_token;
};

// Serves one gate process. The gate is hostile: a message that breaks the protocol makes Handle()
// return false, and the gate is then ended.
class GuestService : public std::enable_shared_from_this<GuestService> {
 public:
  using Send = std::function<void(const gate::v1::ToGate&)>;

  GuestService(GuestContext context, Send send)
      : context_(std::move(context)), send_(std::move(send)) {}

  bool Handle(absl::string_view message);
  // The gate is gone: every call of its guests is cancelled.
  void Disconnect();

  // Tokens of other channels that were tried here.
  uint64_t foreign_tokens() const { return foreign_tokens_; }

 private:
  class CallWaiter;

  void Hello(const gate::v1::FromGate& message);
  void List(const gate::v1::FromGate& message);
  void Call(const gate::v1::FromGate& message);
  void Watch(const gate::v1::FromGate& message);
  void Cancel(uint64_t stream);
  bool HasSession(const std::string& session, uint64_t stream);
  void Fail(uint64_t stream, int grpc_code, absl::string_view message, bool close = false);

  const GuestContext context_;
  const Send send_;
  absl::flat_hash_set<std::string> sessions_;
  absl::flat_hash_map<uint64_t, run::StreamId> calls_;     // by the gate's stream
  absl::flat_hash_map<uint64_t, RunChanges::Id> watches_;  // likewise
  uint64_t foreign_tokens_ = 0, refused_tokens_ = 0, hellos_ = 0;
};

}  // namespace tipstaff::host
