// What the programs weigh: beside the speeds, the other figures that the path must keep to.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace tipstaff::bench {

struct Sizes {
  uint64_t guest_program = 0;      // bytes on the disk
  uint64_t guest_resident = 0;     // after it has listed tools and made a call
  uint64_t mediator_resident = 0;  // idle, just started
  absl::Duration ready;            // from exec to an answer on the admin socket; median of some
};

// With programs of `bin`, stubs and policies of the repository in the working folder, and a work
// folder of its own below `folder`.
absl::StatusOr<Sizes> MeasureSizes(const std::string& bin, const std::string& folder);

std::string Table(const Sizes& sizes);

}  // namespace tipstaff::bench
