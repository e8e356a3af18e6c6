// Findings that do not keep a skill from loading: what can never take effect, and what looks as if
// something else were meant. Each function adds warnings to `reader` for one kind of them. They see
// a skill that was loaded without an error, and say nothing where they are not sure.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "mediator/policy/compiled.h"
#include "mediator/policy/reader.h"

namespace tipstaff::policy::internal {

// alias -> the tools of its backend.
using ToolsByAlias = std::map<std::string, std::vector<call::Tool>>;

// The tool that a permission names; null when it is not there.
const call::Tool* FindTool(const ToolsByAlias& tools, const std::string& name);

// Permissions and deny rules that match nothing, or that another deny rule or permission makes
// needless (P081, P082, P084, P085).
void LintRules(const CompiledSkill& skill, const ToolsByAlias& tools, Reader& reader);
void LintCovered(const CompiledSkill& skill, Reader& reader);
// Permissions that no order of calls can use (P063).
void LintUsable(const CompiledSkill& skill, Reader& reader);
// Arguments against the tool's own schema (P090, P091, P094).
void LintArguments(const Permission& permission, const call::Tool& tool, Reader& reader);
// Optional arguments whose default the permission does not allow (P087).
void LintDefaults(const CompiledSkill& skill, const Permission& permission, const call::Tool& tool,
                  Reader& reader);
// Texts that look like references to bindings and are none (P023).
void LintReferences(const CompiledSkill& skill, Reader& reader);
// Skills without a test for a denial, or without one for what is allowed (P092, P093).
void LintTests(const CompiledSkill& skill, Reader& reader);

}  // namespace tipstaff::policy::internal
