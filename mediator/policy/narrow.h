// A tool's schema of an argument, narrowed to what a permission allows: for agents to read. The
// decision is made by the permission, not by this.
#pragma once

#include <string>

#include "mediator/json/document.h"
#include "mediator/policy/standard_schema.h"

namespace tipstaff::policy::internal {

// Where the permission's schema of an argument stands.
struct Home {
  std::string id;  // a URI of its own
  // It is a part of a whole `schema:`, which has these definitions (an object with `$defs`).
  bool is_part = false;
  json::Value definitions;
};

// `tool` may be missing. Of limits the stricter stays; `type`, `const` and `enum` are the
// permission's where it has them; what else both say stands in `allOf`. A permission's schema that
// refers to others stays a resource of its own, with those.
json::Document Narrow(json::Value tool, json::Value permission, const BoundValues& bound,
                      const Home& home);

// Whether no value that the tool takes can pass because a list of bindings is empty for this run.
bool IsUnsatisfiable(json::Value tool, json::Value permission, const BoundValues& bound);

}  // namespace tipstaff::policy::internal
