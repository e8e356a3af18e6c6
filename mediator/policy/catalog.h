// The tools that backends offer, for loading skills against.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "mediator/call/tool.h"

namespace tipstaff::policy {

// A backend as a skill names it: `{stub: reports}` or `{upstream: tickets-test}`.
struct BackendRef {
  enum class Kind { kStub, kUpstream };
  Kind kind = Kind::kStub;
  std::string name;
  bool operator==(const BackendRef&) const = default;
  std::string ToString() const;  // "stub:reports"
};

// What the program has to offer. Thread-compatible; must outlive the loading, not the skills.
class Catalog {
 public:
  virtual ~Catalog() = default;
  // The tools of a backend; NotFound with a message that names what there is.
  virtual absl::StatusOr<std::vector<call::Tool>> ToolsOf(const BackendRef& backend) const = 0;
  // Names for suggestions.
  virtual std::vector<std::string> NamesOf(BackendRef::Kind kind) const = 0;
  // The people and groups who may approve calls; nothing where that is not known.
  virtual std::optional<std::vector<std::string>> Approvers() const { return std::nullopt; }
};

}  // namespace tipstaff::policy
