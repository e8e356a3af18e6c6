// A test system's own account of what it was asked and what took effect: for each run a file that
// only grows, one JSON object a line.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace tipstaff::harness {

struct Entry {
  enum class What {
    kAsked,    // a call arrived
    kEffect,   // it took effect
    kRefused,  // a result was definitely refused, before that was said
  };
  What what = What::kAsked;
  std::string run;
  uint64_t call = 0;  // its number in the run
  std::string tool;
  std::string key;    // of a submission, else ""
  std::string label;  // an argument
  bool finalizes = false;
};

// Appends to the run's account in one write, and syncs: the order of the lines is the order of the
// facts, also of several processes.
absl::Status AppendToAccount(const std::string& folder, const Entry& entry);
// Makes a run's account and gives it a second name in `other_folder`, which is made too: for a
// system that sees nothing but that folder.
absl::Status ShareAccount(const std::string& folder, const std::string& run,
                          const std::string& other_folder);
// All of a run's. Empty where nothing was asked yet; a last line without an end is left out, as its
// writer was killed.
absl::StatusOr<std::vector<Entry>> ReadAccount(const std::string& folder, const std::string& run);

}  // namespace tipstaff::harness
