// Skills for the benchmark: those that are shipped, and made ones of any size.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "mediator/policy/grant.h"

namespace tipstaff::bench {

// The skills below policies/ of the current folder, each granted with bindings of its tests.
absl::StatusOr<std::vector<std::shared_ptr<const policy::Grant>>> ShippedGrants();

// A skill of `per_tool` permissions for each of `tools` tools `t.tool_N`. Each permission asks for
// another value of the argument `kind`, "kind-M" of permission M, and for four more arguments.
std::string MadeSkill(const std::string& name, int tools, int per_tool);
// Its tools.
std::unique_ptr<policy::Catalog> MadeCatalog(int tools);
// Of the call of tool N with the kind.
call::Call MadeCall(int tool, const std::string& kind);

absl::StatusOr<std::shared_ptr<const policy::Grant>> GrantOf(const std::string& skill_text,
                                                             const policy::Catalog& catalog,
                                                             const std::string& bindings);

}  // namespace tipstaff::bench
