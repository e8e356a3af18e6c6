#include "mediator/cli/stub_session.h"

#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "mediator/base/status.h"
#include "mediator/base/units.h"
#include "mediator/cli/stub_reply.h"
#include "stubs/engine/changes.h"
#include "stubs/engine/difference.h"
#include "stubs/engine/stub_tests.h"

namespace tipstaff::cli {
namespace {

// What is different, or "".
std::string Compare(const engine::Reply& before, const engine::Reply& after) {
  const std::string was = ReplyInOneLine(before), is = ReplyInOneLine(after);
  if (before.kind != after.kind || before.error != after.error || before.message != after.message) {
    return absl::StrCat("was ", was, ", is ", is);
  }
  if (!json::Equal(before.value.root(), after.value.root())) {
    auto difference = engine::FirstDifference(before.value.root(), after.value.root());
    // A member that is new is none that was expected.
    return difference ? absl::StrCat("the result differs at ", *difference)
                      : absl::StrCat("the result has more: ", is);
  }
  if (engine::ChangesInFull(before.changes) != engine::ChangesInFull(after.changes)) {
    return "the same result, other changes of tables";
  }
  if (before.delay != after.delay) {
    return absl::StrCat("was delayed by ", base::ShowDuration(before.delay), ", is by ",
                        base::ShowDuration(after.delay));
  }
  return "";
}

}  // namespace

absl::StatusOr<std::unique_ptr<engine::State>> StubSession::Fresh(
    std::shared_ptr<const engine::Stub> stub) const {
  return engine::State::Create(std::move(stub),
                               {seed_, engine::kTestBackend, bindings_, /*for_author=*/true});
}

absl::StatusOr<StubSession> StubSession::Start(std::shared_ptr<const engine::Stub> stub,
                                               std::string seed, json::Document bindings) {
  StubSession session(std::move(stub), std::move(seed), std::move(bindings));
  TIPSTAFF_RETURN_IF_ERROR(session.Reset());
  return session;
}

const engine::Reply& StubSession::Call(absl::string_view tool, json::Document arguments) {
  engine::Reply reply = state_->Call(made_.size() + 1, tool, arguments);
  made_.push_back({std::string(tool), std::move(arguments), std::move(reply)});
  return made_.back().reply;
}

absl::Status StubSession::Reset() {
  TIPSTAFF_ASSIGN_OR_RETURN(state_, Fresh(stub_));
  made_.clear();
  return absl::OkStatus();
}

absl::StatusOr<std::vector<std::string>> StubSession::Replay(
    std::shared_ptr<const engine::Stub> stub) {
  TIPSTAFF_ASSIGN_OR_RETURN(std::unique_ptr<engine::State> state, Fresh(stub));
  std::vector<std::string> differences;
  uint64_t number = 0;
  for (Made& made : made_) {
    engine::Reply reply = state->Call(++number, made.tool, made.arguments);
    const std::string difference = Compare(made.reply, reply);
    if (!difference.empty()) {
      differences.push_back(
          absl::StrCat("call ", number, ", ", base::EscapeAndCut(made.tool, 64), ": ", difference));
    }
    made.reply = std::move(reply);
  }
  state_ = std::move(state);
  stub_ = std::move(stub);
  return differences;
}

}  // namespace tipstaff::cli
