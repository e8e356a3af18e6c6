// Decisions with their outcomes, in the order in which they were recorded.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "mediator/ledger/ledger.h"
#include "mediator/run/records.h"

namespace tipstaff::review {

// What became of a result, one record: sealing, submitting, dispatched, accepted, ...; or of a call
// that is held: what a person said.
struct Step {
  call::RecordKind kind = call::RecordKind::kSealing;
  absl::Time time;
  std::optional<run::Resolved> resolved = {};  // what a person said
  std::optional<run::Approval> approval = {};  // the same, of a held call
};

struct Row {
  std::string run;
  run::Decided decided;                 // its arguments only when payloads were asked for
  std::optional<run::Settled> settled;  // the last outcome, where a result was delivered again
  std::vector<Step> steps = {};         // of a finalize, or a held call
  std::string id() const;               // "run_...#7"
};

// "run_...#7" as run and number; nothing when it is not one.
struct DecisionId {
  std::string run;
  uint64_t number = 0;
};
std::optional<DecisionId> ParseDecisionId(absl::string_view text);

// Reads a ledger page by page, so that the first rows come at once however long it is.
class Timeline {
 public:
  // `reader` outlives this. `run` "" means all runs.
  Timeline(ledger::Reader& reader, std::string run, ledger::Reader::Payload payload);

  // The next rows; empty at the end. A decision's outcome and steps are found when they stand
  // within one page after the decision; later ones are left out (the call then shows as in flight).
  absl::StatusOr<std::vector<Row>> Next();

 private:
  absl::Status ReadPage();
  absl::Status Take(const ledger::StoredRecord& stored);

  ledger::Reader& reader_;
  const std::string run_;
  const ledger::Reader::Payload payload_;
  uint64_t next_ = 1;  // seq or position
  bool at_end_ = false;
  std::deque<Row> rows_;
  size_t complete_ = 0;  // rows of the page before the last one read
};

// One decision with all that followed, and payloads. NotFound.
absl::StatusOr<Row> FindRow(ledger::Reader& reader, const DecisionId& id);

}  // namespace tipstaff::review
