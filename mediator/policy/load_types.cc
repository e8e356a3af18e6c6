// Constraints of scope against the types of the bindings that they refer to.
#include "absl/strings/str_cat.h"
#include "mediator/policy/codes.h"
#include "mediator/policy/loader.h"
#include "mediator/policy/schema_places.h"
#include "mediator/schema/keywords.h"
#include "mediator/schema/references.h"

namespace tipstaff::policy::internal {
namespace {

schema::Types TypeNamed(json::Value type) {
  const schema::Types found = type.is_string() ? schema::FindType(type.string()) : 0;
  return found == 0 ? schema::kAnyType : found;
}

// A number may be an integer; a value that passes `type: integer` is a number too.
bool CanMeet(schema::Types a, schema::Types b) {
  constexpr schema::Types kNumbers = schema::kNumberType | schema::kIntegerType;
  return (a & b) != 0 || ((a & kNumbers) != 0 && (b & kNumbers) != 0);
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
    const schema::Types wanted = TypeNamed(place.schema.Find("type"));
    for (const char* keyword : {"equals", "in"}) {
      const json::Value value = place.schema.Find(keyword);
      const schema::Operand operand = schema::ReadOperand(value);
      if (operand.kind != schema::Operand::Kind::kReference) continue;
      for (const BindingDecl& binding : skill_->bindings_) {
        if (binding.name != operand.text || !binding.program) continue;
        const bool items = value.is_string() && keyword == absl::string_view("in");
        const json::Value given = items ? binding.schema.Find("items") : binding.schema;
        const schema::Types types = TypeNamed(given.Find("type"));
        if (CanMeet(wanted, types)) continue;
        reader_.Error(value, kContradiction,
                      absl::StrCat("never passes: `type` asks for ", schema::TypesInWords(wanted),
                                   ", and ", items ? "the items of " : "", "`$", binding.name, "` ",
                                   items ? "are each " : "is ", schema::TypesInWords(types)),
                      absl::StrCat("`", binding.name, "` is declared in line ",
                                   reader_.LineOf(binding.schema)));
      }
    }
  }
}

}  // namespace tipstaff::policy::internal
