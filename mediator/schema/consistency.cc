// Operands' checks of keywords against each other.
#include "absl/strings/str_cat.h"
#include "mediator/schema/numbers.h"
#include "mediator/schema/operands.h"

namespace tipstaff::schema::internal {

void Operands::CheckApplies(Keyword keyword, const json::Member& member, json::Value schema,
                            Types types, bool fixed, const std::string& pointer) {
  const Types applies =
      keyword == Keyword::kText ? kStringType | kArrayType | kObjectType : AppliesTo(keyword);
  if (applies == kAnyType) return;
  if ((types & applies) == 0) {
    return FailAtKey(ProblemKind::kNeverApplies, member, pointer,
                     absl::StrCat("`", member.key, "` says nothing about ", TypesInWords(types)));
  }
  fixed = fixed || SaysItsType(schema);
  // What a rule denies too much is safe.
  if (fixed || keyword == Keyword::kText || options_.denies) return;
  FailAtKey(ProblemKind::kUntyped, member, pointer,
            absl::StrCat("without a `type`, everything but ", TypesInWords(applies & ~kIntegerType),
                         " passes `", member.key, "`"));
}

void Operands::Contradiction(json::Value schema, const std::string& pointer, const char* low,
                             const char* high, bool equal_is_one) {
  const json::Value least = schema.Find(low), most = schema.Find(high);
  if (!least.is_number() || !most.is_number()) return;
  const int order = Compare(least, most);
  if (order < 0 || (order == 0 && !equal_is_one)) return;
  Fail(ProblemKind::kContradiction, least, absl::StrCat(pointer, "/", low),
       absl::StrCat("nothing passes: `", low, "` leaves nothing below `", high, "`"));
}

void Operands::CheckTogether(json::Value schema, const std::string& pointer,
                             const std::vector<Constraint>& constraints) {
  Contradiction(schema, pointer, "minLength", "maxLength", false);
  Contradiction(schema, pointer, "minBytes", "maxBytes", false);
  Contradiction(schema, pointer, "minItems", "maxItems", false);
  Contradiction(schema, pointer, "minProperties", "maxProperties", false);
  Contradiction(schema, pointer, "minContains", "maxContains", false);
  Contradiction(schema, pointer, "minContains", "maxItems", false);
  Contradiction(schema, pointer, "minimum", "maximum", false);
  Contradiction(schema, pointer, "minimum", "exclusiveMaximum", true);
  Contradiction(schema, pointer, "exclusiveMinimum", "maximum", true);
  Contradiction(schema, pointer, "exclusiveMinimum", "exclusiveMaximum", true);
  Types types = kAnyType;
  for (const Constraint& constraint : constraints) {
    if (constraint.keyword == Keyword::kType) types = constraint.types;
  }
  const auto check = [&](json::Value literal, const std::string& at) {
    if (IsOfType(literal, types)) return;
    Fail(ProblemKind::kContradiction, literal, at,
         absl::StrCat("never passes: `type` asks for ", TypesInWords(types)));
  };
  if (const json::Value value = schema.Find("const"); value.exists()) {
    check(value, absl::StrCat(pointer, "/const"));
  }
  for (json::Value item : schema.Find("enum").items()) {
    check(item, absl::StrCat(pointer, "/enum"));
  }
  if (const json::Value no = schema.Find("not");
      (no.is_bool() && no.boolean()) || (no.is_object() && no.size() == 0)) {
    Fail(ProblemKind::kContradiction, no, absl::StrCat(pointer, "/not"),
         "nothing passes: `not` describes everything");
  }
  const json::Value properties = schema.Find("properties"),
                    others = schema.Find("additionalProperties");
  if (!others.is_bool() || others.boolean() || schema.Find("patternProperties").exists()) return;
  for (json::Value name : schema.Find("required").items()) {
    if (!name.is_string() || properties.Find(name.string()).exists()) continue;
    Fail(ProblemKind::kContradiction, name, absl::StrCat(pointer, "/required"),
         "nothing passes: a required member is not among `properties`, and "
         "`additionalProperties` is false");
  }
}

}  // namespace tipstaff::schema::internal
