// A writer that is killed at any moment loses nothing that it acknowledged.
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <vector>

#include "absl/strings/str_cat.h"
#include "mediator/base/fd.h"
#include "mediator/base/testing/temp_folder.h"
#include "mediator/ledger/ledger.h"

namespace tipstaff::ledger {
namespace {

using call::RecordKind;

constexpr int kRounds = 20;
constexpr int kRunsPerRound = 3;

struct Acknowledged {
  uint32_t run;
  uint32_t last_seq;
};

std::string RunName(int round, uint32_t run) { return absl::StrCat("run_", round, "_", run); }

std::string BodyOf(uint64_t seq) { return absl::StrCat("{\"n\":", seq, "}"); }
std::string PayloadOf(uint64_t seq) { return std::string(seq * 37 % 9000, 'p'); }

// The child: appends to its runs until it is killed, and writes what was acknowledged into `fd`.
[[noreturn]] void AppendForever(const std::string& path, int round, int fd) {
  const auto ledger = Ledger::Open(path);
  if (!ledger.ok()) ::_exit(3);
  uint64_t seq = 0;
  for (;;) {
    ++seq;
    for (uint32_t run = 0; run < kRunsPerRound; ++run) {
      const auto done = [run, fd](absl::StatusOr<Appended> result) {
        if (!result.ok()) ::_exit(4);
        const Acknowledged note{run, static_cast<uint32_t>(result->last_seq)};
        if (::write(fd, &note, sizeof note) != sizeof note) ::_exit(5);
      };
      std::vector<call::Record> records = {
          {seq == 1 ? RecordKind::kRunOpened : RecordKind::kDecided,
           absl::FromUnixMicros(static_cast<int64_t>(seq)), BodyOf(seq), PayloadOf(seq)}};
      if (seq == 1) {
        ledger.value()->Open(RunName(round, run), {}, std::move(records), done);
      } else {
        ledger.value()->Append(RunName(round, run), std::move(records), done);
      }
    }
    // Batches of different sizes, and a queue that does not grow without end.
    if (seq % 4 == 0) ledger.value()->Flush();
  }
}

// Reads acknowledgements until `wanted` came, kills the child at once, and reads the rest.
std::map<uint32_t, uint32_t> KillAfter(int wanted, pid_t child, int fd) {
  std::map<uint32_t, uint32_t> last;
  Acknowledged note;
  for (int count = 0; ::read(fd, &note, sizeof note) == sizeof note;) {
    last[note.run] = std::max(last[note.run], note.last_seq);
    if (++count == wanted) ::kill(child, SIGKILL);
  }
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
      << "the child ended by itself, exit " << WEXITSTATUS(status);
  return last;
}

void CheckRun(Reader& reader, const std::string& run, uint32_t acknowledged) {
  const absl::Status verified = reader.VerifyRun(run);
  ASSERT_TRUE(verified.ok()) << verified;
  const auto records = reader.Records(run, 1, SIZE_MAX, Reader::Payload::kFetch);
  ASSERT_TRUE(records.ok()) << records.status();
  EXPECT_GE(records->size(), acknowledged) << run << " lost what it acknowledged";
  for (const StoredRecord& record : *records) {
    EXPECT_EQ(record.record.body, BodyOf(record.seq));
    EXPECT_EQ(record.record.payload, PayloadOf(record.seq));
  }
}

TEST(Crash, KilledAtAnyMomentKeepsWhatWasAcknowledged) {
  base::TempFolder folder;
  const std::string path = folder.Path("ledger.db");
  std::mt19937 random(20260501);
  std::map<std::string, uint32_t> all;
  for (int round = 0; round < kRounds; ++round) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      ::close(ends[0]);
      AppendForever(path, round, ends[1]);
    }
    ::close(ends[1]);
    const base::Fd from_child(ends[0]);
    // Some rounds are long enough for a checkpoint, of 1,000 pages.
    const int wanted = 1 + static_cast<int>(random() % (round % 5 == 0 ? 2000 : 200));
    const std::map<uint32_t, uint32_t> last = KillAfter(wanted, child, from_child.get());
    // A reader comes first, before a writer has recovered the log.
    const auto reader = Reader::Open(path);
    ASSERT_TRUE(reader.ok()) << reader.status();
    for (const auto& [run, seq] : last) {
      all[RunName(round, run)] = seq;
      CheckRun(**reader, RunName(round, run), seq);
    }
  }
  // Later rounds, each with a recovery, left the earlier ones whole.
  const auto reader = Reader::Open(path);
  ASSERT_TRUE(reader.ok()) << reader.status();
  for (const auto& [run, seq] : all) CheckRun(**reader, run, seq);
  EXPECT_GE(all.size(), size_t{kRounds});
}

}  // namespace
}  // namespace tipstaff::ledger
