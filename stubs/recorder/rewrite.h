// A JSON document with other texts in it.
#pragma once

#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "mediator/json/document.h"

namespace tipstaff::recorder {

// Where a value is: the tokens of its JSON pointer.
using Place = std::vector<std::string>;

struct Rewriting {
  // What stands in the place of a value; missing: the value, as the rest says.
  absl::FunctionRef<json::Value(const Place& place, json::Value value)> value;
  // What stands in the place of a text, in values and in keys.
  absl::FunctionRef<std::string(absl::string_view text)> text;
};

// InvalidArgument when two keys of an object become the same.
absl::StatusOr<json::Document> Rewrite(json::Value value, const Rewriting& rewriting);

// Calls `found` for every value, an object or array before what is in it.
void ForEachValue(json::Value value,
                  absl::FunctionRef<void(const Place& place, json::Value value)> found);

}  // namespace tipstaff::recorder
