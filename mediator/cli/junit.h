// Test results as JUnit XML, for CI servers. No standard describes it; the elements and attributes
// are those that Jenkins' and GitLab's readers both take.
#pragma once

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "mediator/cli/tested_file.h"

namespace tipstaff::cli {

// Well-formed whatever the bytes: what XML 1.0 cannot hold is written as \xNN or \u{NNNN}.
std::string RenderJunit(const std::vector<TestedFile>& files);

// `text` as the content of an element; of an attribute when `attribute`.
std::string EscapeXml(absl::string_view text, bool attribute);

}  // namespace tipstaff::cli
