// Makes a stub of a recording: it answers the recorded calls as they were answered, and never asks
// the system that was recorded.
//
// A tool whose answers tables can tell (tables.h) gets a select or an update, so that it also
// answers calls in another order; every other tool has the recorded replies. Which it is, is not
// guessed: the recorded calls are made again, and a tool that answers one of them otherwise goes
// back to its replies.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "stubs/engine/stub.h"
#include "stubs/recorder/recording.h"

namespace tipstaff::recorder {

struct MakeOptions {
  std::string name;         // of the stub
  std::string description;  // one line: where it comes from
};

struct MadeStub {
  // By path within its folder, the tests and a README too.
  std::map<std::string, std::string> files;
  std::vector<std::string> by_tables;  // tools
  size_t answered = 0;                 // calls that it answers
  std::vector<std::string> refused;    // calls that it refuses, and why: "#9 ..."
  std::vector<std::string> unused;     // tools that no recorded call was made to: they answer
                                       // `unmatched`
};

// InvalidArgument: the recording has no calls, or one that a stub's files cannot hold (it says
// which).
absl::StatusOr<MadeStub> MakeStub(const Recording& recording, const MakeOptions& options);

}  // namespace tipstaff::recorder
