// Operands' reading of the values that `const`, `enum` and the scope keywords compare with.
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "mediator/base/escape.h"
#include "mediator/schema/address.h"
#include "mediator/schema/domain_entry.h"
#include "mediator/schema/operands.h"
#include "mediator/schema/references.h"

namespace tipstaff::schema::internal {
namespace {

constexpr size_t kShownNameColumns = 60;

std::string Quoted(absl::string_view name) {
  return absl::StrCat("`", base::EscapeAndCut(name, kShownNameColumns), "`");
}

// A string that reads as a reference somewhere in a literal value.
absl::string_view ReferenceWithin(json::Value value) {
  std::vector<json::Value> open = {value};
  while (!open.empty()) {
    const json::Value next = open.back();
    open.pop_back();
    if (ReadOperand(next).kind == Operand::Kind::kReference) return next.string();
    for (json::Value item : next.items()) open.push_back(item);
    for (const json::Member& member : next.members()) open.push_back(member.value);
  }
  return "";
}

}  // namespace

void Operands::ReadLiterals(const Slot& slot, Constraint& constraint) {
  const json::Value value = slot.member.value;
  if (options_.dialect == Dialect::kSkill) RefuseReferences(slot);
  if (constraint.keyword == Keyword::kConst) {
    constraint.candidates.push_back({.constant = AddConstant(value)});
    return;
  }
  // To a tool's schema an empty list is one that nothing passes.
  if (!value.is_array() || (value.size() == 0 && options_.dialect == Dialect::kSkill)) {
    Fail(ProblemKind::kBadValue, value, slot.pointer, "`enum` takes a list of at least one value");
    if (value.is_string())
      Help(absl::StrCat("write ", Quoted(absl::StrCat("[", value.string(), "]"))));
    return;
  }
  for (json::Value item : value.items()) {
    constraint.candidates.push_back({.constant = AddConstant(item)});
  }
}

void Operands::RefuseReferences(const Slot& slot) {
  const absl::string_view reference = ReferenceWithin(slot.member.value);
  if (reference.empty()) return;
  Fail(
      ProblemKind::kMisplacedBinding, slot.member.value, slot.pointer,
      absl::StrCat(Quoted(reference), " in `", slot.member.key,
                   "` does not refer to a binding: use `equals` or `in`, or `equals: $",
                   reference.size() < kShownNameColumns ? reference : "", "` for the text itself"));
}

void Operands::ReadScope(const Slot& slot, Constraint& constraint) {
  const json::Value value = slot.member.value;
  constraint.scope = IsOfScope(slot.member.key, value, options_.bindings);
  if (constraint.keyword == Keyword::kEquals) return AddCandidate(slot, value, constraint);
  if (value.is_array()) {
    for (json::Value item : value.items()) AddCandidate(slot, item, constraint);
    if (value.size() == 0) {
      Fail(ProblemKind::kBadValue, value, slot.pointer,
           absl::StrCat("`", slot.member.key, "` takes a list of at least one value"));
    }
    return;
  }
  const Operand operand = ReadOperand(value);
  if (operand.kind != Operand::Kind::kReference) {
    Fail(ProblemKind::kBadValue, value, slot.pointer,
         absl::StrCat("`", slot.member.key,
                      "` takes a list, or a binding that is one, such as `$reviewers`"));
    if (value.is_string()) HelpWithBinding(value.string());
    return;
  }
  AddCandidate(slot, value, constraint);
  constraint.spread = true;
  CheckIsList(slot, constraint.keyword, value);
}

void Operands::CheckIsList(const Slot& slot, Keyword keyword, json::Value reference) {
  const absl::string_view name = ReadOperand(reference).text;
  const Binding* binding = FindBinding(options_.bindings, name);
  if (binding == nullptr || binding->is_array) return;
  Fail(ProblemKind::kBadValue, reference, slot.pointer,
       absl::StrCat("the binding `", name, "` is not an array: ",
                    keyword == Keyword::kIn ? "use `equals`, or give it `type: array`"
                                            : "write it in a list"));
}

void Operands::CheckAddresses(const Slot& slot, Keyword keyword) {
  for (json::Value item : slot.member.value.items()) {
    const Operand operand = ReadOperand(item);
    if (operand.kind != Operand::Kind::kLiteral) continue;
    if (!item.is_string()) {
      Fail(ProblemKind::kBadValue, item, slot.pointer,
           absl::StrCat("`", slot.member.key, "` lists texts"));
    } else if (keyword == Keyword::kEmail) {
      if (ParseAddress(operand.text)) continue;
      Fail(ProblemKind::kBadValue, item, slot.pointer,
           absl::StrCat(Quoted(operand.text), " is no plain address"));
    } else if (const auto entry = NormalDomainEntry(operand.text); !entry.ok()) {
      Fail(ProblemKind::kBadValue, item, slot.pointer, std::string(entry.status().message()));
    }
  }
}

void Operands::HelpWithBinding(absl::string_view name) {
  if (FindBinding(options_.bindings, name) == nullptr) return;
  Help(absl::StrCat("did you mean `$", name, "`?"));
}

std::optional<uint32_t> Operands::ReadReference(const Slot& slot, json::Value value) {
  const Operand operand = ReadOperand(value);
  switch (operand.kind) {
    case Operand::Kind::kLiteral:
      return kNone;
    case Operand::Kind::kReference: {
      const uint32_t binding = FindBindingNumber(value, slot.pointer, operand.text);
      return binding == kNone ? std::nullopt : std::optional<uint32_t>(binding);
    }
    case Operand::Kind::kUnclear:
      break;
  }
  Fail(ProblemKind::kMisplacedBinding, value, slot.pointer,
       absl::StrCat(Quoted(value.string()),
                    " is no name of a binding: write `$$` for a literal dollar"));
  HelpWithBinding(absl::StripSuffix(absl::StripPrefix(operand.text, "{"), "}"));
  return std::nullopt;
}

void Operands::AddCandidate(const Slot& slot, json::Value value, Constraint& constraint) {
  const std::optional<uint32_t> binding = ReadReference(slot, value);
  if (!binding.has_value()) return;
  if (*binding != kNone) {
    constraint.candidates.push_back({.binding = *binding});
    return;
  }
  if (value.is_string()) {
    constants_.String(ReadOperand(value).text);
    constraint.candidates.push_back({.constant = constant_count_++});
    return;
  }
  const absl::string_view reference = ReferenceWithin(value);
  if (!reference.empty()) {
    return Fail(ProblemKind::kMisplacedBinding, value, slot.pointer,
                absl::StrCat(Quoted(reference),
                             " within a value does not refer to a binding: a "
                             "binding is the whole value or an item of `in`"));
  }
  constraint.candidates.push_back({.constant = AddConstant(value)});
}

uint32_t Operands::FindBindingNumber(json::Value at, const std::string& pointer,
                                     absl::string_view name) {
  for (size_t i = 0; i < options_.bindings.size(); ++i) {
    if (options_.bindings[i].name == name) return static_cast<uint32_t>(i);
  }
  Fail(ProblemKind::kUnknownBinding, at, pointer, absl::StrCat("unknown binding `$", name, "`"));
  problems_.back().wrong = std::string(name);
  for (const Binding& binding : options_.bindings) {
    problems_.back().candidates.push_back(binding.name);
  }
  return kNone;
}

}  // namespace tipstaff::schema::internal
