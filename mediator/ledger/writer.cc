#include "mediator/ledger/writer.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "mediator/base/crash_point.h"
#include "mediator/base/escape.h"
#include "mediator/base/status.h"
#include "mediator/ledger/ending.h"
#include "mediator/ledger/ledger_file.h"

namespace tipstaff::ledger {
namespace {

// A transaction takes at most so much, so that a small append never waits for a long queue.
constexpr size_t kMaxBatch = 256;
constexpr size_t kMaxBatchBytes = 2 << 20;
// The write-ahead log goes into the file once it has this many pages (4 MiB). What is in it and not
// in the file yet must find room there when the disk is full (docs/decisions/0012).
constexpr int kCheckpointPages = 1000;

// How often it is seen whether a disk that was full has room again.
constexpr absl::Duration kLookPause = absl::Seconds(1);

const base::CrashPoint kStaged("ledger: a transaction is staged");
const base::CrashPoint kCommitted("ledger: it is committed, and nobody knows");
const base::CrashPoint kEmptying("ledger: before its log is emptied");
const base::CrashPoint kEmptied("ledger: its log is emptied");

size_t SizeOf(const Request& request) {
  size_t bytes = 0;
  for (const Pinned& pinned : request.pinned) bytes += pinned.bytes.size();
  for (const call::Record& record : request.records) {
    bytes += record.body.size() + record.payload.size();
  }
  return bytes;
}

// What is wrong with a request whatever the ledger holds.
absl::Status CheckRequest(const Request& request) {
  const std::string run = base::EscapeAndCut(request.run, 80);
  const auto invalid = [&](absl::string_view why) {
    return absl::InvalidArgumentError(absl::StrCat("run `", run, "`: ", why));
  };
  if (request.run.empty() || request.run.size() > kMaxRunIdBytes) {
    return invalid(absl::StrCat("its id must have 1 to ", kMaxRunIdBytes, " bytes"));
  }
  // It stands in a line of a checkpoint.
  if (!std::all_of(request.run.begin(), request.run.end(), absl::ascii_isgraph)) {
    return invalid("its id has other than visible ASCII characters");
  }
  if (request.records.empty()) return invalid("an append needs a record");
  for (const call::Record& record : request.records) {
    if (!call::RecordKindFromNumber(static_cast<int>(record.kind))) {
      return invalid(absl::StrCat("there is no record kind ", static_cast<int>(record.kind)));
    }
    if (record.time == absl::InfinitePast() || record.time == absl::InfiniteFuture()) {
      return invalid("a record needs a finite time");
    }
  }
  for (const Pinned& pinned : request.pinned) {
    if (base::DigestOf(pinned.bytes) != pinned.digest) {
      return invalid(
          absl::StrCat("pinned content does not have the digest ", base::ToHex(pinned.digest)));
    }
  }
  return absl::OkStatus();
}

bool Ends(const Request& request) { return !request.opens && EndsSomething(request.records); }

// What must not be written while the room for what ends is not whole.
bool NeedsRoom(const Request& request) {
  return !Ends(request) || NeedsMoreThanIsKept(request.records);
}

// Where the disk is full, in the room that was kept.
absl::StatusOr<std::unique_ptr<Database>> OpenOnReserve(const std::string& path, Reserve& reserve) {
  for (;;) {
    absl::StatusOr<std::unique_ptr<Database>> database = OpenForWriting(path);
    if (!absl::IsResourceExhausted(database.status()) || !reserve.Release()) return database;
  }
}

}  // namespace

absl::StatusOr<std::unique_ptr<Ledger>> Ledger::Open(const std::string& path,
                                                     LedgerOptions options) {
  TIPSTAFF_ASSIGN_OR_RETURN(const std::string resolved, ResolveLedgerPath(path));
  TIPSTAFF_ASSIGN_OR_RETURN(WriterLock lock, WriterLock::Take(resolved));
  TIPSTAFF_ASSIGN_OR_RETURN(
      auto reserve, Reserve::Open(resolved, options.reserve_bytes, std::move(options.take_room)));
  TIPSTAFF_ASSIGN_OR_RETURN(auto database, OpenOnReserve(resolved, *reserve));
  TIPSTAFF_ASSIGN_OR_RETURN(auto store, ChainStore::Open(*database));
  TIPSTAFF_ASSIGN_OR_RETURN(auto checkpoints, Checkpoints::Open(*database, options.sign));
  return std::make_unique<Writer>(resolved, std::move(options), std::move(lock),
                                  std::move(database), std::move(store), std::move(checkpoints),
                                  std::move(reserve));
}

Writer::Writer(std::string path, LedgerOptions options, WriterLock lock,
               std::unique_ptr<Database> database, std::unique_ptr<ChainStore> store,
               std::unique_ptr<Checkpoints> checkpoints, std::unique_ptr<Reserve> reserve)
    : path_(std::move(path)),
      options_(std::move(options)),
      lock_(std::move(lock)),
      database_(std::move(database)),
      store_(std::move(store)),
      checkpoints_(std::move(checkpoints)),
      reserve_(std::move(reserve)),
      full_(!reserve_->HasRoomBeside()),  // takes all of it, before anybody else does
      thread_([this] { Work(); }) {}

Writer::~Writer() {
  {
    const std::lock_guard<std::mutex> guard(mutex_);
    stopping_ = true;
  }
  work_or_stop_.notify_one();
  thread_.join();
}

void Writer::Append(const std::string& run, std::vector<call::Record> records, AppendDone done) {
  std::vector<ToAppend> one;
  one.push_back({run, std::move(records), std::move(done)});
  AppendAll(std::move(one));
}

void Writer::AppendAll(std::vector<ToAppend> appends) {
  std::vector<Request> requests;
  requests.reserve(appends.size());
  for (ToAppend& one : appends) {
    requests.push_back(
        {std::move(one.run), false, {}, std::move(one.records), std::move(one.done)});
  }
  Enqueue(std::move(requests));
}

void Writer::Open(const std::string& run, std::vector<Pinned> pinned,
                  std::vector<call::Record> records, AppendDone done) {
  std::vector<Request> one;
  one.push_back({run, true, std::move(pinned), std::move(records), std::move(done)});
  Enqueue(std::move(one));
}

void Writer::Enqueue(std::vector<Request> requests) {
  for (Request& request : requests) {
    if (absl::Status status = CheckRequest(request); !status.ok()) request.result = status;
  }
  bool due;
  {
    const std::lock_guard<std::mutex> guard(mutex_);
    due = queue_.empty();
    enqueued_ += requests.size();
    queue_.insert(queue_.end(), std::make_move_iterator(requests.begin()),
                  std::make_move_iterator(requests.end()));
  }
  if (due) work_or_stop_.notify_one();
}

void Writer::Reset(const std::string& run) {
  const std::lock_guard<std::mutex> guard(mutex_);
  failed_.erase(run);
}

void Writer::Flush() {
  std::unique_lock<std::mutex> lock(mutex_);
  const uint64_t target = enqueued_;
  progress_.wait(lock, [&] { return finished_ >= target; });
}

void Writer::Work() {
  std::vector<Request> requests;
  for (;;) {
    {
      std::unique_lock<std::mutex> lock(mutex_);
      const auto due = [&] { return !queue_.empty() || stopping_; };
      if (full_) {
        work_or_stop_.wait_for(lock, absl::ToChronoNanoseconds(kLookPause), due);
      } else {
        work_or_stop_.wait(lock, due);
      }
      if (queue_.empty() && stopping_) break;
      requests.swap(queue_);
    }
    LookForRoom();
    absl::Span<Request> rest = absl::MakeSpan(requests);
    while (!rest.empty()) {
      size_t count = 0;
      size_t bytes = 0;
      while (count < rest.size() && count < kMaxBatch && bytes < kMaxBatchBytes) {
        bytes += SizeOf(rest[count++]);
      }
      Process(rest.first(count));
      rest.remove_prefix(count);
    }
    requests.clear();
  }
  AddLastCheckpoint();
}

void Writer::AddLastCheckpoint() {
  if (!broken_.ok() || !checkpoints_->behind()) return;
  absl::Status status;
  do {
    status = store_->Begin();
    if (status.ok()) status = checkpoints_->AddIfDue(/*anyway=*/true);
    if (status.ok()) status = store_->Commit();
    // What is on record is on record; the next start makes up for it.
    if (!status.ok() && !store_->RollBack().ok()) return;
    if (!status.ok()) checkpoints_->RolledBack();
  } while (absl::IsResourceExhausted(status) && MakeRoom(status).ok());
}

void Writer::Process(absl::Span<Request> requests) {
  absl::Status status = CommitTogether(requests);
  if (!status.ok() && !absl::IsDataLoss(status) && !absl::IsUnavailable(status)) {
    // One that does not fit must not take the others with it.
    for (Request& request : requests) {
      if (request.result) continue;
      status = CommitAlone(request);
      if (absl::IsDataLoss(status)) break;
      if (!status.ok()) Refuse(request, status);
    }
  }
  if (absl::IsDataLoss(status)) Break(status);
  for (Request& request : requests) {
    if (!request.result) Refuse(request, status);
  }
  NoteRoom(requests);
  for (Request& request : requests) {
    if (request.done) std::move(request.done)(*std::move(request.result));
  }
  {
    const std::lock_guard<std::mutex> guard(mutex_);
    finished_ += requests.size();
  }
  progress_.notify_all();
  EmptyLogWhenDue();
}

void Writer::NoteRoom(absl::Span<const Request> requests) {
  if (options_.reserve_bytes == 0) return;
  const bool full =
      reserve_->held() < options_.reserve_bytes ||
      std::any_of(requests.begin(), requests.end(), [](const Request& request) {
        return NeedsRoom(request) && absl::IsResourceExhausted(request.result->status());
      });
  if (!full || full_.exchange(true)) return;
  next_look_ = absl::Now() + kLookPause;
}

void Writer::LookForRoom() {
  if (!full_ || absl::Now() < next_look_) return;
  next_look_ = absl::Now() + kLookPause;
  full_ = !reserve_->HasRoomBeside();
}

absl::Status Writer::CommitAlone(Request& request) {
  absl::Status status = CommitTogether(absl::MakeSpan(&request, 1));
  if (!absl::IsResourceExhausted(status) || !Ends(request)) return status;
  Shorten(request);
  for (;;) {
    status = Commit(absl::MakeSpan(&request, 1));
    if (!absl::IsResourceExhausted(status)) return status;
    TIPSTAFF_RETURN_IF_ERROR(MakeRoom(status));
  }
}

void Writer::Shorten(Request& request) {
  if (!options_.shorten || !NeedsMoreThanIsKept(request.records)) return;
  for (call::Record& record : request.records) options_.shorten(request.run, record);
}

absl::Status Writer::MakeRoom(const absl::Status& full) {
  // A log that can be begun anew has room in itself.
  const bool large = database_->wal_pages() >= kCheckpointPages;
  if (!large && reserve_->Release()) return absl::OkStatus();
  if (database_->wal_pages() > 0) {
    const absl::Status emptied = EmptyLogOnReserve();
    if (absl::IsDataLoss(emptied)) return emptied;
    if (database_->wal_pages() == 0) return absl::OkStatus();
  }
  return reserve_->Release() ? absl::OkStatus() : full;
}

absl::Status Writer::CommitTogether(absl::Span<Request> requests) {
  if (!broken_.ok()) return broken_;
  if (std::any_of(requests.begin(), requests.end(), NeedsRoom)) {
    TIPSTAFF_RETURN_IF_ERROR(reserve_->Hold());
  }
  return Commit(requests);
}

absl::Status Writer::Commit(absl::Span<Request> requests) {
  if (!database_->StillThere()) {
    return absl::DataLossError(
        absl::StrCat("ledger `", path_, "` was moved or removed while it was in use"));
  }
  std::vector<std::optional<Appended>> staged(requests.size());
  absl::Status status = store_->Begin();
  for (size_t i = 0; i < requests.size() && status.ok(); ++i)
    status = Stage(requests[i], staged[i]);
  if (status.ok()) status = checkpoints_->AddIfDue();
  kStaged.Pass();
  if (status.ok()) status = store_->Commit();
  kCommitted.Pass();
  if (!status.ok()) {
    checkpoints_->RolledBack();
    const absl::Status rolled_back = store_->RollBack();
    return rolled_back.ok() ? status : absl::DataLossError(rolled_back.message());
  }
  checkpoints_->Committed();
  for (size_t i = 0; i < requests.size(); ++i) {
    if (staged[i]) requests[i].result = *staged[i];
  }
  return absl::OkStatus();
}

absl::Status Writer::Stage(Request& request, std::optional<Appended>& staged) {
  if (request.result) {
    if (!request.result->ok()) Refuse(request, request.result->status());
    return absl::OkStatus();
  }
  const std::string& run = request.run;
  if (HasFailed(run)) {
    Refuse(request, absl::AbortedError(absl::StrCat(
                        "run `", run, "`: an earlier append failed, nothing follows it")));
    return absl::OkStatus();
  }
  TIPSTAFF_ASSIGN_OR_RETURN(std::optional<Head> head, store_->FindHead(run));
  if (head.has_value() == request.opens) {
    Refuse(request, request.opens
                        ? absl::AlreadyExistsError(absl::StrCat("run `", run, "` is there already"))
                        : absl::NotFoundError(absl::StrCat("run `", run, "` was never opened")));
    return absl::OkStatus();
  }
  if (request.opens) {
    for (const Pinned& pinned : request.pinned) {
      TIPSTAFF_RETURN_IF_ERROR(store_->AddPinned(pinned));
    }
    TIPSTAFF_ASSIGN_OR_RETURN(head, store_->AddRun(run));
  }
  TIPSTAFF_ASSIGN_OR_RETURN(staged, store_->AddRecords(run, *head, request.records));
  TIPSTAFF_ASSIGN_OR_RETURN(head, store_->FindHead(run));
  const call::Record& last = request.records.back();
  checkpoints_->Stage({run, head->seq, head->hash}, last.kind == call::RecordKind::kClosed,
                      last.time);
  return absl::OkStatus();
}

void Writer::Refuse(Request& request, absl::Status why) {
  request.result = std::move(why);
  const std::lock_guard<std::mutex> guard(mutex_);
  failed_.insert(request.run);
}

bool Writer::HasFailed(const std::string& run) {
  const std::lock_guard<std::mutex> guard(mutex_);
  return failed_.contains(run);
}

void Writer::EmptyLogWhenDue() {
  // After the `done`s, so that nobody waits for it who need not.
  if (!broken_.ok() || database_->wal_pages() < kCheckpointPages) return;
  kEmptying.Pass();
  const absl::Status status = database_->Checkpoint();
  kEmptied.Pass();
  // Short of space, or a lock held by somebody else: the log grows on until it succeeds.
  if (absl::IsDataLoss(status)) Break(status);
}

absl::Status Writer::EmptyLogOnReserve() {
  absl::Status status = database_->Checkpoint();
  if (!absl::IsResourceExhausted(status)) return status;
  TIPSTAFF_ASSIGN_OR_RETURN(const uint64_t growth, database_->GrowthByCheckpoint());
  // Half of it would be of no use.
  if (growth > reserve_->held() || !reserve_->Release(growth)) return status;
  return database_->Checkpoint();
}

void Writer::Break(const absl::Status& why) {
  if (!broken_.ok()) return;
  broken_ = why;
  if (options_.on_fatal) {
    std::move(options_.on_fatal)(why);
    return;
  }
  // After a failed sync the kernel may have dropped the pages: what is on the disk is known only
  // after reading it again, which is what a restart does.
  std::fprintf(stderr, "tipstaff: %s; stopping, as the record can no longer be kept\n",
               std::string(why.message()).c_str());
  std::abort();
}

}  // namespace tipstaff::ledger
