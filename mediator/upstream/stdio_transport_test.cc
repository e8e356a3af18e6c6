#include "mediator/upstream/stdio_transport.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <boost/asio/io_context.hpp>
#include <filesystem>
#include <functional>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/time/clock.h"
#include "mediator/backend/process_lock.h"
#include "mediator/base/file.h"
#include "mediator/base/testing/temp_folder.h"
#include "mediator/confine/can_confine.h"
#include "mediator/upstream/limits.h"

namespace tipstaff::upstream {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

constexpr absl::Duration kPatience = absl::Seconds(30);

// One transport, and what it reported.
class StdioTransportTest : public ::testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    if (GetParam() && !confine::CanConfine().ok()) {
      GTEST_SKIP() << "nothing can be confined here: " << confine::CanConfine();
    }
  }

  // A shell's script as the server.
  void Make(const std::string& script, StdioOptions options = {}) {
    options.command = {"/bin/sh", "-c", script};
    options.unconfined = !GetParam();
    options.scratch = folder_.Path("scratch");
    options.lock_path = lock_;
    transport_ = MakeStdioTransport(
        loop_, options,
        {.on_message =
             [this](absl::string_view message, uint64_t request) {
               EXPECT_EQ(request, 0u);
               messages_.emplace_back(message);
               if (on_message_) on_message_();
             },
         .on_failure =
             [this](uint64_t request, int status, const std::string& body, bool sent) {
               EXPECT_EQ(status, 0);
               failures_.push_back(absl::StrCat(request, " ", body, sent ? " sent" : ""));
             },
         .on_response_end = [](uint64_t) { ADD_FAILURE() << "over stdio there is none"; },
         .on_gone =
             [this](std::string how) {
               EXPECT_TRUE(backend::TakeProcessLock(lock_).ok()) << "somebody is left";
               gone_.push_back(std::move(how));
               if (on_gone_) on_gone_();
             },
         .on_note = [this](std::string note) { notes_.push_back(std::move(note)); }});
  }
  void Start(const std::string& script, StdioOptions options = {}) {
    Make(script, std::move(options));
    const absl::Status status = transport_->Connect();
    ASSERT_TRUE(status.ok()) << status;
  }
  void Send(uint64_t id, const std::string& message) {
    transport_->Send(mcp::SendRequest{.id = id, .message = message});
  }

  bool RunUntil(const std::function<bool()>& reached) {
    const absl::Time deadline = absl::Now() + kPatience;
    while (!reached() && absl::Now() < deadline) {
      loop_.restart();
      loop_.run_one_for(std::chrono::milliseconds(50));
    }
    EXPECT_TRUE(reached()) << "messages: " << absl::StrJoin(messages_, " | ").substr(0, 400)
                           << "; notes: " << absl::StrJoin(notes_, " | ")
                           << "; gone: " << absl::StrJoin(gone_, " | ");
    return reached();
  }
  bool RunUntilGone() {
    return RunUntil([this] { return !gone_.empty(); });
  }
  bool RunUntilSaid(size_t messages) {
    return RunUntil([this, messages] { return messages_.size() >= messages; });
  }

  base::TempFolder folder_;
  const std::string lock_ = folder_.Path("board.lock");
  boost::asio::io_context loop_;
  std::vector<std::string> messages_, failures_, gone_, notes_;
  std::function<void()> on_message_, on_gone_;
  std::unique_ptr<Transport> transport_;
};

INSTANTIATE_TEST_SUITE_P(, StdioTransportTest, ::testing::Bool(),
                         [](const auto& info) { return info.param ? "Confined" : "Unconfined"; });

TEST_P(StdioTransportTest, CarriesALineEach) {
  Start("while read -r line; do printf '%s!\\n' \"$line\"; done");
  Send(1, R"({"id":1})");
  transport_->Send(mcp::SendNotification{.message = R"({"a":"\\n"})"});
  ASSERT_TRUE(RunUntilSaid(2));
  EXPECT_THAT(messages_, ElementsAre(R"({"id":1}!)", R"({"a":"\\n"}!)"));
  EXPECT_THAT(failures_, IsEmpty());
}

TEST_P(StdioTransportTest, SkipsBlankLinesAndPassesNoiseOn) {
  Start("printf '\\n\\r\\n  \\nWelcome!\\n{}\\n'; read -r line");
  ASSERT_TRUE(RunUntilSaid(2));
  EXPECT_THAT(messages_, ElementsAre("Welcome!", "{}"));
}

TEST_P(StdioTransportTest, TakesWhatItSaidBeforeItEnded) {
  Start("printf 'first\\n'; printf 'broken\\n' >&2; printf 'last words' > /dev/stderr; exit 3");
  ASSERT_TRUE(RunUntilGone());
  EXPECT_THAT(messages_, ElementsAre("first"));
  EXPECT_THAT(notes_, ElementsAre("broken", "last words"));
  EXPECT_THAT(gone_, ElementsAre("exited with 3"));
}

TEST_P(StdioTransportTest, StartsAgain) {
  Start("read -r line; printf 'got %s\\n' \"$line\"");
  Send(1, "one");
  ASSERT_TRUE(RunUntilGone());
  Send(2, "lost");
  ASSERT_TRUE(RunUntil([this] { return !failures_.empty(); }));
  ASSERT_TRUE(transport_->Connect().ok());
  Send(3, "two");
  ASSERT_TRUE(RunUntilSaid(2));
  EXPECT_THAT(messages_, ElementsAre("got one", "got two"));
  EXPECT_THAT(failures_, ElementsAre("2 it does not run"));
}

TEST_P(StdioTransportTest, ConnectsOnceAtATime) {
  Start("read -r line");
  EXPECT_EQ(transport_->Connect().code(), absl::StatusCode::kFailedPrecondition);
  transport_.reset();
  const auto held = backend::TakeProcessLock(lock_);
  ASSERT_TRUE(held.ok());
  Make("read -r line");
  EXPECT_EQ(transport_->Connect().code(), absl::StatusCode::kUnavailable) << "the lock is held";
}

TEST_P(StdioTransportTest, TakesAMessageOfTheMostBytesAndNoMore) {
  Start(absl::StrCat("head -c ", kMaxMessageBytes - 1,
                     " /dev/zero | tr '\\0' x; echo; read -r go; ", "head -c ", kMaxMessageBytes,
                     " /dev/zero | tr '\\0' x; echo; sleep 1000"));
  ASSERT_TRUE(RunUntilSaid(1));
  EXPECT_EQ(messages_[0].size(), kMaxMessageBytes - 1);
  Send(1, "go");
  ASSERT_TRUE(RunUntilGone());
  EXPECT_THAT(gone_, ElementsAre(HasSubstr("said a line of more than")));
  EXPECT_EQ(messages_.size(), 1u);
}

TEST_P(StdioTransportTest, FailsWhatASilentReaderDoesNotTake) {
  Start("sleep 1000");
  const std::string big(kMaxUnsentBytes / 2 - 2, 'x');
  for (uint64_t id = 1; id <= 4; ++id) Send(id, big);
  EXPECT_THAT(failures_, IsEmpty()) << "never from within Send";
  ASSERT_TRUE(RunUntil([this] { return failures_.size() >= 2; }));
  EXPECT_THAT(failures_, ElementsAre("3 it does not read", "4 it does not read"));
}

TEST_P(StdioTransportTest, HasTheEnvironmentThatIsConfigured) {
  ::setenv("TIPSTAFF_TEST_SECRET", "do not pass on", 1);
  Start(
      "env | grep -v ^PWD= | grep -v ^_= | grep -v ^OLDPWD= | cut -d= -f1; pwd >scratch-is-here; "
      "echo end",
      {.environment = {{"API_TOKEN", "x"}}});
  ASSERT_TRUE(RunUntil([this] { return !messages_.empty() && messages_.back() == "end"; }));
  EXPECT_THAT(messages_,
              UnorderedElementsAre("API_TOKEN", "HOME", "LANG", "PATH", "TMPDIR", "end"));
  EXPECT_TRUE(fs::exists(folder_.Path("scratch/scratch-is-here"))) << "it works there";
}

TEST_P(StdioTransportTest, HasNoDescriptorButItsOwn) {
  const base::Fd careless(::dup(STDERR_FILENO));  // not closed on exec
  Start(
      "for fd in /proc/$$/fd/*; do test -e $fd && printf '%s ' ${fd##*/}; done; echo; readlink "
      "/proc/$$/fd/3");
  ASSERT_TRUE(RunUntilSaid(2));
  // From 10 on they are the shell's own.
  EXPECT_THAT(messages_[0], ::testing::MatchesRegex("0 1 2 3 (1[0-9] )*"))
      << "the lock is passed on";
  EXPECT_TRUE(absl::EndsWith(messages_[1], "board.lock")) << messages_[1];
}

TEST_P(StdioTransportTest, NotesAreBoundedAndWithoutSecrets) {
  Start(
      "i=0; while [ $i -lt 20000 ]; do echo \"token $API_TOKEN $i\" >&2; i=$((i+1)); done; echo "
      "done",
      {.environment = {{"API_TOKEN", "s3cr3t-s3cr3t"}}});
  ASSERT_TRUE(RunUntilSaid(1)) << "it is not held up by notes that nobody reads";
  EXPECT_EQ(notes_.size(), static_cast<size_t>(kMaxNotes) + 1);
  EXPECT_THAT(notes_, Not(Contains(HasSubstr("s3cr3t"))));
}

TEST_P(StdioTransportTest, KillEndsWhatItStartedToo) {
  Start("setsid sleep 1000 & (trap '' TERM; sleep 1000) & echo up; sleep 1000");
  ASSERT_TRUE(RunUntilSaid(1));
  transport_->Kill("stopped");
  Send(7, "late");
  ASSERT_TRUE(RunUntilGone());
  EXPECT_THAT(gone_, ElementsAre("stopped"));
  EXPECT_THAT(failures_, ElementsAre("7 its process is being ended"));
}

TEST_P(StdioTransportTest, ALeftChildEndsWithTheServer) {
  // A wrapper in shell that ends before what it started.
  Start("setsid sleep 1000 & echo up");
  ASSERT_TRUE(RunUntilGone());
  EXPECT_THAT(gone_, ElementsAre("exited with 0"));
}

TEST_P(StdioTransportTest, CloseEndsTheInputFirst) {
  Start("echo up; while read -r line; do :; done; echo bye");
  ASSERT_TRUE(RunUntilSaid(1));
  const absl::Time since = absl::Now();
  transport_->Close("closed");
  ASSERT_TRUE(RunUntilGone());
  EXPECT_THAT(messages_, ElementsAre("up", "bye"));
  EXPECT_THAT(gone_, ElementsAre("closed"));
  EXPECT_LT(absl::Now() - since, kTimeToExit);
}

TEST_P(StdioTransportTest, CloseThenSendsATerm) {
  // It does not look at its input.
  Start("trap 'echo terminated; exit 0' TERM; echo up; while :; do sleep 0.05; done");
  ASSERT_TRUE(RunUntilSaid(1));
  transport_->Close("closed");
  ASSERT_TRUE(RunUntilGone());
  EXPECT_THAT(messages_, ElementsAre("up", "terminated"));
}

TEST_P(StdioTransportTest, CloseThenKills) {
  Start("trap '' TERM; echo up; while :; do sleep 0.05; done");
  ASSERT_TRUE(RunUntilSaid(1));
  const absl::Time since = absl::Now();
  transport_->Close("closed");
  ASSERT_TRUE(RunUntilGone());
  EXPECT_GE(absl::Now() - since, 2 * kTimeToExit);
}

TEST_P(StdioTransportTest, TheDestructorLeavesNothing) {
  Start("setsid sleep 1000 & trap '' TERM; echo up; while :; do sleep 1; done");
  ASSERT_TRUE(RunUntilSaid(1));
  const absl::Time since = absl::Now();
  transport_.reset();
  EXPECT_LT(absl::Now() - since, absl::Seconds(1)) << "the loop waits meanwhile";
  EXPECT_TRUE(backend::TakeProcessLock(lock_).ok());
  EXPECT_THAT(gone_, IsEmpty()) << "no callback follows";
}

TEST_P(StdioTransportTest, MayBeDestroyedByACallback) {
  Start("echo one; echo note >&2; echo two; sleep 1000");
  on_message_ = [this] { transport_.reset(); };
  ASSERT_TRUE(RunUntilSaid(1));
  loop_.poll();
  EXPECT_THAT(messages_, ElementsAre("one"));
  Start("exit 0");
  on_gone_ = [this] { transport_.reset(); };
  ASSERT_TRUE(RunUntilGone());
}

TEST_P(StdioTransportTest, SaysWhereTheProgramIsNotThere) {
  Make("");
  StdioOptions options;
  options.command = {"/no/such/program"};
  options.unconfined = !GetParam();
  options.scratch = folder_.Path("scratch");
  options.lock_path = lock_;
  transport_ = MakeStdioTransport(
      loop_, options,
      {.on_gone = [this](std::string how) { gone_.push_back(std::move(how)); },
       .on_note = [this](std::string note) { notes_.push_back(std::move(note)); }});
  const absl::Status status = transport_->Connect();
  if (GetParam()) {
    ASSERT_TRUE(RunUntilGone());
    EXPECT_THAT(notes_, Contains(HasSubstr("/no/such/program")));
  } else {
    EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
    EXPECT_THAT(std::string(status.message()), HasSubstr("/no/such/program"));
  }
}

// ---- confined ones ----

class ConfinedTest : public StdioTransportTest {
 protected:
  // What the script says, up to its end.
  std::string Say(const std::string& script, StdioOptions options = {}) {
    messages_.clear();
    gone_.clear();
    Start(script, std::move(options));
    RunUntilGone();
    return absl::StrJoin(messages_, "\n");
  }
};

INSTANTIATE_TEST_SUITE_P(, ConfinedTest, ::testing::Values(true));

TEST_P(ConfinedTest, SeesWhatIsNamedAndNothingElse) {
  fs::create_directory(folder_.Path("data"));
  ASSERT_TRUE(base::WriteFile(folder_.Path("data/file"), "shown\n").ok());
  ASSERT_TRUE(base::WriteFile(folder_.Path("ledger.db"), "hidden").ok());
  StdioOptions options;
  options.read = {folder_.Path("data")};
  options.hidden = {folder_.Path("ledger.db"), lock_};
  EXPECT_EQ(Say(absl::StrCat("cat ", folder_.Path("data/file")), options), "shown");
  EXPECT_EQ(Say(absl::StrCat("echo x > ", folder_.Path("data/file"), " || echo refused"), options),
            "refused");
  EXPECT_EQ(Say(absl::StrCat("cat ", folder_.Path("ledger.db"), " || echo absent"), options),
            "absent");
  EXPECT_EQ(Say("ls -A /home /root /var /mnt /srv /opt 2>/dev/null; echo end"), "end");
  EXPECT_EQ(Say("cat /etc/passwd || echo absent"), "absent");
  EXPECT_EQ(Say("echo kept > $HOME/file && cat /run/tipstaff/scratch/file"), "kept");
  EXPECT_TRUE(fs::exists(folder_.Path("scratch/file")));
}

TEST_P(ConfinedTest, HasNamespacesOfItsOwn) {
  EXPECT_EQ(Say("tail -n +3 /proc/net/dev | grep -v ' lo:' || echo lonely"), "lonely");
  int processes = 0;
  ASSERT_TRUE(absl::SimpleAtoi(Say("ls -d /proc/[0-9]* | wc -l"), &processes));
  EXPECT_LT(processes, 6);
  EXPECT_EQ(Say("grep CapEff /proc/self/status | tr -d '\\t '; grep NoNewPrivs /proc/self/status | "
                "tr -d '\\t '"),
            "CapEff:0000000000000000\nNoNewPrivs:1");
}

TEST_P(ConfinedTest, SharesTheNetworkOnlyWhereThatIsAllowed) {
  const std::string here = fs::read_symlink("/proc/self/ns/net").string();
  StdioOptions options;
  EXPECT_NE(Say("readlink /proc/self/ns/net", options), here);
  options.network = true;
  EXPECT_EQ(Say("readlink /proc/self/ns/net", options), here);
}

TEST_P(ConfinedTest, ShowsNoPlaceOfTheHostInItsCommandLines) {
  const std::string seen = Say("cat /proc/[0-9]*/cmdlin[e] /proc/[0-9]*/enviro[n] | tr '\\0' '\\n'",
                               {.hidden = {folder_.Path("ledger.db")}});
  EXPECT_THAT(seen, HasSubstr("sh"));
  EXPECT_THAT(seen, Not(HasSubstr(folder_.path())));
}

TEST_P(ConfinedTest, HoldsTheLockWhateverItCloses) {
  Start("exec 3>&-; echo up; exec sleep 1000");
  ASSERT_TRUE(RunUntilSaid(1));
  EXPECT_TRUE(absl::IsUnavailable(backend::TakeProcessLock(lock_).status()));
  transport_->Kill("stopped");
  ASSERT_TRUE(RunUntilGone());
}

// How many processes live in the process namespace `space`, as readlink(2) has it.
int ProcessesIn(const std::string& space) {
  int count = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator("/proc")) {
    std::error_code gone;
    if (fs::read_symlink(entry.path() / "ns/pid", gone) != space) continue;
    // One that has ended and was not waited for has no program.
    if (!fs::read_symlink(entry.path() / "exe", gone).empty()) ++count;
  }
  return count;
}

// A process that has closed the lock is not seen by it, and must be gone all the same: the kernel
// ends the others only after the first process has closed its files.
TEST_P(ConfinedTest, IsGoneOnlyWhenNobodyIsLeftInTheView) {
  for (const bool killed : {true, false, true, false}) {
    gone_.clear();
    messages_.clear();
    Start(
        "exec 3>&-; readlink /proc/self/ns/pid; i=0; "
        "while [ $i -lt 150 ]; do sleep 1000 & i=$((i+1)); done; echo up; read -r go");
    ASSERT_TRUE(RunUntilSaid(2));
    const std::string space = messages_[0];
    EXPECT_GT(ProcessesIn(space), 150);
    int left = -1;
    on_gone_ = [&] { left = ProcessesIn(space); };
    killed ? transport_->Kill("stopped") : Send(1, "go");
    ASSERT_TRUE(RunUntilGone());
    EXPECT_EQ(left, 0) << (killed ? "killed" : "by itself");
  }
}

TEST_P(ConfinedTest, IsRefusedWhereItWouldSeeWhatIsHidden) {
  Make("true", {.read = {folder_.path()}, .hidden = {folder_.Path("ledger.db")}});
  EXPECT_EQ(transport_->Connect().code(), absl::StatusCode::kFailedPrecondition);
}

// ---- a mediator that is killed ----

class KilledMediatorTest : public StdioTransportTest {
 protected:
  // Another process that runs the server until it is killed. Returns when the server is up.
  pid_t StartMediator(const std::string& script) {
    const pid_t mediator = ::fork();
    if (mediator != 0) return mediator;
    Start(script);
    RunUntilSaid(1);
    if (!base::WriteFile(folder_.Path("up"), "").ok()) ::_exit(1);
    loop_.restart();
    loop_.run_for(std::chrono::minutes(1));
    ::_exit(1);
  }
  void KillWhenUp(pid_t mediator) {
    const absl::Time deadline = absl::Now() + kPatience;
    while (!fs::exists(folder_.Path("up")) && absl::Now() < deadline) {
      absl::SleepFor(absl::Milliseconds(5));
    }
    EXPECT_TRUE(fs::exists(folder_.Path("up")));
    EXPECT_TRUE(absl::IsUnavailable(backend::TakeProcessLock(lock_).status())) << "it runs";
    ::kill(mediator, SIGKILL);
    ::waitpid(mediator, nullptr, 0);
  }
};

INSTANTIATE_TEST_SUITE_P(, KilledMediatorTest, ::testing::Bool(),
                         [](const auto& info) { return info.param ? "Confined" : "Unconfined"; });

TEST_P(KilledMediatorTest, LeavesNothingThatTheNextOneCannotEnd) {
  KillWhenUp(
      StartMediator("setsid sleep 1000 & trap '' HUP TERM; echo up; while :; do sleep 1; done"));
  if (GetParam()) {
    // The kernel ends it, without help.
    const absl::Time deadline = absl::Now() + kPatience;
    while (!backend::TakeProcessLock(lock_).ok() && absl::Now() < deadline) {
      absl::SleepFor(absl::Milliseconds(5));
    }
    EXPECT_TRUE(backend::TakeProcessLock(lock_).ok());
  } else {
    EXPECT_TRUE(absl::IsUnavailable(backend::TakeProcessLock(lock_).status())) << "nobody ends it";
    EXPECT_TRUE(backend::TakeFromHolders(lock_, kPatience).ok());
  }
}

}  // namespace
}  // namespace tipstaff::upstream
