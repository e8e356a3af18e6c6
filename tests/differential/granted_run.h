// A random run as the mediator itself has it, to be asked about calls.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mediator/call/call.h"
#include "mediator/policy/grant.h"
#include "tests/differential/case.h"
#include "tests/differential/coverage.h"
#include "tests/differential/published.h"

namespace tipstaff::differential {

// A run's skills, loaded and granted by the mediator's own code.
class GrantedRun {
 public:
  // Null with a reason when the skills do not load or may not be granted together.
  static std::unique_ptr<GrantedRun> Open(const Case& run, std::string& why);

  // With defaults.
  const Tree& bindings() const { return bindings_; }

  struct Answer {
    std::string difference;  // "" when both say the same
    call::Decision decision;
    uint64_t argument_bytes = 0;
  };
  // `one` has to have the skills, bindings and canaries that were opened. `coverage` may be null.
  Answer Ask(const Case& one, Coverage* coverage) const;

 private:
  policy::RunFacts FactsOf(const Case& one) const;
  reference::Judgement Judge(const Case& one, const call::Call& call, Coverage* coverage) const;

  std::vector<json::Document> skills_;
  json::Document given_;
  Tree bindings_;
  std::shared_ptr<const policy::Grant> grant_;
  std::unique_ptr<const Published> published_;
  std::vector<reference::OfferedTool> tools_;
};

}  // namespace tipstaff::differential
