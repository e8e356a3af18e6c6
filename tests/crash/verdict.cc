#include "tests/crash/verdict.h"

#include <set>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "mediator/base/status.h"
#include "mediator/run/records.h"

namespace tipstaff::crash {
namespace {

using harness::Entry;

constexpr size_t kRecordsAtOnce = 1000;
constexpr char kAskingPermission[] = "post-approved";  // of asked-outside

class Judging {
 public:
  Judging(const Decisions& decisions, const std::vector<Entry>& account)
      : decisions_(decisions), account_(account) {}

  void JudgeAccount() {
    for (const Entry& entry : account_) {
      JudgeDecided(entry);
      entry.finalizes ? JudgeResult(entry) : JudgeWrite(entry);
    }
  }

  void JudgeAcknowledged(const Acknowledged& one) {
    const Decision* decision = Find(one.number);
    if (decision == nullptr) return Broken(one.number, "was acknowledged and is missing");
    if (one.approved) {
      if (!decision->approved) Broken(one.number, "was approved, which is not on record");
      return;
    }
    if (decision->reason != one.reason) {
      Broken(one.number, absl::StrCat("was acknowledged as ", one.reason, " and is on record as ",
                                      decision->reason));
    }
    // A read's outcome may follow its answer.
    const bool acted = decision->allowed && decision->effect != call::Effect::kRead;
    if (acted && one.ok && !decision->outcome) {
      Broken(one.number, "was acknowledged as done and has no outcome");
    }
  }

  // Of tools that keep an account.
  void JudgeOutcomes() {
    std::set<uint64_t> took_effect;
    for (const Entry& entry : account_) {
      if (entry.what == Entry::What::kEffect) took_effect.insert(entry.call);
    }
    for (const auto& [number, decision] : decisions_) {
      const bool keeps =
          absl::EndsWith(decision.tool, ".post") || absl::EndsWith(decision.tool, ".submit");
      if (keeps && decision.outcome == call::OutcomeKind::kOk && !took_effect.contains(number)) {
        Broken(number, "is ok on record and never took effect");
      }
    }
  }

  void JudgeApprovals() {
    std::set<uint64_t> used;
    for (const auto& [number, decision] : decisions_) {
      if (!decision.asks || !decision.allowed) continue;
      const Decision* held = Find(decision.uses);
      if (held == nullptr || !held->approved) {
        Broken(number, "used an approval that nobody gave");
      } else if (!used.insert(decision.uses).second) {
        Broken(number, absl::StrCat("used the approval of call ", decision.uses, " again"));
      }
    }
  }

  std::vector<std::string> Take() { return std::move(broken_); }

 private:
  const Decision* Find(uint64_t number) const {
    const auto it = decisions_.find(number);
    return it == decisions_.end() ? nullptr : &it->second;
  }
  void Broken(uint64_t number, absl::string_view how) {
    broken_.push_back(absl::StrCat("call ", number, " ", how));
  }

  void JudgeDecided(const Entry& entry) {
    const Decision* decision = Find(entry.call);
    const char* what = entry.what == Entry::What::kEffect ? "took effect" : "was sent";
    if (decision == nullptr || !decision->allowed) {
      Broken(entry.call, absl::StrCat(what, " without a decision"));
    } else if (!absl::EndsWith(decision->tool, absl::StrCat(".", entry.tool))) {
      Broken(entry.call,
             absl::StrCat(what, " as `", entry.tool, "`, decided as `", decision->tool, "`"));
    }
  }

  void JudgeWrite(const Entry& entry) {
    if (entry.what == Entry::What::kEffect && !submitted_.empty()) {
      Broken(entry.call, "took effect after a result was sent");
    }
    if (entry.what == Entry::What::kAsked && !sent_.insert(entry.call).second) {
      Broken(entry.call, "was sent twice");
    }
  }

  void JudgeResult(const Entry& entry) {
    switch (entry.what) {
      case Entry::What::kAsked:
        if (!submitted_.empty() && submitted_ != entry.key) {
          Broken(entry.call, "is a result that was sent while an earlier one may be accepted");
        }
        submitted_ = entry.key;
        break;
      case Entry::What::kRefused:
        submitted_.clear();
        break;
      case Entry::What::kEffect:
        accepted_.insert(entry.key);
        if (accepted_.size() > 1) Broken(entry.call, "is a second accepted result");
        break;
    }
  }

  const Decisions& decisions_;
  const std::vector<Entry>& account_;
  std::vector<std::string> broken_;
  std::set<uint64_t> sent_;
  std::string submitted_;  // the key of a result that may be accepted, "" for none
  std::set<std::string> accepted_;
};

absl::Status Take(const call::Record& record, Decisions& decisions) {
  if (record.kind == call::RecordKind::kDecided) {
    TIPSTAFF_ASSIGN_OR_RETURN(const run::Decided decided, run::DecodeDecided(record));
    const call::Decision& decision = decided.decision;
    const bool is_new =
        decisions
            .emplace(decided.number,
                     Decision{.tool = decided.tool,
                              .allowed = decision.verdict == call::Verdict::kAllow,
                              .reason = std::string(call::ReasonName(decision.reason)),
                              .effect = decision.effect,
                              .asks = decision.permission == kAskingPermission,
                              .uses = decided.approval})
            .second;
    if (!is_new) return absl::DataLossError(absl::StrCat("call ", decided.number, " twice"));
    // A second finalize gets the receipt of the first one.
    if (decided.same_as != 0) decisions[decided.number].outcome = call::OutcomeKind::kCancelled;
  } else if (record.kind == call::RecordKind::kOutcome) {
    TIPSTAFF_ASSIGN_OR_RETURN(const run::Settled settled, run::DecodeSettled(record));
    decisions[settled.number].outcome = settled.outcome.kind;
  } else if (record.kind == call::RecordKind::kApproval) {
    TIPSTAFF_ASSIGN_OR_RETURN(const run::Approval approval, run::DecodeApproval(record));
    decisions[approval.number].approved = approval.approved;
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Decisions> DecisionsOf(ledger::Reader& reader, const std::string& run) {
  TIPSTAFF_RETURN_IF_ERROR(reader.VerifyRun(run));
  Decisions decisions;
  for (uint64_t next = 1;;) {
    TIPSTAFF_ASSIGN_OR_RETURN(
        const std::vector<ledger::StoredRecord> page,
        reader.Records(run, next, kRecordsAtOnce, ledger::Reader::Payload::kLeave));
    if (page.empty()) return decisions;
    for (const ledger::StoredRecord& stored : page) {
      TIPSTAFF_RETURN_IF_ERROR(Take(stored.record, decisions));
    }
    next = page.back().seq + 1;
  }
}

std::vector<std::string> Judge(const Decisions& decisions,
                               const std::vector<harness::Entry>& account,
                               const std::vector<Acknowledged>& acknowledged) {
  Judging judging(decisions, account);
  judging.JudgeAccount();
  judging.JudgeOutcomes();
  judging.JudgeApprovals();
  for (const Acknowledged& one : acknowledged) judging.JudgeAcknowledged(one);
  return judging.Take();
}

}  // namespace tipstaff::crash
