// The schemas within a schema of a skill.
#pragma once

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "mediator/json/document.h"
#include "mediator/schema/keywords.h"

namespace tipstaff::policy::internal {

struct SchemaPlace {
  json::Value schema;
  // What it constrains, as in a pointer into the call: "/to/*" for the items of `to`. What names of
  // members have to be is about the whole object; what is reached by `$ref`, about all around it.
  std::string argument;
  // Whether a value that fails it is refused for that: not within `not`, `if` and `contains`.
  bool judged = true;
  bool defined = false;  // within `$defs`: `argument` is only around what it constrains
};

// As a skill has the word.
schema::Keyword KeywordOf(absl::string_view word);
// Says nothing about which values pass, for an argument's `optional` too.
bool IsAnnotation(absl::string_view word);
// Whether it refuses members that it does not list.
bool RefusesOthers(json::Value schema);
// Whether it has keywords that apply to the same object and may list members of their own.
bool MayListElsewhere(json::Value schema);
// Whether its `properties` are all the members that a tool takes. A tool's schema seldom says that
// it refuses others: one that lists some means those.
bool ListsAllMembers(json::Value schema);

// The schemas that the keyword holds, with their names where they have one.
std::vector<json::Member> PartsOf(const json::Member& keyword);
// `schema`, and all schemas within it in the order of the file.
std::vector<SchemaPlace> SchemasWithin(json::Value schema, std::string argument);

// Of all arguments that `node`, a permission or a rule, lists in `args`, or of its `schema` or
// `uri`.
std::vector<SchemaPlace> SchemasOf(json::Value node);

}  // namespace tipstaff::policy::internal
