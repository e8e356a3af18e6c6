#include "mediator/ledger/ending.h"

#include <algorithm>

namespace tipstaff::ledger {
namespace {

using call::Record;
using call::RecordKind;

bool EndsRun(const Record& record) {
  switch (record.kind) {
    case RecordKind::kExpired:
    case RecordKind::kRevoked:
    case RecordKind::kClosing:
    case RecordKind::kCleaned:
    case RecordKind::kClosed:
      return true;
    default:
      return false;
  }
}

bool IsOfWhatHasBegun(const Record& record) {
  switch (record.kind) {
    case RecordKind::kDispatched:  // of a decision that is on record
    case RecordKind::kOutcome:
    case RecordKind::kAccepted:
    case RecordKind::kRefused:
    case RecordKind::kUnknown:
    case RecordKind::kHeld:
    case RecordKind::kResolved:
      return true;
    default:
      return EndsRun(record);
  }
}

}  // namespace

bool EndsSomething(absl::Span<const Record> records) {
  return std::all_of(records.begin(), records.end(), IsOfWhatHasBegun);
}

bool NeedsMoreThanIsKept(absl::Span<const Record> records) {
  if (std::any_of(records.begin(), records.end(), EndsRun)) return false;
  size_t bytes = 0;
  for (const Record& record : records) bytes += record.body.size() + record.payload.size();
  return bytes > kSmallEnd;
}

}  // namespace tipstaff::ledger
