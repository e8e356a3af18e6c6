// What agents see of a grant.
#pragma once

#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "mediator/policy/grant_impl.h"

namespace tipstaff::policy::internal {

inline constexpr size_t kMaxPublishedNameBytes = 60;

// "reports_get_report" for "reports.get_report". What is too long ends in a digest of the whole,
// so that it stays the same and stays apart.
std::string PublishedName(absl::string_view tool);

// `permissions` all name the tool, and at least one of them is there.
PublishedTool Publish(const std::string& name, const call::Tool& tool, const GrantedTool& granted,
                      absl::Span<const GrantedPermission* const> permissions);

// Whether a call of this run can satisfy the permission's arguments at all.
bool CanPass(const call::Tool& tool, const GrantedPermission& permission);

}  // namespace tipstaff::policy::internal
