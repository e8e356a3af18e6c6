// `$name`: how a skill's scope keywords (equals, in, email, emailDomain, url) refer to bindings.
#pragma once

#include <optional>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "mediator/json/document.h"
#include "mediator/schema/program.h"

namespace tipstaff::schema {

// A name of a binding: [A-Za-z_][A-Za-z0-9_]*, at most 64 characters.
bool IsBindingName(absl::string_view name);

// What the value of a scope keyword, or an item of its list, stands for.
struct Operand {
  enum class Kind { kLiteral, kReference, kUnclear };
  Kind kind = Kind::kLiteral;
  // kLiteral of a string: its text with `$$` at the front read as `$`. kReference: the name.
  absl::string_view text;
};
// kUnclear: a string that begins with `$` but neither with `$$` nor is `$` and a name.
Operand ReadOperand(json::Value value);

// The binding called `name`, or nullptr.
const Binding* FindBinding(absl::Span<const Binding> bindings, absl::string_view name);

// The value of a scope keyword, or each list of a `url`, is nothing but bindings in scope.
bool IsOfScope(absl::string_view keyword, json::Value value, absl::Span<const Binding> bindings);

}  // namespace tipstaff::schema
