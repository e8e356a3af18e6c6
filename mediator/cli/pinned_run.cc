#include "mediator/cli/pinned_run.h"

#include "mediator/base/digest.h"
#include "mediator/base/status.h"

namespace tipstaff::cli {

absl::StatusOr<PinnedRun> ReadPinnedRun(ledger::Reader& reader, const std::string& run) {
  PinnedRun pinned;
  TIPSTAFF_ASSIGN_OR_RETURN(const ledger::StoredRecord first, reader.Record(run, 1));
  TIPSTAFF_ASSIGN_OR_RETURN(pinned.opened, run::DecodeOpened(first.record));
  const auto content = [&reader](const std::string& hex) -> absl::StatusOr<std::string> {
    const std::optional<base::Digest> digest = base::DigestFromHex(hex);
    if (!digest) return absl::DataLossError("a pinned file without a digest");
    return reader.PinnedContent(*digest);
  };
  TIPSTAFF_ASSIGN_OR_RETURN(pinned.granted, host::GrantFromPins(pinned.opened, content));
  return pinned;
}

}  // namespace tipstaff::cli
