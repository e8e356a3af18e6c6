// Which of many permissions for one tool a call may satisfy, by the value of one argument.
#pragma once

#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "mediator/json/document.h"

namespace tipstaff::policy::internal {

struct GrantedPermission;

// Permissions that ask for certain values of an argument (`const`, `enum`, `equals`, `in`) refuse
// every other value of it; they need not be asked. Built once for a tool; immutable.
class Dispatch {
 public:
  using Indices = absl::InlinedVector<int, 8>;

  Dispatch() = default;  // of no permissions
  // `permissions` are indices of `all`, ascending.
  Dispatch(absl::Span<const int> permissions, absl::Span<const GrantedPermission> all);

  // Those that `arguments` may satisfy, ascending; at times more.
  Indices CandidatesFor(json::Value arguments) const;

 private:
  std::string argument_;  // "": none tells them apart
  // By canonical form of the argument's value; the others whatever it is.
  absl::flat_hash_map<std::string, std::vector<int>> by_value_;
  std::vector<int> others_;
};

}  // namespace tipstaff::policy::internal
