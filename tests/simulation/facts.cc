#include "tests/simulation/facts.h"

#include "absl/strings/str_cat.h"

namespace tipstaff::simulation {

using call::Effect;
using call::RecordKind;
using run::Resolution;

void Facts::ReadOn(const std::vector<call::Record>& records) {
  for (; read_ < records.size(); ++read_) Take(records[read_]);
}

void Facts::TakeDecided(const run::Decided& call) {
  ids_[call.number] = call.call_id;
  const bool allowed = call.decision.verdict == call::Verdict::kAllow && call.same_as == 0;
  if (!allowed) return;
  if (!call.call_id.empty()) {
    findings_.Expect(acting_.insert(call.call_id).second,
                     absl::StrCat("the call id `", call.call_id, "` acts twice"));
  }
  if (call.decision.effect == Effect::kRead) {
    reads_.insert(call.number);
    return;
  }
  findings_.Expect(result_open_,
                   absl::StrCat("promise 2: call ", call.number, " is let in after the result"));
  findings_.Expect(!ended_, absl::StrCat("call ", call.number, " is let in after the run's end"));
}

void Facts::TakeAccepted() {
  findings_.Expect(++accepted_ == 1, "promise 3: a second accepted result");
}

void Facts::TakeEnd() {
  findings_.Expect(!ended_, "a second end of the run");
  ended_ = true;
}

void Facts::Take(const call::Record& record) {
  findings_.Trace([&] { return absl::StrCat("  durable: ", call::RecordKindName(record.kind)); });
  switch (record.kind) {
    case RecordKind::kDecided:
      return TakeDecided(*run::DecodeDecided(record));
    case RecordKind::kOutcome:
      outcomes_.insert(run::DecodeSettled(record)->number);
      return;
    case RecordKind::kSealing:
      result_open_ = false;
      return;
    case RecordKind::kSubmitting:
      findings_.Expect(!barred_, "promise 3: a second submission");
      barred_ = true;
      return;
    case RecordKind::kAccepted:
      return TakeAccepted();
    case RecordKind::kUnknown:
      unknown_ = true;
      return;
    case RecordKind::kRefused:
      refused_for_good_ = unknown_;
      barred_ = unknown_;
      result_open_ = !unknown_;
      return;
    case RecordKind::kResolved: {
      const Resolution as = run::DecodeResolved(record)->as;
      result_open_ = as == Resolution::kOver;
      if (as == Resolution::kAccepted) TakeAccepted();
      return;
    }
    case RecordKind::kExpired:
    case RecordKind::kRevoked:
    case RecordKind::kClosing:
      return TakeEnd();
    default:
      return;
  }
}

}  // namespace tipstaff::simulation
