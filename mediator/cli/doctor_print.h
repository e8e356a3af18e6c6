// What `tipstaff doctor` found, as text and as JSON.
#pragma once

#include <string>
#include <vector>

#include "mediator/doctor/finding.h"
#include "mediator/json/builder.h"

namespace tipstaff::cli {

// A line a finding, with its fix in a line below; then how many there are of each.
std::string FindingsText(const std::vector<doctor::Finding>& findings);
// {"findings": [{check, level, what, fix?}], "problems": n, "warnings": n}
json::Builder FindingsJson(const std::vector<doctor::Finding>& findings);

}  // namespace tipstaff::cli
