// What of a stub its tests reach: each tool, each error that a tool can answer with, each fault.
//
// The errors of rows are known (`not_found`, `already_exists` where the key comes from the call);
// those of canned replies; those of a script are the codes that stand in its text as `fail("code"`:
// a code that is made up at run time is not seen. What arguments are refused with
// (`invalid_arguments`) is the schema's and not asked for.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "stubs/engine/stub.h"

namespace tipstaff::engine {

class LoadedStub;

struct StubPart {
  enum class Kind { kTool, kError, kFault };
  Kind kind = Kind::kTool;
  std::string owner;     // the tool; of a script's error the script's path
  std::string code;      // kError: "not_found"; kFault: its error, or what else it does: "timeout"
  size_t fault = 0;      // kFault: which in stub.yaml, from 1
  int line = 0;          // kFault: of stub.yaml
  bool reached = false;  // by a test that passed

  // "tool `get_item`", "error `not_found` of `get_item`", "the fault in line 31 (`too_busy` of
  // `get_item`)".
  std::string ToString() const;
};

// The codes in calls of a function named `fail` with a literal text, sorted, each once; comments
// and other texts are passed over.
std::vector<std::string> FailCodes(absl::string_view lua);

// Counts what calls reach. Not thread-safe.
class StubCoverage {
 public:
  // `stub`: as Stub::Load made it; nothing is counted of another.
  explicit StubCoverage(std::shared_ptr<const Stub> stub);
  void Add(absl::string_view tool, const Reply& reply);
  const std::vector<StubPart>& parts() const { return parts_; }

 private:
  std::string OwnerOfErrors(size_t tool) const;
  void Mark(StubPart::Kind kind, absl::string_view owner, absl::string_view code);

  const std::shared_ptr<const LoadedStub> stub_;
  std::vector<StubPart> parts_;
};

}  // namespace tipstaff::engine
