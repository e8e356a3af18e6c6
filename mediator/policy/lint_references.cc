// References to bindings that are none.
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "mediator/policy/codes.h"
#include "mediator/policy/lint.h"
#include "mediator/policy/schema_places.h"
#include "mediator/schema/references.h"

namespace tipstaff::policy::internal {
namespace {

bool IsPartOfName(char c) { return absl::ascii_isalnum(c) || c == '_'; }

// The binding that `$name` within `text` would refer to, if that were a reference.
const schema::Binding* NamedWithin(absl::string_view text,
                                   absl::Span<const schema::Binding> bindings) {
  for (size_t at = text.find('$'); at != text.npos; at = text.find('$', at + 1)) {
    size_t begin = at + 1;
    if (begin < text.size() && text[begin] == '{') ++begin;
    size_t end = begin;
    while (end < text.size() && IsPartOfName(text[end])) ++end;
    const schema::Binding* binding = schema::FindBinding(bindings, text.substr(begin, end - begin));
    if (binding != nullptr) return binding;
  }
  return nullptr;
}

class References {
 public:
  References(const CompiledSkill& skill, Reader& reader)
      : bindings_(skill.schema_bindings_), reader_(reader) {}

  void Look(json::Value node) {
    for (const SchemaPlace& place : SchemasOf(node)) {
      for (const json::Member& member : place.schema.members()) LookAt(member);
    }
  }

 private:
  void LookAt(const json::Member& member) {
    if (member.key == "url") {
      for (const json::Member& list : member.value.members()) LookAtList(list, /*refers=*/true);
      return;
    }
    const bool refers = member.key == "equals" || member.key == "in" || member.key == "email" ||
                        member.key == "emailDomain";
    const bool literal = member.key == "pattern" || member.key == "const" || member.key == "enum";
    if (!refers && !literal) return;
    LookAtList(member, refers);
  }

  void LookAtList(const json::Member& member, bool refers) {
    LookAtText(member.key, member.value, refers);
    for (json::Value item : member.value.items()) LookAtText(member.key, item, refers);
  }

  void LookAtText(absl::string_view keyword, json::Value value, bool refers) {
    if (!value.is_string()) return;
    const schema::Operand operand = schema::ReadOperand(value);
    if (refers && operand.kind == schema::Operand::Kind::kReference) return;
    const absl::string_view text = value.string();
    if (refers && schema::FindBinding(bindings_, text) != nullptr) {
      return reader_.Warn(
          value, kNotAReference,
          absl::StrCat("the text ", Shown(text), " is not the binding of that name"),
          absl::StrCat("did you mean `$", text, "`?"));
    }
    if (absl::StartsWith(text, "$$")) return;  // a dollar that is meant
    if (const schema::Binding* binding = NamedWithin(text, bindings_)) {
      reader_.Warn(value, kNotAReference,
                   absl::StrCat("`$", binding->name, "` within the text of `", keyword,
                                "` does not refer to the binding"),
                   "a binding is the whole value of `equals` or `in`");
    }
  }

  const absl::Span<const schema::Binding> bindings_;
  Reader& reader_;
};

}  // namespace

void LintReferences(const CompiledSkill& skill, Reader& reader) {
  References references(skill, reader);
  for (const Permission& permission : skill.permissions_) {
    const Reader::Within within(reader, absl::StrCat("in permission ", Shown(permission.id)));
    references.Look(permission.node);
  }
  for (const DenyRule& rule : skill.deny_) {
    const Reader::Within within(reader, absl::StrCat("in deny rule ", Shown(rule.id)));
    references.Look(rule.node);
  }
}

}  // namespace tipstaff::policy::internal
