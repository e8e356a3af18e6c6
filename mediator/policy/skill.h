// A skill: a permission schema, loaded and compiled.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "absl/types/span.h"
#include "mediator/base/digest.h"
#include "mediator/call/call.h"
#include "mediator/policy/catalog.h"
#include "mediator/policy/limits.h"
#include "mediator/source/document.h"

namespace tipstaff::policy {

struct SkillLimits {
  Limits use;                          // of a run
  std::optional<absl::Duration> wall;  // from opening
};

// Of a permission: a person is asked before the call is made.
struct Approval {
  std::vector<std::string> by;  // names or groups of `people:`
  // How long the call waits for an answer, and then for being asked again.
  absl::Duration expires;
};

// Immutable and shared by the runs that were granted it. The compiled permissions are the
// library's own business (compiled.h); what others may ask is here.
class Skill {
 public:
  virtual ~Skill() = default;
  virtual const std::string& name() const = 0;
  virtual const std::string& description() const = 0;
  // Hex BLAKE2b-256 of the file's bytes.
  virtual const std::string& digest() const = 0;
  virtual const source::File& file() const = 0;
  // alias -> backend, in the order of the file.
  virtual absl::Span<const std::pair<std::string, BackendRef>> backends() const = 0;
  virtual const SkillLimits& limits() const = 0;
};

// Loads `file` (skill.yaml). Adds to `diagnostics`; null when there was an error: a skill that does
// not check is not loaded.
std::shared_ptr<const Skill> LoadSkill(std::shared_ptr<const source::File> file,
                                       const Catalog& catalog, source::Diagnostics& diagnostics);

}  // namespace tipstaff::policy
