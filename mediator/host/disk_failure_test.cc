// A run on a disk that fails at each operation in turn, once or from then on: every failure ends in
// a refusal, nothing takes effect without a record, and what is left is a ledger that holds.
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <functional>
#include <optional>
#include <set>

#include "absl/strings/str_cat.h"
#include "mediator/base/testing/temp_folder.h"
#include "mediator/host/live_run.h"
#include "mediator/ledger/testing/faulty_disk.h"
#include "mediator/run/testing/playbook.h"

namespace tipstaff::host {
namespace {

using call::RecordKind;
using ledger::FaultyDisk;

constexpr char kRun[] = "run_abcdefghijkl";
constexpr char kWrite[] = R"({"id":"r1","text":"a"})";
constexpr char kRead[] = R"({"id":"r1"})";
const absl::Time kTime = absl::FromUnixSeconds(1'777'000'000);

// What took effect outside, which no crash undoes.
struct World {
  std::vector<uint64_t> effects;  // numbers of calls
  int unsynced = 0;               // effects that came before what was written of them was synced
  int submissions = 0;
  std::function<void()> before_answer;  // of `out`
  std::string result = R"({"content":[]})";
};

// `in`: answers like a stub. `out`: acts at once, and answers.
class FakeBackend final : public backend::Backend {
 public:
  FakeBackend(run::StopKind kind, World& world, const FaultyDisk& disk)
      : kind_(kind), world_(world), disk_(disk) {}
  run::StopKind stop_kind() const override { return kind_; }
  void Call(const backend::Request& request, Done done) override {
    if (kind_ != run::StopKind::kInProcess) {
      world_.effects.push_back(request.number);
      world_.unsynced += disk_.unsynced_log_writes() > 0 ? 1 : 0;
      world_.submissions += request.effect == call::Effect::kFinalize ? 1 : 0;
    }
    call::Outcome outcome;
    outcome.kind = call::OutcomeKind::kOk;
    outcome.result = world_.result;
    if (kind_ == run::StopKind::kNone && world_.before_answer) world_.before_answer();
    std::move(done)(std::move(outcome));
  }
  call::Outcome MakeAgain(const backend::Request& request, call::OutcomeKind) override {
    call::Outcome again;
    Call(request, [&again](call::Outcome outcome) { again = std::move(outcome); });
    return again;
  }
  void Cancel(uint64_t) override {}
  void Stop(uint64_t, Stopped stopped) override { std::move(stopped)(); }

 private:
  const run::StopKind kind_;
  World& world_;
  const FaultyDisk& disk_;
};

struct Heard final : Waiter {
  void OnProgress(double, double, const std::string&) override {}
  void OnAnswer(const Answer& answer) override { got = answer; }
  std::optional<Answer> got;
};

// One life of a mediator, with one run.
class Life {
 public:
  Life(const std::string& path, const keys::KeyRing& keys, World& world, const FaultyDisk& disk)
      : path_(path), keys_(keys), world_(world), disk_(disk), clock_(wall_) {}
  ~Life() {
    live_.reset();
    outbox_.reset();
    ledger_.reset();  // before the loop and the inbox, which its callbacks reach
  }

  absl::Status Open(ledger::LedgerOptions options = {}) {
    options.on_fatal = [this](const absl::Status&) { fatal_ = true; };
    auto ledger = ledger::Ledger::Open(path_, std::move(options));
    if (!ledger.ok()) return ledger.status();
    outbox_.reset();
    ledger_ = *std::move(ledger);
    outbox_.emplace(loop_, *ledger_);
    auto reader = ledger::Reader::Open(path_);
    if (!reader.ok()) return reader.status();
    reader_ = *std::move(reader);
    return absl::OkStatus();
  }

  absl::Status BeginRun() {
    absl::Status status = absl::UnknownError("no answer");
    ledger_->Open(kRun, {}, {run::EncodeOpened(opened_)},
                  [&status](absl::StatusOr<ledger::Appended> done) { status = done.status(); });
    ledger_->Flush();
    if (status.ok()) Start({});
    return status;
  }

  // As after a restart, or when a commit has failed.
  absl::Status GoOn() {
    live_.reset();
    ledger_->Flush();
    ledger_->Reset(kRun);
    if (const auto whole = reader_->VerifyRun(kRun); !whole.ok()) return whole;
    auto records = reader_->Records(kRun, 2, 1000, ledger::Reader::Payload::kFetch);
    if (!records.ok()) return records.status();
    Start(*records);
    return absl::OkStatus();
  }

  // The answer, once everything has come to rest; none where the process would be gone.
  std::optional<Answer> Call(const std::string& id, const std::string& tool,
                             const std::string& arguments) {
    auto heard = std::make_shared<Heard>();
    live_->Call({id, tool, arguments}, heard);
    Rest();
    return heard->got;
  }
  void Close() {
    live_->Close("uid:0", "over", false);
    Rest();
  }

  bool fatal() const { return fatal_; }
  bool broken() const { return live_->state().broken(); }
  bool closed() const { return closed_; }

 private:
  void Start(const std::vector<ledger::StoredRecord>& records) {
    Backends backends;
    backends["in"] = std::make_unique<FakeBackend>(run::StopKind::kInProcess, world_, disk_);
    backends["out"] = std::make_unique<FakeBackend>(run::StopKind::kNone, world_, disk_);
    backends["odd"] = std::make_unique<FakeBackend>(run::StopKind::kKillable, world_, disk_);
    live_ = std::make_shared<LiveRun>(
        Surroundings{loop_, inbox_, clock_, *ledger_, *outbox_, *reader_, keys_, searches_},
        opened_, run::PlayGrant(/*finalize_outside=*/true), std::move(backends), "",
        std::string(32, 'k'));
    const absl::Status restored = live_->Restore(records);
    ASSERT_TRUE(restored.ok()) << restored;
    live_->Start([this](const absl::Status& how) { closed_ = how.ok(); });
    Rest();
  }

  void Rest() {
    for (int idle = 0; idle < 2;) {
      ledger_->Flush();
      loop_.restart();
      idle = loop_.poll() == 0 ? idle + 1 : 0;
    }
  }

  static run::Opened MakeOpened() {
    run::Opened opened{.run = kRun, .channel = "unix:t", .seed = "s", .opened_by = "uid:0"};
    opened.opened_at = kTime;
    opened.expires_at = kTime + absl::Hours(1);
    return opened;
  }

  const std::string path_;
  const keys::KeyRing& keys_;
  World& world_;
  const FaultyDisk& disk_;
  const base::FakeClock wall_{kTime};
  base::AdvancingClock clock_;
  const run::Opened opened_ = MakeOpened();
  boost::asio::io_context loop_{1};
  std::unique_ptr<ledger::Ledger> ledger_;
  std::unique_ptr<ledger::Reader> reader_;
  Inbox inbox_{loop_};
  std::optional<Outbox> outbox_;
  CanarySearches searches_;
  std::shared_ptr<LiveRun> live_;
  std::atomic<bool> fatal_{false};
  bool closed_ = false;
};

struct Step {
  const char* tool;
  const char* arguments;
};
constexpr Step kScript[] = {
    {"in.write_it", kWrite},     {"out.write_it", kWrite}, {"out.read_it", kRead},
    {"in.read_it", kRead},       {"odd.write_it", kWrite}, {"out.write_it", R"({"id":"other"})"},
    {"out.finalize_it", kWrite}, {"out.write_it", kWrite}, {"out.finalize_it", kWrite}};

class DiskFailure : public ::testing::TestWithParam<bool> {
 protected:
  // As far as it comes. What a guest was told is on record, it was told `undecided`, or it is the
  // end of the process.
  void PlayScript(FaultyDisk& disk) {
    Life life(path_, *keys_, world_, disk);
    if (!life.Open().ok() || !life.BeginRun().ok()) return;
    int id = 0;
    for (const Step& step : kScript) {
      const auto answer = life.Call(absl::StrCat("c", ++id), step.tool, step.arguments);
      if (life.fatal()) return;
      ASSERT_TRUE(answer.has_value()) << step.tool << " was never answered";
      if (!answer->decision_id.empty()) told_.insert(answer->decision_id);
      EXPECT_EQ(answer->decision_id.empty(), answer->reason == call::Reason::kUndecided);
      if (life.broken() && !life.GoOn().ok()) return;
      if (life.fatal()) return;
    }
    life.Close();
  }

  // The ledger as it is, on a disk that works.
  void Inspect() {
    const auto reader = ledger::Reader::Open(path_);
    if (!reader.ok()) {  // the file was never made whole
      EXPECT_TRUE(told_.empty() && world_.effects.empty()) << reader.status();
      return;
    }
    const auto run = (*reader)->FindRun(kRun);
    if (absl::IsNotFound(run.status())) {
      EXPECT_TRUE(told_.empty() && world_.effects.empty());
      return;
    }
    ASSERT_TRUE(run.ok()) << run.status();
    EXPECT_TRUE((*reader)->VerifyRun(kRun).ok()) << (*reader)->VerifyRun(kRun);
    const auto records = (*reader)->Records(kRun, 1, 1000, ledger::Reader::Payload::kFetch);
    ASSERT_TRUE(records.ok()) << records.status();
    std::set<uint64_t> decided;
    uint64_t submitted = 0;
    for (const ledger::StoredRecord& stored : *records) {
      if (stored.record.kind == RecordKind::kDecided)
        decided.insert(run::DecodeDecided(stored.record)->number);
      if (stored.record.kind == RecordKind::kSubmitting)
        submitted = *run::DecodeStep(stored.record);
    }
    for (const std::string& one : told_) {
      const uint64_t number = std::stoull(one.substr(one.find('#') + 1));
      EXPECT_TRUE(decided.contains(number)) << one << " was told and is not on record";
    }
    for (const uint64_t number : world_.effects) {
      EXPECT_TRUE(decided.contains(number)) << number << " took effect and is not on record";
      EXPECT_TRUE(submitted == 0 || number <= submitted) << number << " acts after the submission";
    }
    EXPECT_EQ(world_.unsynced, 0) << "an effect came before the sync of its decision";
    EXPECT_LE(world_.submissions, 1);
  }

  base::TempFolder folder_;
  const std::unique_ptr<const keys::KeyRing> keys_ =
      keys::KeyRing::OpenOrCreate(folder_.Path("keys")).value();
  std::string path_;
  World world_;
  std::set<std::string> told_;
};

TEST_P(DiskFailure, OfEachOperationEndsInARefusalAndAWholeLedger) {
  const bool from_then_on = GetParam();
  int64_t failed = 0;
  int refused_at = 0;
  for (int64_t number = 1;; ++number) {
    for (const int code : {SQLITE_IOERR_WRITE, SQLITE_FULL}) {
      SCOPED_TRACE(absl::StrCat("operation ", number, " fails with ", code));
      path_ = folder_.Path(absl::StrCat("ledger-", number, "-", code, ".db"));
      world_ = {};
      told_.clear();
      {
        FaultyDisk disk;
        disk.PretendToSync();
        disk.FailOperation(number, code, from_then_on);
        PlayScript(disk);
        failed = disk.operations();
      }
      Inspect();
      refused_at += told_.size() < std::size(kScript) ? 1 : 0;
      // The next life, on a disk that works, goes on and comes to an end.
      FaultyDisk works;
      works.PretendToSync();
      Life life(path_, *keys_, world_, works);
      const absl::Status opened = life.Open();
      ASSERT_TRUE(opened.ok()) << opened;
      if (const auto reader = ledger::Reader::Open(path_); (*reader)->FindRun(kRun).ok()) {
        const bool over = (*reader)->FindRun(kRun)->closed;
        if (!over) {
          ASSERT_TRUE(life.GoOn().ok());
          life.Close();
          EXPECT_TRUE(life.closed());
        }
        Inspect();
      }
      if (HasFailure()) return;
    }
    if (failed < number) {  // the script ends before
      EXPECT_EQ(told_.size(), std::size(kScript)) << "without a failure each call is answered";
      EXPECT_EQ(world_.effects.size(), 4u);
      EXPECT_GT(number, 60) << "the script has as many operations";
      EXPECT_GT(refused_at, 40);
      return;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(EachWay, DiskFailure, ::testing::Bool(),
                         [](const auto& info) { return info.param ? "FromThenOn" : "Once"; });

// The disk becomes full while a call is in flight: its guest gets the result, what came of it is on
// record without the result, and the run is closed.
TEST(FullDisk, LeavesAResultOutAndTheRunIsClosed) {
  const base::TempFolder folder, keys_folder;
  const auto keys = keys::KeyRing::OpenOrCreate(keys_folder.Path("keys")).value();
  FaultyDisk disk;
  disk.PretendToSync();
  disk.LimitFolder(folder.path(), -1);
  World world;
  int shortened = 0;
  const auto options = [&] {
    ledger::LedgerOptions with;
    with.reserve_bytes = 4 << 20;
    with.take_room = [&disk](int fd, uint64_t bytes) { return disk.TakeRoom(fd, bytes); };
    with.shorten = [&shortened](const std::string&, call::Record& record) {
      ++shortened;
      return run::LeaveOutResult(record);
    };
    return with;
  };
  const std::string path = folder.Path("t.db");
  {
    Life life(path, *keys, world, disk);
    ASSERT_TRUE(life.Open(options()).ok());
    ASSERT_TRUE(life.BeginRun().ok());
    world.result = absl::StrCat(R"({"content":[],"structuredContent":{"x":")",
                                std::string(1'000'000, 'y'), R"("}})");
    world.before_answer = [&] { disk.FillFolder(folder.path()); };
    const auto answer = life.Call("c1", "out.write_it", kWrite);
    ASSERT_TRUE(answer.has_value());
    EXPECT_EQ(answer->verdict, call::Verdict::kAllow);
    EXPECT_EQ(answer->result.size(), world.result.size()) << "the guest gets it";
    EXPECT_EQ(shortened, 1);
    EXPECT_FALSE(life.broken());

    const auto again = life.Call("c1", "out.write_it", kWrite);
    ASSERT_TRUE(again.has_value());
    EXPECT_EQ(again->reason, call::Reason::kResultNotKept);
    EXPECT_EQ(world.effects.size(), 1u) << "and it does not act again";
    EXPECT_EQ(life.Call("c2", "out.write_it", kWrite)->reason, call::Reason::kUndecided);
    EXPECT_FALSE(life.broken()) << "what is in flight goes on";
    EXPECT_EQ(world.effects.size(), 1u) << "nothing new begins";
  }
  Life life(path, *keys, world, disk);
  const absl::Status opened = life.Open(options());
  ASSERT_TRUE(opened.ok()) << opened;
  ASSERT_TRUE(life.GoOn().ok());
  const auto restarted = life.Call("c1", "out.write_it", kWrite);
  EXPECT_EQ(restarted->reason, call::Reason::kResultNotKept);
  life.Close();
  EXPECT_TRUE(life.closed());
  const auto reader = ledger::Reader::Open(path);
  EXPECT_TRUE((*reader)->VerifyRun(kRun).ok()) << (*reader)->VerifyRun(kRun);
  const auto records = (*reader)->Records(kRun, 1, 100, ledger::Reader::Payload::kFetch);
  int outcomes = 0;
  for (const ledger::StoredRecord& stored : *records) {
    if (stored.record.kind != RecordKind::kOutcome) continue;
    ++outcomes;
    const auto settled = run::DecodeSettled(stored.record);
    EXPECT_EQ(settled->outcome.kind, call::OutcomeKind::kOk) << "that it took place is on record";
    EXPECT_EQ(settled->result_size, world.result.size());
    EXPECT_EQ(stored.record.payload, "");
  }
  EXPECT_EQ(outcomes, 1);
}

}  // namespace
}  // namespace tipstaff::host
