#include "mediator/schema/keywords.h"

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "mediator/schema/numbers.h"

namespace tipstaff::schema {
namespace {

// Who knows a word.
constexpr uint8_t kSkills = 1, kTools2020 = 2, kTools7 = 4, kNewer = kSkills | kTools2020,
                  kEverywhere = kNewer | kTools7;
constexpr Types kNumeric = kNumberType | kIntegerType;

struct Row {
  const char* name;
  Keyword keyword;
  uint8_t users;
  Vocabularies words;  // the one that it belongs to
  Types applies;
};

constexpr Row kRows[] = {
    {"additionalProperties", Keyword::kAdditionalProperties, kEverywhere, kApplicatorWords,
     kObjectType},
    {"const", Keyword::kConst, kEverywhere, kValidationWords, kAnyType},
    {"enum", Keyword::kEnum, kEverywhere, kValidationWords, kAnyType},
    {"equals", Keyword::kEquals, kSkills, kCoreWords, kAnyType},
    {"exclusiveMaximum", Keyword::kExclusiveMaximum, kEverywhere, kValidationWords, kNumeric},
    {"exclusiveMinimum", Keyword::kExclusiveMinimum, kEverywhere, kValidationWords, kNumeric},
    {"format", Keyword::kFormat, kEverywhere, kFormatWords, kStringType},
    {"in", Keyword::kIn, kSkills, kCoreWords, kAnyType},
    {"items", Keyword::kItems, kEverywhere, kApplicatorWords, kArrayType},
    {"maxBytes", Keyword::kMaxBytes, kSkills, kCoreWords, kStringType},
    {"maxItems", Keyword::kMaxItems, kEverywhere, kValidationWords, kArrayType},
    {"maxLength", Keyword::kMaxLength, kEverywhere, kValidationWords, kStringType},
    {"maxProperties", Keyword::kMaxProperties, kEverywhere, kValidationWords, kObjectType},
    {"maximum", Keyword::kMaximum, kEverywhere, kValidationWords, kNumeric},
    {"minBytes", Keyword::kMinBytes, kSkills, kCoreWords, kStringType},
    {"minItems", Keyword::kMinItems, kEverywhere, kValidationWords, kArrayType},
    {"minLength", Keyword::kMinLength, kEverywhere, kValidationWords, kStringType},
    {"minProperties", Keyword::kMinProperties, kEverywhere, kValidationWords, kObjectType},
    {"minimum", Keyword::kMinimum, kEverywhere, kValidationWords, kNumeric},
    {"multipleOf", Keyword::kMultipleOf, kEverywhere, kValidationWords, kNumeric},
    {"pattern", Keyword::kPattern, kEverywhere, kValidationWords, kStringType},
    {"properties", Keyword::kProperties, kEverywhere, kApplicatorWords, kObjectType},
    {"required", Keyword::kRequired, kEverywhere, kValidationWords, kObjectType},
    {"text", Keyword::kText, kSkills, kCoreWords, kAnyType},
    {"type", Keyword::kType, kEverywhere, kValidationWords, kAnyType},
    {"uniqueItems", Keyword::kUniqueItems, kEverywhere, kValidationWords, kArrayType},

    {"allOf", Keyword::kAllOf, kEverywhere, kApplicatorWords, kAnyType},
    {"anyOf", Keyword::kAnyOf, kEverywhere, kApplicatorWords, kAnyType},
    {"contains", Keyword::kContains, kEverywhere, kApplicatorWords, kArrayType},
    {"dependentRequired", Keyword::kDependentRequired, kNewer, kValidationWords, kObjectType},
    {"dependentSchemas", Keyword::kDependentSchemas, kNewer, kApplicatorWords, kObjectType},
    {"else", Keyword::kElse, kEverywhere, kApplicatorWords, kAnyType},
    {"if", Keyword::kIf, kEverywhere, kApplicatorWords, kAnyType},
    {"maxContains", Keyword::kMaxContains, kNewer, kValidationWords, kArrayType},
    {"minContains", Keyword::kMinContains, kNewer, kValidationWords, kArrayType},
    {"not", Keyword::kNot, kEverywhere, kApplicatorWords, kAnyType},
    {"oneOf", Keyword::kOneOf, kEverywhere, kApplicatorWords, kAnyType},
    {"patternProperties", Keyword::kPatternProperties, kEverywhere, kApplicatorWords, kObjectType},
    {"prefixItems", Keyword::kPrefixItems, kNewer, kApplicatorWords, kArrayType},
    {"propertyNames", Keyword::kPropertyNames, kEverywhere, kApplicatorWords, kObjectType},
    {"then", Keyword::kThen, kEverywhere, kApplicatorWords, kAnyType},
    {"unevaluatedItems", Keyword::kUnevaluatedItems, kNewer, kUnevaluatedWords, kArrayType},
    {"unevaluatedProperties", Keyword::kUnevaluatedProperties, kNewer, kUnevaluatedWords,
     kObjectType},

    {"$anchor", Keyword::kAnchor, kNewer, kCoreWords, kAnyType},
    {"$defs", Keyword::kDefinitions, kNewer, kCoreWords, kAnyType},
    {"$dynamicAnchor", Keyword::kDynamicAnchor, kNewer, kCoreWords, kAnyType},
    {"$dynamicRef", Keyword::kDynamicRef, kNewer, kCoreWords, kAnyType},
    {"$id", Keyword::kId, kEverywhere, kCoreWords, kAnyType},
    {"$ref", Keyword::kRef, kEverywhere, kCoreWords, kAnyType},
    {"$schema", Keyword::kSchema, kEverywhere, kCoreWords, kAnyType},

    {"additionalItems", Keyword::kAdditionalItems, kTools7, kApplicatorWords, kArrayType},
    {"definitions", Keyword::kDefinitions, kTools7, kCoreWords, kAnyType},
    // In 2020-12 split in two, and kept by its meta-schema for what still writes it.
    {"dependencies", Keyword::kDependencies, kTools7 | kTools2020, kApplicatorWords, kObjectType},

    {"$comment", Keyword::kAnnotation, kEverywhere, kCoreWords, kAnyType},
    {"description", Keyword::kAnnotation, kEverywhere, kCoreWords, kAnyType},
    {"examples", Keyword::kAnnotation, kEverywhere, kCoreWords, kAnyType},
    {"title", Keyword::kAnnotation, kEverywhere, kCoreWords, kAnyType},
    {"deprecated", Keyword::kAnnotation, kEverywhere, kCoreWords, kAnyType},

    {"$recursiveRef", Keyword::kUnsupported, kTools2020, kCoreWords, kAnyType},

    {"email", Keyword::kEmail, kSkills, kCoreWords, kStringType},
    {"emailDomain", Keyword::kEmailDomain, kSkills, kCoreWords, kStringType},
    {"path", Keyword::kPath, kSkills, kCoreWords, kStringType},
    {"plain", Keyword::kPlain, kSkills, kCoreWords, kStringType},
    {"sensitive", Keyword::kAnnotation, kSkills, kCoreWords, kAnyType},
    {"url", Keyword::kUrl, kSkills, kCoreWords, kStringType},
};

constexpr struct {
  const char* name;
  const char* words;
  Types bit;
} kTypes[] = {
    {"string", "a string", kStringType}, {"integer", "an integer", kIntegerType},
    {"number", "a number", kNumberType}, {"boolean", "a boolean", kBooleanType},
    {"array", "an array", kArrayType},   {"object", "an object", kObjectType},
    {"null", "null", kNullType},
};

// Null for a word that nobody knows. Each word has one row.
const Row* RowOf(absl::string_view name) {
  static const auto* const rows = [] {
    auto* found = new absl::flat_hash_map<absl::string_view, const Row*>;
    for (const Row& row : kRows) found->emplace(row.name, &row);
    return found;
  }();
  const auto row = rows->find(name);
  return row == rows->end() ? nullptr : row->second;
}

uint8_t UserOf(const Language& language) {
  if (language.dialect == Dialect::kSkill) return kSkills;
  return language.draft == Draft::k7 ? kTools7 : kTools2020;
}

}  // namespace

Keyword FindKeyword(absl::string_view name, const Language& language) {
  const Row* const row = RowOf(name);
  const bool known =
      row != nullptr && (row->users & UserOf(language)) != 0 && (row->words & language.words) != 0;
  return known ? row->keyword : Keyword::kUnknown;
}

absl::string_view KeywordName(Keyword keyword) {
  if (keyword == Keyword::kAnnotation || keyword == Keyword::kUnsupported) return "";
  for (const Row& row : kRows) {
    if (row.keyword == keyword) return row.name;
  }
  return "";
}

// An `$id` in an `enum` or behind an unknown word is none.
Holds WhatItHolds(Keyword keyword) {
  switch (keyword) {
    case Keyword::kAllOf:
    case Keyword::kAnyOf:
    case Keyword::kOneOf:
    case Keyword::kPrefixItems:
      return Holds::kSchemas;
    case Keyword::kDefinitions:
    case Keyword::kProperties:
    case Keyword::kPatternProperties:
    case Keyword::kDependentSchemas:
    case Keyword::kDependencies:
      return Holds::kNamedSchemas;
    case Keyword::kItems:
      return Holds::kSchemaOrSchemas;
    case Keyword::kAdditionalItems:
    case Keyword::kAdditionalProperties:
    case Keyword::kContains:
    case Keyword::kElse:
    case Keyword::kIf:
    case Keyword::kNot:
    case Keyword::kPropertyNames:
    case Keyword::kThen:
    case Keyword::kUnevaluatedItems:
    case Keyword::kUnevaluatedProperties:
      return Holds::kSchema;
    default:
      return Holds::kNothing;
  }
}

bool AppliesInPlace(Keyword keyword) {
  switch (keyword) {
    case Keyword::kAllOf:
    case Keyword::kAnyOf:
    case Keyword::kDependencies:
    case Keyword::kDependentSchemas:
    case Keyword::kDynamicRef:
    case Keyword::kElse:
    case Keyword::kIf:
    case Keyword::kNot:
    case Keyword::kOneOf:
    case Keyword::kRef:
    case Keyword::kThen:
      return true;
    default:
      return false;
  }
}

bool ReadsStrictly(Keyword keyword) {
  switch (keyword) {
    case Keyword::kEmail:
    case Keyword::kEmailDomain:
    case Keyword::kFormat:
    case Keyword::kPath:
    case Keyword::kPlain:
    case Keyword::kUrl:
      return true;
    default:
      return false;
  }
}

Types AppliesTo(Keyword keyword) {
  for (const Row& row : kRows) {
    if (row.keyword == keyword) return row.applies;
  }
  return kAnyType;
}

std::vector<std::string> KnownKeywords(Dialect dialect) {
  std::vector<std::string> names;
  for (const Row& row : kRows) {
    if ((row.users & UserOf({.dialect = dialect})) != 0) names.push_back(row.name);
  }
  return names;
}

Types FindType(absl::string_view name) {
  for (const auto& type : kTypes) {
    if (name == type.name) return type.bit;
  }
  return 0;
}

Types TypesOf(json::Value schema) {
  const json::Value type = schema.Find("type");
  Types types = type.is_string() ? FindType(type.string()) : 0;
  for (json::Value name : type.items()) {
    if (name.is_string()) types |= FindType(name.string());
  }
  return types == 0 ? kAnyType : types;
}

bool CanMeet(Types a, Types b) {
  return (a & b) != 0 || ((a & kNumeric) != 0 && (b & kNumeric) != 0);
}

bool SaysItsType(json::Value schema) {
  for (const char* keyword : {"type", "const", "enum", "equals", "in"}) {
    if (schema.Find(keyword).exists()) return true;
  }
  return false;
}

std::string TypesInWords(Types types) {
  if (types == kAnyType) return "anything";
  std::string words;
  for (const auto& type : kTypes) {
    if ((types & type.bit) != 0) absl::StrAppend(&words, words.empty() ? "" : " or ", type.words);
  }
  return words;
}

bool IsOfType(json::Value value, Types types) {
  switch (value.kind()) {
    case json::Kind::kMissing:
      return false;
    case json::Kind::kNull:
      return (types & kNullType) != 0;
    case json::Kind::kBool:
      return (types & kBooleanType) != 0;
    case json::Kind::kInteger:
    case json::Kind::kUnsigned:
      return (types & (kNumberType | kIntegerType)) != 0;
    case json::Kind::kDouble:
      return (types & kNumberType) != 0 || ((types & kIntegerType) != 0 && IsIntegral(value));
    case json::Kind::kString:
      return (types & kStringType) != 0;
    case json::Kind::kArray:
      return (types & kArrayType) != 0;
    case json::Kind::kObject:
      return (types & kObjectType) != 0;
  }
  return false;
}

}  // namespace tipstaff::schema
