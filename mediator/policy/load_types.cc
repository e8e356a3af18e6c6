// Constraints of scope against the types of the bindings that they refer to.
#include "absl/strings/str_cat.h"
#include "mediator/policy/codes.h"
#include "mediator/policy/loader.h"
#include "mediator/policy/schema_places.h"
#include "mediator/schema/references.h"

namespace tipstaff::policy::internal {
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
      const schema::Operand operand = schema::ReadOperand(value);
      if (operand.kind != schema::Operand::Kind::kReference) continue;
      for (const BindingDecl& binding : skill_->bindings_) {
        if (binding.name != operand.text || !binding.program) continue;
        const bool items = value.is_string() && keyword == absl::string_view("in");
        const json::Value given = items ? binding.schema.Find("items") : binding.schema;
        const schema::Types types = schema::TypesOf(given);
        if (schema::CanMeet(wanted, types)) continue;
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
