// Constraints of scope against the types of the bindings that they refer to.
#include "absl/strings/str_cat.h"
#include "mediator/policy/codes.h"
#include "mediator/policy/loader.h"
#include "mediator/policy/schema_places.h"
#include "mediator/schema/references.h"

namespace tipstaff::policy::internal {
namespace {

// Of the binding, or of its items.
schema::Types TypesIn(const BindingDecl& binding, bool items) {
  return schema::TypesOf(items ? binding.schema.Find("items") : binding.schema);
}

std::string TypeInWords(const BindingDecl& binding, bool items, schema::Types types) {
  return absl::StrCat(items ? "the items of `$" : "`$", binding.name, "` ",
                      items ? "are each " : "is ", schema::TypesInWords(types));
}

}  // namespace

void Loader::CheckBindingTypes() {
  for (const Permission& permission : skill_->permissions_) {
    const Reader::Within within(reader_, absl::StrCat("in permission ", Shown(permission.id)));
    CheckBindingTypes(permission.node);
  }
  // A rule that nothing meets denies nothing.
  for (const DenyRule& rule : skill_->deny_) {
    const Reader::Within within(reader_, absl::StrCat("in deny rule ", Shown(rule.id)));
    CheckBindingTypes(rule.node);
  }
}

void Loader::CheckBindingTypes(json::Value node) {
  for (const SchemaPlace& place : SchemasOf(node)) {
    const schema::Types wanted = schema::TypesOf(place.schema);
    for (const char* keyword : {"equals", "in"}) {
      const json::Value value = place.schema.Find(keyword);
      const bool items = value.is_string() && keyword == absl::string_view("in");
      CheckMeets(value, items, wanted);
    }
    for (const char* keyword : {"email", "emailDomain"}) {
      CheckEntries({keyword, place.schema.Find(keyword)}, schema::kStringType);
    }
    for (const json::Member& list : place.schema.Find("url").members()) {
      CheckEntries(list, list.key == "ports" ? schema::kNumberType : schema::kStringType);
    }
  }
}

// The binding that `value` refers to; null too for one whose declaration has an error.
const BindingDecl* Loader::BindingAt(json::Value value) const {
  const schema::Operand operand = schema::ReadOperand(value);
  if (operand.kind != schema::Operand::Kind::kReference) return nullptr;
  for (const BindingDecl& binding : skill_->bindings_) {
    if (binding.name == operand.text && binding.program) return &binding;
  }
  return nullptr;
}

void Loader::CheckMeets(json::Value value, bool items, schema::Types wanted) {
  const BindingDecl* binding = BindingAt(value);
  if (binding == nullptr) return;
  const schema::Types types = TypesIn(*binding, items);
  if (schema::CanMeet(wanted, types)) return;
  reader_.Error(
      value, kContradiction,
      absl::StrCat("never passes: `type` asks for ", schema::TypesInWords(wanted), ", and ",
                   TypeInWords(*binding, items, types)),
      absl::StrCat("`", binding->name, "` is declared in line ", reader_.LineOf(binding->schema)));
}

// An entry of another type is one that nothing matches.
void Loader::CheckEntries(const json::Member& list, schema::Types wanted) {
  const auto check = [&](json::Value value, bool items) {
    const BindingDecl* binding = BindingAt(value);
    if (binding == nullptr || (items && !binding->is_array)) return;
    const schema::Types types = TypesIn(*binding, items);
    if (schema::CanMeet(wanted, types)) return;
    const bool whole = !items && binding->is_array;
    reader_.Error(value, kBadKeywordValue,
                  absl::StrCat(TypeInWords(*binding, items, types), ", and `", list.key, "` lists ",
                               wanted == schema::kStringType ? "texts" : "numbers"),
                  whole ? absl::StrCat("write `", list.key, ": $", binding->name, "`")
                        : absl::StrCat("`", binding->name, "` is declared in line ",
                                       reader_.LineOf(binding->schema)));
  };
  check(list.value, /*items=*/true);
  for (json::Value item : list.value.items()) check(item, /*items=*/false);
}

}  // namespace tipstaff::policy::internal
