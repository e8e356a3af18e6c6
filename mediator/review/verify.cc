#include "mediator/review/verify.h"

#include <algorithm>
#include <map>
#include <set>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "mediator/base/note_text.h"
#include "mediator/base/status.h"
#include "mediator/keys/signed_note.h"
#include "mediator/ledger/checkpoint.h"
#include "mediator/run/records.h"

namespace tipstaff::review {
namespace {

constexpr size_t kNotesAtOnce = 256;

// What a checkpoint says of a run: its hash at a count of records.
struct Witness {
  std::string name;  // "checkpoint 3"
  base::Digest head;
};

class Verifying {
 public:
  Verifying(ledger::Reader& reader, const VerifyRequest& request)
      : reader_(reader), request_(request) {}

  absl::StatusOr<Verification> Run() && {
    TIPSTAFF_ASSIGN_OR_RETURN(identity_, reader_.Identity());
    TIPSTAFF_RETURN_IF_ERROR(ReadCheckpoints());
    if (request_.outside.has_value()) TIPSTAFF_RETURN_IF_ERROR(TakeOutside(*request_.outside));
    std::vector<ledger::StoredRun> runs;
    if (request_.run.empty()) {
      TIPSTAFF_ASSIGN_OR_RETURN(runs, reader_.Runs());
    } else {
      TIPSTAFF_ASSIGN_OR_RETURN(const ledger::StoredRun one, reader_.FindRun(request_.run));
      runs.push_back(one);
    }
    for (const ledger::StoredRun& run : runs) TIPSTAFF_RETURN_IF_ERROR(LookAt(run));
    if (request_.run.empty()) LookAtAll(runs);
    result_.signers.assign(signers_.begin(), signers_.end());
    return std::move(result_);
  }

 private:
  void Damage(std::string what) { result_.damage.push_back(std::move(what)); }
  void Unknown(std::string what) { result_.unknown.push_back(std::move(what)); }

  const keys::PublicKey* Trusted(absl::string_view kid) const {
    for (const keys::KnownKey& one : request_.trust) {
      if (one.kid == kid) return &one.key;
    }
    return nullptr;
  }

  absl::StatusOr<keys::VerifiedNote> VerifyNote(const std::string& note) const {
    return keys::VerifyNote(note, [this](absl::string_view kid) { return Trusted(kid); });
  }

  absl::Status ReadCheckpoints() {
    for (uint64_t next = 1;;) {
      TIPSTAFF_ASSIGN_OR_RETURN(const std::vector<ledger::StoredCheckpoint> notes,
                                reader_.Checkpoints(next, kNotesAtOnce));
      if (notes.empty()) return absl::OkStatus();
      for (const ledger::StoredCheckpoint& one : notes) Take(one);
      next = notes.back().number + 1;
    }
  }

  void Take(const ledger::StoredCheckpoint& stored) {
    const std::string name = absl::StrCat("checkpoint ", stored.number);
    if (stored.number != last_number_ + 1) {
      Damage(absl::StrCat("checkpoint ", last_number_ + 1, " is missing"));
      previous_known_ = heads_known_ = false;
    }
    last_number_ = stored.number;
    ++result_.checkpoints;
    const absl::StatusOr<keys::VerifiedNote> verified = VerifyNote(stored.note);
    if (absl::IsNotFound(verified.status())) {
      unvouched_.insert(std::string(verified.status().message()));
      // What it says does not count, but whether it is the one that the next followed does.
      previous_ = base::DigestOf(base::TextOfNote(stored.note));
      previous_known_ = true;
      heads_known_ = false;
      return;
    }
    if (!verified.ok()) {
      previous_known_ = heads_known_ = false;
      return Damage(absl::StrCat(name, ": ", verified.status().message()));
    }
    const absl::StatusOr<ledger::Checkpoint> read = ledger::ParseCheckpoint(verified->text);
    if (!read.ok()) return Damage(absl::StrCat(name, ": ", read.status().message()));
    signers_.insert(verified->kid);
    Compare(name, *read, verified->text);
  }

  void Compare(const std::string& name, const ledger::Checkpoint& checkpoint,
               const std::string& text) {
    if (checkpoint.ledger != identity_) {
      return Damage(absl::StrCat(name, ": it is of another ledger"));
    }
    if (checkpoint.number != last_number_) {
      return Damage(absl::StrCat(name, ": it was signed as number ", checkpoint.number));
    }
    if (previous_known_ && checkpoint.previous != previous_) {
      Damage(absl::StrCat(name, ": the checkpoint before it is not the one that it followed"));
    }
    previous_ = base::DigestOf(text);
    previous_known_ = true;
    AddWitnesses(name, checkpoint);
    if (heads_known_ && (heads_.size() != checkpoint.runs || heads_.Digest() != checkpoint.state)) {
      Damage(absl::StrCat(name, ": the heads of all runs are not what it was signed over"));
    }
  }

  void AddWitnesses(const std::string& name, const ledger::Checkpoint& checkpoint) {
    for (const ledger::RunHead& head : checkpoint.changed) {
      heads_.Set(head);
      AddWitness(name, head);
    }
  }

  void AddWitness(const std::string& name, const ledger::RunHead& head) {
    witnesses_[head.run].emplace(head.records, Witness{name, head.head});
  }

  absl::Status TakeOutside(const std::string& note) {
    const std::string name = "the checkpoint from elsewhere";
    const absl::StatusOr<keys::VerifiedNote> verified = VerifyNote(note);
    if (absl::IsNotFound(verified.status())) {
      Unknown(absl::StrCat(name, ": ", verified.status().message()));
      return absl::OkStatus();
    }
    TIPSTAFF_RETURN_IF_ERROR(verified.status());
    TIPSTAFF_ASSIGN_OR_RETURN(const ledger::Checkpoint outside,
                              ledger::ParseCheckpoint(verified->text));
    if (outside.ledger != identity_) {
      Damage(absl::StrCat(name, ": it is of another ledger"));
      return absl::OkStatus();
    }
    // It may be an older one: what it says of heads is history.
    for (const ledger::RunHead& head : outside.changed) AddWitness(name, head);
    TIPSTAFF_ASSIGN_OR_RETURN(const std::vector<ledger::StoredCheckpoint> here,
                              reader_.Checkpoints(outside.number, 1));
    const bool same = !here.empty() && here[0].number == outside.number &&
                      absl::StartsWith(here[0].note, absl::StrCat(verified->text, "\n"));
    if (!same) {
      Damage(absl::StrCat(name, ": the ledger does not have it as number ", outside.number));
    }
    result_.outside = same;
    return absl::OkStatus();
  }

  absl::Status LookAt(const ledger::StoredRun& run) {
    ++result_.runs;
    const std::string name = absl::StrCat("run `", base::EscapeAndCut(run.run, 80), "`");
    const absl::Status chain = reader_.VerifyRun(run.run);
    if (absl::IsDataLoss(chain)) {
      Damage(std::string(chain.message()));
      return absl::OkStatus();
    }
    TIPSTAFF_RETURN_IF_ERROR(chain);
    result_.records += run.records;
    TIPSTAFF_RETURN_IF_ERROR(LookAtPinned(run.run));
    TIPSTAFF_RETURN_IF_ERROR(AskWitnesses(run, name));
    if (!run.closed) {
      Unknown(absl::StrCat(name, " is open: what comes of it is not on record yet"));
      return absl::OkStatus();
    }
    ++result_.closed;
    const ledger::RunHead* covered = heads_.Find(run.run);
    if (covered == nullptr || covered->records != run.records) {
      Unknown(absl::StrCat(name, ": no checkpoint that counts covers its end"));
    }
    return absl::OkStatus();
  }

  // The files that decided.
  absl::Status LookAtPinned(const std::string& run) {
    TIPSTAFF_ASSIGN_OR_RETURN(const ledger::StoredRecord first, reader_.Record(run, 1));
    const absl::StatusOr<run::Opened> opened = run::DecodeOpened(first.record);
    if (!opened.ok()) return absl::OkStatus();  // whole, and of another program
    std::vector<run::PinnedFile> files = {opened->config};
    for (const run::PinnedSkill& skill : opened->skills) files.push_back(skill.file);
    for (const run::PinnedStub& stub : opened->stubs) {
      files.insert(files.end(), stub.files.begin(), stub.files.end());
    }
    for (const run::PinnedTestSystem& system : opened->test_systems) files.push_back(system.tools);
    for (const run::PinnedFile& file : files) {
      const std::optional<base::Digest> digest = base::DigestFromHex(file.digest);
      if (!digest) continue;  // defaults had no file
      const absl::Status content = reader_.PinnedContent(*digest).status();
      if (content.ok()) continue;
      if (!absl::IsDataLoss(content) && !absl::IsNotFound(content)) return content;
      Damage(absl::StrCat("run `", base::EscapeAndCut(run, 80), "` record 1: ", content.message()));
    }
    return absl::OkStatus();
  }

  absl::Status AskWitnesses(const ledger::StoredRun& run, const std::string& name) {
    const auto known = witnesses_.find(run.run);
    if (known == witnesses_.end()) return absl::OkStatus();
    for (const auto& [count, witness] : known->second) {
      if (count > run.records) {
        Damage(absl::StrCat(name, " record ", run.records + 1, " is missing: ", witness.name,
                            " was signed over ", count, " records"));
        return absl::OkStatus();
      }
      TIPSTAFF_ASSIGN_OR_RETURN(
          const std::vector<ledger::StoredRecord> record,
          reader_.Records(run.run, count, 1, ledger::Reader::Payload::kLeave));
      if (record.empty() || record[0].hash != witness.head) {
        Damage(absl::StrCat(name, " record ", count, ": it, or one before it, is not what ",
                            witness.name, " was signed over"));
        return absl::OkStatus();
      }
    }
    return absl::OkStatus();
  }

  void LookAtAll(const std::vector<ledger::StoredRun>& runs) {
    std::set<std::string> there;
    std::vector<std::string> order, signed_order;
    for (const ledger::StoredRun& run : runs) {
      there.insert(run.run);
      if (heads_.Find(run.run) != nullptr) order.push_back(run.run);
    }
    for (const ledger::RunHead& head : heads_.all()) {
      if (there.contains(head.run)) signed_order.push_back(head.run);
    }
    if (heads_known_ && order != signed_order) {
      Damage("the runs are not in the order of opening that was signed");
    }
    for (const auto& [run, by_count] : witnesses_) {
      if (there.contains(run)) continue;
      Damage(absl::StrCat("run `", base::EscapeAndCut(run, 80),
                          "` is missing: ", by_count.begin()->second.name, " was signed over it"));
    }
    for (const std::string& what : unvouched_) Unknown(absl::StrCat("checkpoints: ", what));
  }

  ledger::Reader& reader_;
  const VerifyRequest& request_;
  std::string identity_;
  Verification result_;
  std::set<std::string> signers_, unvouched_;
  uint64_t last_number_ = 0;
  base::Digest previous_ = {};  // of the text of the checkpoint before
  bool previous_known_ = true;
  bool heads_known_ = true;  // all checkpoints so far count, so that heads_ has every run
  ledger::Heads heads_;
  std::map<std::string, std::map<uint64_t, Witness>> witnesses_;  // by run and count
};

}  // namespace

absl::StatusOr<Verification> Verify(ledger::Reader& reader, const VerifyRequest& request) {
  return Verifying(reader, request).Run();
}

}  // namespace tipstaff::review
