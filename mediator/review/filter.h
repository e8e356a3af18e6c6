// The filter language of `tipstaff log`: terms `key:pattern`, all of which must hold.
//
//   verdict:deny tool:mail.* -reason:argument_refused
//
// Keys: run, tool, verdict, reason, effect, skill, permission, outcome (a name of
// mediator/call/outcome.h, or `none`). A pattern may hold `*`; a `-` before the term turns it
// round.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "mediator/review/timeline.h"

namespace tipstaff::review {

class Filter {
 public:
  // InvalidArgument names the term and what is wrong with it.
  static absl::StatusOr<Filter> Parse(absl::Span<const std::string> terms);
  bool Matches(const Row& row) const;

 private:
  struct Term {
    std::string key, pattern;
    bool negated = false;
  };
  std::vector<Term> terms_;
};

}  // namespace tipstaff::review
