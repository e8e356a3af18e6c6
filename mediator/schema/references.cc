#include "mediator/schema/references.h"

#include <algorithm>

#include "absl/strings/ascii.h"

namespace tipstaff::schema {
namespace {

constexpr size_t kMaxNameBytes = 64;

bool IsScopeReference(json::Value value, absl::Span<const Binding> bindings) {
  const Operand operand = ReadOperand(value);
  if (operand.kind != Operand::Kind::kReference) return false;
  const Binding* binding = FindBinding(bindings, operand.text);
  return binding != nullptr && binding->in_scope;
}

}  // namespace

bool IsBindingName(absl::string_view name) {
  return !name.empty() && name.size() <= kMaxNameBytes && !absl::ascii_isdigit(name.front()) &&
         std::all_of(name.begin(), name.end(),
                     [](unsigned char c) { return absl::ascii_isalnum(c) || c == '_'; });
}

Operand ReadOperand(json::Value value) {
  if (!value.is_string()) return {};
  const absl::string_view text = value.string();
  if (text.empty() || text.front() != '$') return {Operand::Kind::kLiteral, text};
  const absl::string_view rest = text.substr(1);
  if (!rest.empty() && rest.front() == '$') return {Operand::Kind::kLiteral, rest};
  return {IsBindingName(rest) ? Operand::Kind::kReference : Operand::Kind::kUnclear, rest};
}

const Binding* FindBinding(absl::Span<const Binding> bindings, absl::string_view name) {
  for (const Binding& binding : bindings) {
    if (binding.name == name) return &binding;
  }
  return nullptr;
}

bool IsOfScope(absl::string_view keyword, json::Value value, absl::Span<const Binding> bindings) {
  if (keyword == "url") {
    for (const json::Member& list : value.members()) {
      if (!IsOfScope(list.key, list.value, bindings)) return false;
    }
    return value.size() > 0;
  }
  if (keyword == "equals" || !value.is_array()) return IsScopeReference(value, bindings);
  for (json::Value item : value.items()) {
    if (!IsScopeReference(item, bindings)) return false;
  }
  return value.size() > 0;
}

}  // namespace tipstaff::schema
