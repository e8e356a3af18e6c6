// The decisions of a ledger that is being written to, each once it is known what came of it.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "mediator/ledger/ledger.h"
#include "mediator/review/timeline.h"

namespace tipstaff::review {

// Not thread-safe.
class Follower {
 public:
  // `run` "" means all runs.
  explicit Follower(std::string run) : run_(std::move(run)) {}

  // What has come since the last call, with what came before it the first time: denials and held
  // calls at once, allowed calls with their outcome, a finalize with what became of the result. One
  // that has had no outcome for kPatience comes without it, and once more with it. However long the
  // ledger is, no more than kPage records are read and what they settle is returned: until it has
  // caught_up(), call it again at once; what is returned may be nothing. Errors are the reader's; a
  // later call, also with another reader of the same ledger, goes on where this one stopped.
  absl::StatusOr<std::vector<Row>> Next(ledger::Reader& reader, absl::Time now);
  static constexpr absl::Duration kPatience = absl::Seconds(2);
  static constexpr size_t kPage = 500;

  // The last call has read all there was.
  bool caught_up() const { return caught_up_; }

  // The one run that is followed is closed: nothing more will come.
  bool over() const { return over_; }

 private:
  struct Open {
    Row row;
    bool shown = false;
  };
  using Key = std::pair<std::string, uint64_t>;  // run and number

  absl::Status Take(const ledger::StoredRecord& stored, std::vector<Row>& rows);
  void TakeDecided(const std::string& run, run::Decided decided, std::vector<Row>& rows);

  const std::string run_;
  uint64_t next_ = 1;  // seq or position
  std::map<Key, Open> open_;
  bool over_ = false, caught_up_ = false;
};

}  // namespace tipstaff::review
