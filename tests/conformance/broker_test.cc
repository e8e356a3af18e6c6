// The broker in the mediator, and a server that misbehaves: what breaks other brokers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <stdexcept>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/clock.h"
#include "mediator/base/file.h"
#include "mediator/base/testing/temp_folder.h"
#include "mediator/json/write.h"
#include "tests/harness/agent.h"
#include "tests/harness/mediator.h"

namespace tipstaff::conformance {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

constexpr char kBin[] = TIPSTAFF_BIN_DIR;
constexpr char kServer[] = TIPSTAFF_BIN_DIR "/tipstaff-test-mcp-server";
constexpr absl::Duration kPatience = absl::Seconds(30);

template <typename T>
T Must(absl::StatusOr<T> value) {
  if (!value.ok()) throw std::runtime_error(value.status().ToString());
  return *std::move(value);
}

std::string Text(const json::Document& document) { return json::Dump(document.root()); }

class Broker : public ::testing::Test {
 protected:
  // The fixture server in bubblewrap, with those flags.
  void Start(const std::vector<std::string>& flags, std::vector<std::string> more = {}) {
    std::vector<std::string> command = {json::Quote(kServer)};
    for (const std::string& flag : flags) command.push_back(json::Quote(flag));
    StartWith({.name = "fixture",
               .how = absl::StrCat("stdio: {command: [", absl::StrJoin(command, ", "), "], read: [",
                                   json::Quote(kBin), "]}"),
               .stop = "killable",
               .reads = {"echo", "slow", "big", "structured"},
               .more = std::move(more)});
  }
  void StartWith(harness::ApprovedServer server, const std::string& skill = "") {
    std::string policies = TIPSTAFF_SOURCE_DIR "/tests/conformance/policies";
    if (!skill.empty()) {
      policies = folder_.Path("skills");
      std::filesystem::create_directories(policies + "/broken");
      ASSERT_TRUE(base::WriteFile(policies + "/broken/skill.yaml", skill).ok());
    }
    harness::MediatorOptions options{
        .bin = kBin, .source = TIPSTAFF_SOURCE_DIR, .folder = folder_.path(), .policies = policies};
    options.servers = {std::move(server)};
    mediator_ = Must(harness::Mediator::Start(options));
    run_ = Must(mediator_->OpenRun({"--skill", "broken"}));
    agent_ = NewAgent();
  }
  std::unique_ptr<harness::Agent> NewAgent() {
    return Must(harness::Agent::Start(kBin, run_, folder_.Path("guest.log")));
  }

  harness::CallResult Call(const std::string& tool, const std::string& arguments) {
    return Must(agent_->Call(tool, arguments));
  }
  // The server works, and the answer is this call's.
  void ExpectEchoes(const std::string& word) {
    const harness::CallResult echoed =
        Call("echo", absl::StrCat(R"({"text":)", json::Quote(word), "}"));
    EXPECT_FALSE(echoed.is_error) << Text(echoed.result);
    EXPECT_THAT(echoed.text, HasSubstr(word));
  }
  json::Document ToolsList() { return Must(agent_->Request("tools/list", "{}")); }
  std::string Pins() { return Must(base::ReadFile(folder_.Path("pins/fixture.json"))); }
  std::string Log() { return Must(base::ReadFile(mediator_->log_file())); }

  template <typename Holds>
  bool Await(Holds holds) {
    for (const absl::Time deadline = absl::Now() + kPatience; !holds();) {
      if (absl::Now() > deadline) return false;
      absl::SleepFor(absl::Milliseconds(10));
    }
    return true;
  }
  // Processes with that in their command line.
  static int Processes(const std::string& part) {
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
      const auto line = base::ReadFile(entry.path().string() + "/cmdline");
      count += line.ok() && absl::StrContains(*line, part);
    }
    return count;
  }

  base::TempFolder folder_;
  std::unique_ptr<harness::Mediator> mediator_;
  harness::OpenedRun run_;
  std::unique_ptr<harness::Agent> agent_;
};

TEST_F(Broker, PagesAreDrained) {
  Start({"--paged", "3"});
  // The fixture's whole list, which is of more than a page.
  for (const char* tool : {"test_simple_text", "echo", "structured"}) {
    EXPECT_THAT(Pins(), HasSubstr(absl::StrCat("{\"name\": ", json::Quote(tool))));
  }
  ExpectEchoes("paged");
}

TEST_F(Broker, AnEmptyCursorIsFollowed) {
  Start({"--paged", "3", "--empty-cursor"});
  EXPECT_THAT(Pins(), HasSubstr(R"({"name": "structured")")) << "of the last page";
  ExpectEchoes("beyond the empty cursor");
}

TEST_F(Broker, AToolsMembersAreListedAsTheyCame) {
  Start({});
  const json::Document list = ToolsList();
  for (const json::Value tool : list.root().Find("tools").items()) {
    if (tool.StringOr("name", "") != "echo") continue;
    EXPECT_EQ(tool.StringOr("title", ""), "Echo");
    EXPECT_TRUE(tool.Find("annotations").BoolOr("readOnlyHint", false));
    EXPECT_EQ(tool.Find("icons").At(0).StringOr("mimeType", ""), "image/png");
    EXPECT_EQ(json::Dump(tool.Find("_meta")), R"({"example.com/kept":9007199254740993})");
    return;
  }
  FAIL() << "no echo in " << Text(list);
}

TEST_F(Broker, StructuredContentComesWithItsText) {
  Start({});
  const harness::CallResult result = Call("structured", "{}");
  EXPECT_FALSE(result.is_error);
  EXPECT_EQ(result.result.root().Find("structuredContent").IntegerOr("n", 0), 1);
  EXPECT_EQ(result.text, R"({"n":1})");
  const json::Document list = ToolsList();
  EXPECT_THAT(Text(list), HasSubstr(R"("outputSchema":)"));
}

TEST_F(Broker, StructuredContentThatBreaksItsSchemaIsKeptBack) {
  Start({"--bad-structured"});
  const harness::CallResult result = Call("structured", "{}");
  EXPECT_TRUE(result.is_error);
  EXPECT_FALSE(result.result.root().Find("structuredContent").exists());
  EXPECT_THAT(Text(result.result), Not(HasSubstr("one")));
  ExpectEchoes("afterwards");
}

TEST_F(Broker, ANumberBeyondADoubleIsUnchanged) {
  Start({});
  EXPECT_EQ(Call("echo", R"({"number":9007199254740993})").text, R"({"number":9007199254740993})");
}

TEST_F(Broker, AnIdBeyondADoubleIsUnchanged) {
  Start({});
  ASSERT_TRUE(agent_
                  ->Send(R"({"jsonrpc":"2.0","id":9007199254740993,"method":"tools/call","params":)"
                         R"({"name":"echo","arguments":{"text":"x"}}})")
                  .ok());
  EXPECT_EQ(Must(agent_->Receive()).root().IntegerOr("id", 0), 9007199254740993);
}

TEST_F(Broker, NoiseOnStandardOutputIsSkippedAndNoted) {
  Start({"--banner"});
  ExpectEchoes("through the noise");
  EXPECT_TRUE(Await([&] { return absl::StrContains(Log(), "upstream fixture: no message"); }))
      << Log();
}

TEST_F(Broker, NothingOfAServerIsLeftWhenItsRunEnds) {
  // In the server's own folder; the whole name also marks its processes.
  const std::string file =
      absl::StrCat("child-of-", std::filesystem::path(folder_.path()).filename().string());
  Start({"--leave-child", file});
  ExpectEchoes("alive");
  EXPECT_GT(Processes(file), 0);
  ASSERT_EQ(Must(mediator_->Tipstaff({"run", "close", run_.run})).status, 0);
  EXPECT_TRUE(Await([&] { return Processes(file) == 0; })) << Processes(file) << " are left";
}

TEST_F(Broker, NothingOfAServerOutlivesTheMediator) {
  const std::string file =
      absl::StrCat("child-of-", std::filesystem::path(folder_.path()).filename().string());
  Start({"--leave-child", file});
  ExpectEchoes("alive");
  mediator_->Kill();
  EXPECT_TRUE(Await([&] { return Processes(file) == 0; })) << Processes(file) << " are left";
}

TEST_F(Broker, AToolThatChangesAfterItsApprovalIsRefused) {
  Start({"--list-changed"});
  ExpectEchoes("as approved");
  ASSERT_TRUE(Await([&] { return absl::StrContains(Log(), "is not what was approved"); })) << Log();
  const harness::CallResult refused = Call("echo", R"({"text":"changed"})");
  EXPECT_TRUE(refused.is_error);
  EXPECT_EQ(refused.reason, "backend_changed");
  EXPECT_THAT(Text(ToolsList()), AllOf(HasSubstr("Repeats its arguments."),
                                       Not(HasSubstr("Repeats its arguments, and more."))))
      << "agents see what was approved";
  EXPECT_FALSE(Call("structured", "{}").is_error) << "others are as they were";
}

TEST_F(Broker, AnswersAreNotSwapped) {
  Start({"--swap-answers"});
  ASSERT_TRUE(agent_
                  ->Send(R"({"jsonrpc":"2.0","id":"a","method":"tools/call","params":)"
                         R"({"name":"echo","arguments":{"text":"first"}}})")
                  .ok());
  ASSERT_TRUE(agent_
                  ->Send(R"({"jsonrpc":"2.0","id":"b","method":"tools/call","params":)"
                         R"({"name":"echo","arguments":{"text":"second"}}})")
                  .ok());
  for (int i = 0; i < 2; ++i) {
    const json::Document answer = Must(agent_->Receive());
    const bool is_first = answer.root().StringOr("id", "") == "a";
    EXPECT_THAT(Text(answer), HasSubstr(is_first ? "first" : "second"));
    EXPECT_THAT(Text(answer), Not(HasSubstr(is_first ? "second" : "first")));
  }
}

TEST_F(Broker, TwoClientsUseTheSameIdAtOnce) {
  Start({});
  const auto other = NewAgent();
  constexpr absl::string_view kCall =
      R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo","arguments":)";
  ASSERT_TRUE(agent_->Send(absl::StrCat(kCall, R"({"text":"mine"}}})")).ok());
  ASSERT_TRUE(other->Send(absl::StrCat(kCall, R"({"text":"yours"}}})")).ok());
  EXPECT_THAT(Text(Must(agent_->Receive())), AllOf(HasSubstr(R"("id":7)"), HasSubstr("mine")));
  EXPECT_THAT(Text(Must(other->Receive())), AllOf(HasSubstr(R"("id":7)"), HasSubstr("yours")));
}

TEST_F(Broker, ACancelledCallHoldsUpNoOther) {
  Start({});
  ASSERT_TRUE(
      agent_
          ->Send(R"({"jsonrpc":"2.0","id":"s","method":"tools/call","params":{"name":"slow",)"
                 R"("arguments":{"steps":0,"ms":20},"_meta":{"progressToken":"p"}}})")
          .ok());
  EXPECT_THAT(Text(Must(agent_->Receive())), HasSubstr(R"("progressToken":"p")"));
  ASSERT_TRUE(agent_
                  ->Send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":)"
                         R"({"requestId":"s"}})")
                  .ok());
  ExpectEchoes("after the cancellation");
  EXPECT_TRUE(Await([&] {
    const auto log = Must(mediator_->Tipstaff({"log", run_.run, "--format", "json"}));
    return absl::StrContains(log.out, "cancelled");
  })) << "the cancellation is on record";
}

TEST_F(Broker, ProgressKeepsACallAlive) {
  Start({}, {"timeout: 1s", "longest: 20s"});
  const harness::CallResult done = Call("slow", R"({"steps":20,"ms":100})");
  EXPECT_FALSE(done.is_error) << Text(done.result);
  EXPECT_EQ(done.text, "done");
}

TEST_F(Broker, ProgressDoesNotKeepACallAliveForEver) {
  Start({}, {"timeout: 1s", "longest: 2s"});
  const absl::Time begun = absl::Now();
  const harness::CallResult ended = Call("slow", R"({"steps":0,"ms":50})");
  EXPECT_TRUE(ended.is_error);
  EXPECT_GE(absl::Now() - begun, absl::Seconds(2));
  ExpectEchoes("afterwards");
}

TEST_F(Broker, AServerThatNeverAnswersEndsInTime) {
  Start({"--never-answer"}, {"timeout: 1s"});
  EXPECT_TRUE(Call("echo", R"({"text":"?"})").is_error);
}

TEST_F(Broker, AResultThatIsTooLargeSaysSo) {
  Start({});
  const harness::CallResult large = Call("big", R"({"bytes":10485760})");
  EXPECT_TRUE(large.is_error);
  EXPECT_THAT(large.text, AllOf(HasSubstr("bytes"), HasSubstr("at most")));
  const harness::CallResult fits = Call("big", R"({"bytes":1000000})");
  EXPECT_FALSE(fits.is_error);
  EXPECT_EQ(fits.text.size(), 1'000'000u);
}

TEST_F(Broker, AToolThatAgentsRefuseIsLeftOutAlone) {
  Start({"--top-level-anyof"});
  EXPECT_THAT(Text(ToolsList()), Not(HasSubstr("anyof")));
  ExpectEchoes("the others work");
}

TEST_F(Broker, ASessionThatIsGoneIsOpenedAnew) {
  harness::Process server = Must(harness::Process::Start(
      {kServer, "--http", "127.0.0.1:0", "--generation", "legacy", "--session-gone-after", "12"}));
  const std::string said = Must(server.ReadLine(kPatience));
  const std::string url = said.substr(said.find("http://"));
  StartWith({.name = "fixture",
             .how = absl::StrCat("http: {url: ", json::Quote(url), "}"),
             .reads = {"echo", "slow", "big", "structured"}});
  int failed = 0, echoed = 0;
  for (int i = 0; i < 30; ++i) {
    const harness::CallResult result = Call("echo", absl::StrCat(R"({"text":"n)", i, R"("})"));
    if (result.is_error) {
      ++failed;
    } else {
      ++echoed;
      EXPECT_THAT(result.text, HasSubstr(absl::StrCat("n", i)));
    }
  }
  EXPECT_GE(failed, 1) << "a call of a session that is gone is reported, and not made again";
  EXPECT_GT(echoed, failed) << "new sessions work";
}

struct Asking {
  const char* name;
  const char* flag;
};
// In the tests' names.
void PrintTo(const Asking& asking, std::ostream* out) { *out << asking.flag; }

class BrokerIsAsked : public Broker, public ::testing::WithParamInterface<Asking> {};

TEST_P(BrokerIsAsked, AndDeclines) {
  Start({"--generation", "legacy", GetParam().flag});
  // The server goes on with the call once it has the refusal.
  ExpectEchoes("declined");
}

INSTANTIATE_TEST_SUITE_P(Kinds, BrokerIsAsked,
                         ::testing::Values(Asking{"Sampling", "--ask-sampling"},
                                           Asking{"Roots", "--ask-roots"},
                                           Asking{"Elicitation", "--ask-elicitation"}),
                         [](const auto& info) { return info.param.name; });

TEST_F(Broker, AModernServerThatAsksInItsAnswerIsDeclined) {
  Start({"--generation", "modern", "--ask-sampling"});
  const harness::CallResult result = Call("echo", R"({"text":"x"})");
  EXPECT_TRUE(result.is_error);
  EXPECT_FALSE(result.result.root().Find("inputRequests").exists());
}

TEST_F(Broker, LongAndOddNamesHaveShortAliasesThatLeadBack) {
  constexpr char kSkill[] = R"(skill: broken
description: Tools with odd names.
names: bare
backends: {fixture: {upstream: fixture}}
permissions:
  - {id: dots, tool: fixture.with.dots.in-it, args: {}}
finalize: none
)";
  StartWith({.name = "fixture",
             .how = absl::StrCat("stdio: {command: [", json::Quote(kServer),
                                 ", --long-names], read: [", json::Quote(kBin), "]}"),
             .stop = "killable",
             .reads = {"with.dots.in-it"}},
            kSkill);
  const auto names = Must(agent_->ListTools());
  ASSERT_THAT(names, SizeIs(1));
  EXPECT_THAT(names[0], ::testing::MatchesRegex("[A-Za-z0-9_-]{1,60}"));
  EXPECT_EQ(Call(names[0], "{}").text, "with.dots.in-it") << "the server's own name";
  // The two names of 128 bytes that differ in the last differ for skills, too.
  EXPECT_THAT(Pins(), ::testing::ContainsRegex("\"name\": \"m{20,}_[0-9a-f]{8}\""));
}

}  // namespace
}  // namespace tipstaff::conformance
