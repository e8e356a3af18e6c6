// Giving up, with a short patience.
#include "guest-agent/calls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <condition_variable>
#include <future>
#include <mutex>
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
static_assert(kMaxCallsAtOnce + kMaxListsAtOnce + kMaxWatches < call::kMaxCallsInFlight);

class Recorder final : public Answers {
 public:
  std::promise<absl::StatusOr<mcp::CatalogPtr>> catalog;
  std::promise<mcp::CallEnd> end;

  void OnList(uint64_t, const absl::StatusOr<mcp::CatalogPtr>& answer) override {
    std::exchange(catalog, {}).set_value(answer);
  }
  void OnProgress(uint64_t, const mcp::CallProgress&) override {}
  void OnLog(uint64_t, const std::string&) override {}
  void OnChange(const mcp::Change& change) override {
    const std::lock_guard<std::mutex> lock(mutex);
    changes.push_back(change);
    changed.notify_all();
  }
  void WaitForChanges(size_t count) {
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [&] { return changes.size() >= count; });
  }

  std::mutex mutex;
  std::condition_variable changed;
  std::vector<mcp::Change> changes;
  void OnCallEnd(uint64_t, const mcp::CallEnd& answer) override { end.set_value(answer); }
};

class CallsTest : public ::testing::Test {
 protected:
  CallsTest()
      : mediator_(folder_.Path("s"), "token"),
        connection_([this] { return transport::DialUnix(folder_.Path("s")); },
                    [] { return std::string("token"); }, [](absl::string_view) {}),
        calls_(connection_, recorder_, {.call = absl::Seconds(1), .list = absl::Seconds(1)}) {}

  mcp::CallEnd Call(const std::string& tool) {
    calls_.Call({.ticket = 1, .name = tool, .arguments = "{}", .want_progress = false});
    return recorder_.end.get_future().get();
  }

  absl::StatusOr<mcp::CatalogPtr> List(absl::Duration patience = absl::ZeroDuration()) {
    auto answer = recorder_.catalog.get_future();
    calls_.List({2, patience});
    return answer.get();
  }

  base::TempFolder folder_;
  FakeMediator mediator_;
  Connection connection_;
  Recorder recorder_;
  Calls calls_;
};

using GivingUp = CallsTest;

TEST_F(GivingUp, OnAMediatorThatIsNotThere) {
  const mcp::CallEnd end = Call("a");
  EXPECT_THAT(end.result, HasSubstr("mediator unreachable: no mediator listens on"));
  EXPECT_THAT(end.result, HasSubstr(R"("isError":true)"));
  EXPECT_THAT(end.result, Not(HasSubstr("not known"))) << "it cannot have taken effect";
  EXPECT_EQ(mcp::DecisionJson(*end.decision),
            R"({"id":"","verdict":"deny","reason":"undecided","retry":true})");
  const absl::Status status = List().status();
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

TEST_F(GivingUp, OnACallOfAnotherKindWithAnError) {
  calls_.Call({.ticket = 1, .arguments = R"({"uri":"a:b"})", .kind = mcp::CallKind::kResource});
  const mcp::CallEnd end = recorder_.end.get_future().get();
  ASSERT_TRUE(end.error.has_value()) << "its results cannot be errors";
  EXPECT_EQ(end.error->code, mcp::kInternalError);
  EXPECT_THAT(end.error->message, HasSubstr("mediator unreachable"));
  EXPECT_EQ(end.decision->verdict, "deny");
}

TEST_F(GivingUp, OnAListAfterThePatienceThatItCameWith) {
  const absl::Time start = absl::Now();
  EXPECT_EQ(List(absl::Milliseconds(50)).status().code(), absl::StatusCode::kUnavailable);
  EXPECT_LT(absl::Now() - start, absl::Milliseconds(900)) << "not after the usual second";
}

TEST_F(GivingUp, OnAListOfAMediatorThatSaysNothing) {
  const base::Fd silent(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  folder_.Path("s").copy(address.sun_path, sizeof address.sun_path - 1);
  ASSERT_EQ(::bind(silent.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  ASSERT_EQ(::listen(silent.get(), 5), 0);
  const absl::Time start = absl::Now();
  EXPECT_EQ(List(absl::Milliseconds(100)).status().code(), absl::StatusCode::kDeadlineExceeded);
  EXPECT_LT(absl::Now() - start, absl::Seconds(2)) << "a Hello alone may take five";
}

class Lists : public CallsTest {
 protected:
  Lists() {
    proto::ListReply reply;
    proto::Tool& tool = *reply.add_tools();
    tool.set_name("t");
    tool.set_more("{}");
    reply.add_resources("r");
    reply.add_resource_templates("rt");
    reply.add_prompts("p");
    reply.set_subscriptions(true);
    reply.set_logging(true);
    mediator_.SetTools(reply);
    mediator_.Start();
  }
};

TEST_F(Lists, HaveWhatTheMediatorSaid) {
  const absl::StatusOr<mcp::CatalogPtr> catalog = List();
  ASSERT_TRUE(catalog.ok()) << catalog.status();
  EXPECT_EQ((*catalog)->tools.at(0).name, "t");
  EXPECT_EQ((*catalog)->tools.at(0).more, "{}");
  EXPECT_EQ((*catalog)->resources, std::vector<std::string>{"r"});
  EXPECT_EQ((*catalog)->resource_templates, std::vector<std::string>{"rt"});
  EXPECT_EQ((*catalog)->prompts, std::vector<std::string>{"p"});
  EXPECT_TRUE((*catalog)->subscriptions);
  EXPECT_FALSE((*catalog)->completions);
  EXPECT_TRUE((*catalog)->logging);
}

// list_changed: lists fetched anew, change passed on.
TEST_F(Lists, AreKeptUntilAChangeSaysOtherwise) {
  ASSERT_TRUE(List().ok());
  mediator_.WaitForWatches(1);
  // Kept once the guest has seen the stream begin, which is soon.
  size_t asked = 0;
  do {
    asked = mediator_.lists();
    ASSERT_TRUE(List().ok());
  } while (mediator_.lists() != asked);
  mediator_.ResourceUpdated("a:b");
  recorder_.WaitForChanges(1);
  ASSERT_TRUE(List().ok());
  EXPECT_EQ(mediator_.lists(), asked) << "what a resource holds is not in the list";
  mediator_.Change(proto::PROMPT);
  recorder_.WaitForChanges(2);
  ASSERT_TRUE(List().ok());
  EXPECT_EQ(mediator_.lists(), asked + 1);
  EXPECT_EQ(recorder_.changes[0].what, mcp::Change::What::kResource);
  EXPECT_EQ(recorder_.changes[0].uri, "a:b");
  EXPECT_EQ(recorder_.changes[1].what, mcp::Change::What::kPrompts);
}

TEST_F(Lists, AreNotKeptWhereNobodySaysWhatChanges) {
  mediator_.RefuseToWatch();
  for (size_t i = 1; i <= 3; ++i) {
    ASSERT_TRUE(List().ok());
    EXPECT_EQ(mediator_.lists(), i);
  }
  EXPECT_EQ(mediator_.hellos().size(), 1u) << "the connection is good";
}

TEST_F(Lists, AreTakenForChangedAfterTheConnectionWasLost) {
  ASSERT_TRUE(List().ok());
  mediator_.WaitForWatches(1);
  mediator_.Stop();
  mediator_.Start();
  recorder_.WaitForChanges(3);
  std::set<mcp::Change::What> what;
  for (const mcp::Change& change : recorder_.changes) what.insert(change.what);
  EXPECT_EQ(what.size(), 3u) << "each list";
  EXPECT_EQ(mediator_.hellos().size(), 2u);
}

}  // namespace
}  // namespace tipstaff::guest_agent
