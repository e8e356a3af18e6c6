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

bool Requires(json::Value schema, absl::string_view name) {
  for (json::Value item : schema.Find("required").items()) {
    if (item.is_string() && item.string() == name) return true;
  }
  return false;
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
  if (keyword != "in" || !value.is_array()) return IsScopeReference(value, bindings);
  for (json::Value item : value.items()) {
    if (!IsScopeReference(item, bindings)) return false;
  }
  return value.size() > 0;
}

bool IsBoundToScope(json::Value schema, absl::Span<const Binding> bindings) {
  for (const char* keyword : {"equals", "in"}) {
    const json::Value value = schema.Find(keyword);
    if (value.exists() && IsOfScope(keyword, value, bindings)) return true;
  }
  const absl::string_view type = schema.StringOr("type", "");
  if (type == "array") {
    return schema.IntegerOr("minItems", 0) >= 1 && IsBoundToScope(schema.Find("items"), bindings);
  }
  if (type == "object") {
    for (const json::Member& member : schema.Find("properties").members()) {
      if (Requires(schema, member.key) && IsBoundToScope(member.value, bindings)) return true;
    }
  }
  return false;
}

}  // namespace tipstaff::schema
