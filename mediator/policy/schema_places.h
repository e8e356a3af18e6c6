// The schemas within a schema of a skill.
#pragma once

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "mediator/json/document.h"

namespace tipstaff::policy::internal {

struct SchemaPlace {
  json::Value schema;
  // What it constrains, as in a pointer into the call: "/to/*" for the items of `to`.
  std::string argument;
  // Whether a value that fails it is refused for that: not within `not`, `if` and `contains`.
  bool judged = true;
};

// What the value of a keyword holds.
enum class Holds { kNoSchema, kSchema, kList, kMapping };
Holds WhatItHolds(absl::string_view keyword);

// `schema`, and all schemas within it in the order of the file.
std::vector<SchemaPlace> SchemasWithin(json::Value schema, std::string argument);

// Of all arguments that `node`, a permission or a rule, lists in `args`, or of its `schema`.
std::vector<SchemaPlace> SchemasOf(json::Value node);

}  // namespace tipstaff::policy::internal
