#include "mediator/cli/redecide.h"

#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "mediator/base/status.h"
#include "mediator/cli/pinned_run.h"
#include "mediator/json/parse.h"
#include "mediator/run/usage.h"

namespace tipstaff::cli {
namespace {

constexpr size_t kRecordsAtOnce = 512;

// What the run had used when the call came: the records before its own, in their order.
class Past {
 public:
  explicit Past(const policy::Grant& grant)
      : grant_(grant), usage_(grant.permission_count(), grant.limits_rate()) {}

  // False at the decision `number`: it and what follows does not count.
  absl::StatusOr<bool> Take(const call::Record& record, uint64_t number) {
    if (record.kind == call::RecordKind::kDecided) {
      TIPSTAFF_ASSIGN_OR_RETURN(const run::Decided decided, run::DecodeDecided(record));
      if (decided.number == number) {
        usage_.Advance(decided.time);
        return false;
      }
      if (decided.decision.verdict != call::Verdict::kAllow || decided.same_as != 0) return true;
      const int permission =
          grant_.PermissionIndex(decided.decision.skill, decided.decision.permission);
      permissions_[decided.number] = permission;
      usage_.Allowed(permission, decided.arguments_size, decided.time);
    } else if (record.kind == call::RecordKind::kOutcome) {
      TIPSTAFF_ASSIGN_OR_RETURN(const run::Settled settled, run::DecodeSettled(record));
      const auto made = permissions_.find(settled.number);
      if (made == permissions_.end()) return true;
      usage_.Settled(made->second, settled.outcome.kind == call::OutcomeKind::kOk,
                     settled.result_size);
    }
    return true;
  }

  const policy::RunFacts& facts() const { return usage_.facts(); }

 private:
  const policy::Grant& grant_;
  run::Usage usage_;
  std::map<uint64_t, int> permissions_;  // of allowed calls, by number
};

absl::StatusOr<policy::RunFacts> FactsBefore(ledger::Reader& reader, const review::DecisionId& id,
                                             const policy::Grant& grant) {
  Past past(grant);
  for (uint64_t next = 2;;) {
    TIPSTAFF_ASSIGN_OR_RETURN(
        const std::vector<ledger::StoredRecord> page,
        reader.Records(id.run, next, kRecordsAtOnce, ledger::Reader::Payload::kLeave));
    if (page.empty()) return past.facts();
    for (const ledger::StoredRecord& stored : page) {
      TIPSTAFF_ASSIGN_OR_RETURN(const bool before, past.Take(stored.record, id.number));
      if (!before) return past.facts();
    }
    next = page.back().seq + 1;
  }
}

}  // namespace

absl::StatusOr<Redecided> Redecide(ledger::Reader& reader, const review::DecisionId& id) {
  Redecided result;
  TIPSTAFF_ASSIGN_OR_RETURN(result.row, review::FindRow(reader, id));
  const run::Decided& decided = result.row.decided;
  if (decided.decision.reason == call::Reason::kMalformed) {
    return absl::FailedPreconditionError(
        absl::StrCat("`", result.row.id(), "` was no call: ", decided.decision.detail));
  }
  if (!decided.withheld.empty()) {
    return absl::FailedPreconditionError(
        absl::StrCat("`", result.row.id(), "` cannot be decided again: sensitive values are not ",
                     "kept; see `tipstaff show`"));
  }
  if (decided.arguments.size() != decided.arguments_size) {
    return absl::FailedPreconditionError(
        absl::StrCat("`", result.row.id(), "`: of a refused call's ", decided.arguments_size,
                     " bytes of arguments the ledger keeps the first ", decided.arguments.size(),
                     ", so it cannot be decided again; see `tipstaff show`"));
  }
  TIPSTAFF_ASSIGN_OR_RETURN(const PinnedRun pinned, ReadPinnedRun(reader, id.run));
  result.grant = pinned.granted.grant;
  TIPSTAFF_ASSIGN_OR_RETURN(const policy::RunFacts facts, FactsBefore(reader, id, *result.grant));
  TIPSTAFF_ASSIGN_OR_RETURN(json::Document arguments, json::Parse(decided.arguments));
  const call::Call call{decided.call_id, decided.tool, std::move(arguments), decided.arguments};
  result.trace = policy::Explain(*result.grant, facts, call);
  return result;
}

}  // namespace tipstaff::cli
