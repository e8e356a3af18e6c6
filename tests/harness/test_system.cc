// tipstaff-test-system --accounts FOLDER: a system for tests that does what each call tells it to.
//
// It speaks the lines of docs/test-systems.md. A call's argument `behaviour` says how it goes, for
// deliveries of one call after each other with commas between ("crash_before,ok"; the last one goes
// on); `ms` is a time, `label` goes into the account (account.h).
//
//   ok                 takes effect, then answers
//   slow               the same, `ms` later
//   hang               never answers, nothing happens
//   hang_after         takes effect, never answers
//   crash_before       the process ends, nothing happened
//   crash_after        takes effect, then ends
//   refuse             a result is refused, else an error
//   failed             says that it failed before
//   late               answers, takes effect `ms` later
//   outside            never answers; takes effect `ms` later, in a process of its own
//   cancellable        waits, fails when it is cancelled
//   garbage            says what is no JSON
//   huge               says a line without an end
//   other_id           answers what it was not asked
//   twice              answers twice
//   mute               closes its output and goes on
//   bad_output         answers with a number
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/time/clock.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"
#include "tests/harness/account.h"

namespace tipstaff::harness {
namespace {

constexpr size_t kKeptOfLabel = 64;
constexpr absl::Duration kForEver = absl::Hours(24);

struct Asked {
  uint64_t id = 0;
  Entry entry;
  std::string behaviour;
  absl::Duration time;
};

class System {
 public:
  explicit System(std::string accounts) : accounts_(std::move(accounts)) {}

  void Take(const std::string& line) {
    const absl::StatusOr<json::Document> message = json::Parse(line);
    if (!message.ok()) Die(message.status());
    const json::Value root = message->root();
    const absl::string_view type = root.StringOr("type", "");
    if (type == "call") return Begin(Read(root));
    if (type == "query") return Answer(root);
    const std::lock_guard lock(mutex_);
    cancelled_.insert(static_cast<uint64_t>(root.IntegerOr("id", 0)));
    cancel_.notify_all();
  }

 private:
  [[noreturn]] static void Die(const absl::Status& why) {
    std::fprintf(stderr, "tipstaff-test-system: %s\n", std::string(why.message()).c_str());
    ::_exit(3);
  }

  Asked Read(json::Value root) {
    const json::Value arguments = root.Find("arguments");
    Asked asked;
    asked.id = static_cast<uint64_t>(root.IntegerOr("id", 0));
    asked.entry.run = std::string(root.StringOr("run", ""));
    asked.entry.call = static_cast<uint64_t>(root.IntegerOr("call", 0));
    asked.entry.tool = std::string(root.StringOr("tool", ""));
    asked.entry.key = std::string(arguments.StringOr("key", ""));
    asked.entry.label = std::string(arguments.StringOr("label", "").substr(0, kKeptOfLabel));
    asked.entry.finalizes = root.Find("key").exists();
    asked.time = absl::Milliseconds(arguments.IntegerOr("ms", 0));
    size_t deliveries = 0;
    for (const Entry& entry : Account(asked.entry.run)) {
      deliveries += entry.what == Entry::What::kAsked && entry.call == asked.entry.call;
    }
    const std::vector<std::string> each =
        absl::StrSplit(arguments.StringOr("behaviour", "ok"), ',');
    asked.behaviour = each[std::min(deliveries, each.size() - 1)];
    return asked;
  }

  void Begin(Asked asked) {
    // Whoever reads of it in the account may rely on what acts outside being there.
    if (asked.behaviour == "outside") Outside(asked);
    Add(asked, Entry::What::kAsked);
    std::thread([this, asked = std::move(asked)] { Do(asked); }).detach();
  }

  void Do(const Asked& asked) {
    const std::string& how = asked.behaviour;
    if (how == "slow") absl::SleepFor(asked.time);
    if (how == "ok" || how == "slow" || how == "twice") {
      Effect(asked);
      Say(Ok(asked));
      if (how == "twice") Say(Ok(asked));
    } else if (how == "crash_before") {
      ::_exit(1);
    } else if (how == "crash_after" || how == "hang_after") {
      Effect(asked);
      if (how == "crash_after") ::_exit(1);
    } else if (how == "refuse") {
      if (asked.entry.finalizes) Add(asked, Entry::What::kRefused);
      Say(Failed(asked, asked.entry.finalizes ? "refused" : "tool_error", "it is refused"));
    } else if (how == "failed") {
      if (asked.entry.finalizes) Add(asked, Entry::What::kRefused);
      Say(Failed(asked, "failed", "nothing was done"));
    } else if (how == "late") {
      Say(Ok(asked));
      absl::SleepFor(asked.time);
      Effect(asked);
    } else if (how == "outside") {
      return;  // it is under way
    } else if (how == "cancellable") {
      AwaitCancel(asked);
    } else {
      Misbehave(asked);
    }
  }

  void Misbehave(const Asked& asked) {
    if (asked.behaviour == "garbage") Say("what is this?");
    if (asked.behaviour == "huge") {
      const std::string chunk(1 << 16, 'x');
      for (;;) Write(chunk);
    }
    if (asked.behaviour == "other_id") Say(R"({"id":4711,"outcome":"ok","result":{}})");
    if (asked.behaviour == "mute") ::shutdown(STDOUT_FILENO, SHUT_WR);
    if (asked.behaviour == "bad_output") {
      Effect(asked);
      Say(absl::StrCat(R"({"id":)", asked.id, R"(,"outcome":"ok","result":7})"));
    }
    absl::SleepFor(kForEver);  // hang, and whatever is left of the others
  }

  // Once for each key. Reads have none.
  void Effect(const Asked& asked) {
    const std::lock_guard lock(effects_);
    if (!asked.entry.key.empty() && HasEffect(asked.entry.run, [&](const Entry& entry) {
          return entry.key == asked.entry.key;
        })) {
      return;
    }
    if (asked.entry.tool != "look") Add(asked, Entry::What::kEffect);
  }

  // As a system behind this process would act: it is in no group and holds no descriptor of it.
  void Outside(const Asked& asked) {
    std::unique_lock lock(effects_);
    if (const pid_t between = ::fork(); between != 0) {
      ::waitpid(between, nullptr, 0);
      return;
    }
    lock.unlock();
    ::setsid();
    for (int fd = 0; fd < 64; ++fd) ::close(fd);
    if (::fork() != 0) ::_exit(0);
    absl::SleepFor(asked.time);
    Effect(asked);
    ::_exit(0);
  }

  void AwaitCancel(const Asked& asked) {
    std::unique_lock lock(mutex_);
    cancel_.wait(lock, [&] { return cancelled_.contains(asked.id); });
    lock.unlock();
    Say(Failed(asked, "failed", "cancelled"));
  }

  void Answer(json::Value query) {
    const auto call = static_cast<uint64_t>(query.IntegerOr("call", 0));
    const bool done = HasEffect(std::string(query.StringOr("run", "")),
                                [&](const Entry& entry) { return entry.call == call; });
    Say(absl::StrCat(R"({"id":)", query.IntegerOr("id", 0), R"(,"took_place":")",
                     done ? "done" : "not_yet", "\"}"));
  }

  template <typename Matches>
  bool HasEffect(const std::string& run, Matches matches) const {
    for (const Entry& entry : Account(run)) {
      if (entry.what == Entry::What::kEffect && matches(entry)) return true;
    }
    return false;
  }

  std::vector<Entry> Account(const std::string& run) const {
    absl::StatusOr<std::vector<Entry>> entries = ReadAccount(accounts_, run);
    if (!entries.ok()) Die(entries.status());
    return *std::move(entries);
  }

  void Add(const Asked& asked, Entry::What what) const {
    Entry entry = asked.entry;
    entry.what = what;
    if (const absl::Status added = AppendToAccount(accounts_, entry); !added.ok()) Die(added);
  }

  static std::string Ok(const Asked& asked) {
    return absl::StrCat(R"({"id":)", asked.id, R"(,"outcome":"ok","result":{"label":)",
                        json::Quote(asked.entry.label), "}}");
  }
  static std::string Failed(const Asked& asked, absl::string_view outcome,
                            absl::string_view message) {
    return absl::StrCat(R"({"id":)", asked.id, R"(,"outcome":")", outcome, R"(","message":)",
                        json::Quote(message), "}");
  }

  void Say(const std::string& line) { Write(line + "\n"); }
  void Write(const std::string& bytes) {
    const std::lock_guard lock(output_);
    for (size_t done = 0; done < bytes.size();) {
      const ssize_t put = ::write(STDOUT_FILENO, bytes.data() + done, bytes.size() - done);
      if (put <= 0) absl::SleepFor(kForEver);
      done += static_cast<size_t>(put);
    }
  }

  const std::string accounts_;
  std::mutex output_, effects_, mutex_;
  std::condition_variable cancel_;
  std::set<uint64_t> cancelled_;  // guarded by mutex_
};

int Main(int argc, char** argv) {
  if (argc != 3 || std::strcmp(argv[1], "--accounts") != 0) {
    std::fprintf(stderr, "usage: tipstaff-test-system --accounts FOLDER\n");
    return 2;
  }
  System system(argv[2]);
  for (std::string line; std::getline(std::cin, line);) system.Take(line);
  ::_exit(0);  // with what its threads still wait for
}

}  // namespace
}  // namespace tipstaff::harness

int main(int argc, char** argv) { return tipstaff::harness::Main(argc, argv); }
