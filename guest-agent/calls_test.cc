// Giving up, with a short patience.
#include "guest-agent/calls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <set>

#include "guest-agent/limits.h"
#include "guest-agent/testing/fake_mediator.h"
#include "mediator/base/testing/temp_folder.h"
#include "mediator/call/limits.h"
#include "mediator/transport/dial/dial.h"

namespace tipstaff::guest_agent {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

static_assert(kMaxArgumentsBytes == call::kMaxArgumentsBytes);
static_assert(kMaxResultBytes == call::kMaxResultBytes);
static_assert(kMaxCallsAtOnce + kMaxListsAtOnce < call::kMaxCallsInFlight);

class Recorder final : public Answers {
 public:
  std::promise<absl::StatusOr<std::vector<mcp::Tool>>> tools;
  std::promise<mcp::CallEnd> end;

  void OnTools(uint64_t, const absl::StatusOr<std::vector<mcp::Tool>>& answer) override {
    tools.set_value(answer);
  }
  void OnProgress(uint64_t, const mcp::CallProgress&) override {}
  void OnCallEnd(uint64_t, const mcp::CallEnd& answer) override { end.set_value(answer); }
};

class GivingUp : public ::testing::Test {
 protected:
  GivingUp()
      : mediator_(folder_.Path("s"), "token"),
        connection_([this] { return transport::DialUnix(folder_.Path("s")); },
                    [] { return std::string("token"); }, [](absl::string_view) {}),
        calls_(connection_, recorder_, {.call = absl::Seconds(1), .list = absl::Seconds(1)}) {}

  mcp::CallEnd Call(const std::string& tool) {
    calls_.Call({.ticket = 1, .tool = tool, .arguments = "{}", .want_progress = false});
    return recorder_.end.get_future().get();
  }

  base::TempFolder folder_;
  FakeMediator mediator_;
  Connection connection_;
  Recorder recorder_;
  Calls calls_;
};

TEST_F(GivingUp, OnAMediatorThatIsNotThere) {
  const mcp::CallEnd end = Call("a");
  EXPECT_THAT(end.result, HasSubstr("mediator unreachable: no mediator listens on"));
  EXPECT_THAT(end.result, HasSubstr(R"("isError":true)"));
  EXPECT_THAT(end.result, Not(HasSubstr("not known"))) << "it cannot have taken effect";
  EXPECT_EQ(mcp::DecisionJson(*end.decision),
            R"({"id":"","verdict":"deny","reason":"undecided","retry":true})");
  calls_.List({2});
  const absl::Status status = recorder_.tools.get_future().get().status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(status.message()), HasSubstr("no mediator listens on"));
}

TEST_F(GivingUp, OnACallThatMayHaveTakenEffect) {
  mediator_.On("a", [](auto&, const auto&, auto&) { return grpc::Status::OK; });  // without an end
  mediator_.Start();
  const mcp::CallEnd end = Call("a");
  EXPECT_THAT(end.result, HasSubstr("mediator unreachable: the answer ended early"));
  EXPECT_THAT(end.result, HasSubstr("whether the call took effect is not known"));
  EXPECT_EQ(mcp::DecisionJson(*end.decision),
            R"({"id":"","verdict":"unknown","reason":"undecided","retry":true})");
  std::set<std::string> ids;
  for (const proto::CallRequest& call : mediator_.calls()) ids.insert(call.call_id());
  EXPECT_GT(mediator_.calls().size(), 1u);
  EXPECT_EQ(ids.size(), 1u) << "the same call id over all tries";
}

TEST_F(GivingUp, AtOnceWhereRepeatingDoesNotHelp) {
  mediator_.On("a", [](auto&, const auto&, auto&) {
    return grpc::Status(grpc::StatusCode::INVALID_ARGUMENT, "a message breaks a limit");
  });
  mediator_.Start();
  const mcp::CallEnd end = Call("a");
  EXPECT_THAT(end.result, HasSubstr("a message breaks a limit"));
  EXPECT_EQ(mcp::DecisionJson(*end.decision),
            R"({"id":"","verdict":"deny","reason":"undecided","retry":false})");
  EXPECT_EQ(mediator_.calls().size(), 1u);
}

TEST_F(GivingUp, OnACrowdedMediatorAfterSomeTries) {
  std::atomic<int> tries = 0;
  mediator_.On("a", [&](auto&, const auto&, auto& writer) {
    if (++tries < 3) return grpc::Status(grpc::StatusCode::RESOURCE_EXHAUSTED, "too many calls");
    return FakeMediator::End(writer, R"({"content":[]})", "allow", "permitted");
  });
  mediator_.Start();
  EXPECT_EQ(Call("a").decision->verdict, "allow");
  EXPECT_EQ(tries, 3);
  EXPECT_EQ(mediator_.hellos().size(), 1u) << "the connection is good";
}

}  // namespace
}  // namespace tipstaff::guest_agent
