#include "mediator/ledger/stored_rows.h"

#include <cstring>
#include <optional>

#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "mediator/base/status.h"

namespace tipstaff::ledger {
namespace {

absl::StatusOr<base::Digest> DigestColumn(const Statement& row, int column,
                                          absl::string_view place) {
  base::Digest digest;
  const absl::string_view bytes = row.Bytes(column);
  if (bytes.size() != digest.size()) {
    return absl::DataLossError(absl::StrCat(place, ": its hash is not 32 bytes long"));
  }
  std::memcpy(digest.data(), bytes.data(), bytes.size());
  return digest;
}

}  // namespace

std::string Place(absl::string_view run, uint64_t seq) {
  return absl::StrCat("run `", base::EscapeAndCut(run, 80), "` record ", seq);
}

absl::StatusOr<StoredRun> RunOfRow(const Statement& row) {
  StoredRun run{std::string(row.Bytes(0)), absl::InfinitePast()};
  run.records = static_cast<uint64_t>(row.Integer(2));
  if (run.records == 0) return run;
  run.opened_at = absl::FromUnixMicros(row.Integer(1));
  run.closed = row.Integer(3) == static_cast<int64_t>(call::RecordKind::kClosed);
  TIPSTAFF_ASSIGN_OR_RETURN(run.head, DigestColumn(row, 4, Place(run.run, run.records)));
  return run;
}

absl::StatusOr<StoredRecord> RecordOfRow(const Statement& row, bool with_payload) {
  StoredRecord stored;
  stored.position = static_cast<uint64_t>(row.Integer(0));
  stored.run = std::string(row.Bytes(1));
  stored.seq = static_cast<uint64_t>(row.Integer(2));
  if (stored.run.empty()) {
    return absl::DataLossError(
        absl::StrCat("the record at position ", stored.position, " belongs to no run"));
  }
  const std::string place = Place(stored.run, stored.seq);
  const int64_t number = row.Integer(3);
  const std::optional<call::RecordKind> kind =
      number >= 0 && number <= UINT8_MAX ? call::RecordKindFromNumber(static_cast<int>(number))
                                         : std::nullopt;
  if (!kind) return absl::DataLossError(absl::StrCat(place, ": there is no kind ", number));
  stored.record.kind = *kind;
  stored.record.time = absl::FromUnixMicros(row.Integer(4));
  TIPSTAFF_ASSIGN_OR_RETURN(stored.hash, DigestColumn(row, 5, place));
  stored.record.body = std::string(row.Bytes(6));
  stored.payload_size = static_cast<uint64_t>(row.Integer(7));
  if (with_payload) stored.record.payload = std::string(row.Bytes(8));
  return stored;
}

}  // namespace tipstaff::ledger
