// A checkpoint: how far every run of a ledger was at one moment. Its text is signed as a note
// (mediator/keys/signed_note.h); docs/ledger-format.md describes it line by line.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "mediator/base/digest.h"

namespace tipstaff::ledger {

// The last record of a run's chain.
struct RunHead {
  std::string run;
  uint64_t records = 0;
  base::Digest head = {};
  bool operator==(const RunHead&) const = default;
};

struct Checkpoint {
  std::string ledger;          // its identity: 32 lower-case hex digits
  uint64_t number = 0;         // from 1, without gaps
  base::Digest previous = {};  // of the text before; zeros for the first
  absl::Time time;             // of the newest record; whole microseconds
  uint64_t runs = 0;           // that the ledger has
  base::Digest state = {};     // Heads::Digest() of all of them
  // Those that have records since the one before, or are new; in the order of opening.
  std::vector<RunHead> changed;
  bool operator==(const Checkpoint&) const = default;
};

// The signed note around a text.
using SignNote = std::function<std::string(const std::string& text)>;

// Ends with a line feed.
std::string ToText(const Checkpoint& checkpoint);
// Takes exactly what ToText() makes. InvalidArgument with what is wrong.
absl::StatusOr<Checkpoint> ParseCheckpoint(absl::string_view text);

// The heads of all runs, in the order of opening.
class Heads {
 public:
  // A new run comes last.
  void Set(const RunHead& head);
  const RunHead* Find(absl::string_view run) const;
  size_t size() const { return heads_.size(); }
  const std::vector<RunHead>& all() const { return heads_; }

  // BLAKE2b-256 over "tipstaff-ledger-state-v1", a zero byte and, for each run, 4 bytes of length
  // and its id, 8 bytes with the count and the head; integers big-endian. `changed` stands in for
  // the heads of its runs, and for those that are new.
  base::Digest Digest(const std::vector<RunHead>& changed = {}) const;

 private:
  std::vector<RunHead> heads_;
  absl::flat_hash_map<std::string, size_t> places_;
};

}  // namespace tipstaff::ledger
