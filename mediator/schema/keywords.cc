#include "mediator/schema/keywords.h"

#include "absl/strings/str_cat.h"
#include "mediator/schema/numbers.h"

namespace tipstaff::schema {
namespace {

constexpr uint8_t kSkills = 1, kTools = 2, kBoth = 3;
constexpr Types kNumeric = kNumberType | kIntegerType;

struct Row {
  const char* name;
  Keyword keyword;
  uint8_t dialects;
  Types applies;
};

constexpr Row kRows[] = {
    {"additionalProperties", Keyword::kAdditionalProperties, kBoth, kObjectType},
    {"const", Keyword::kConst, kBoth, kAnyType},
    {"enum", Keyword::kEnum, kBoth, kAnyType},
    {"equals", Keyword::kEquals, kSkills, kAnyType},
    {"exclusiveMaximum", Keyword::kExclusiveMaximum, kBoth, kNumeric},
    {"exclusiveMinimum", Keyword::kExclusiveMinimum, kBoth, kNumeric},
    {"in", Keyword::kIn, kSkills, kAnyType},
    {"items", Keyword::kItems, kBoth, kArrayType},
    {"maxBytes", Keyword::kMaxBytes, kSkills, kStringType},
    {"maxItems", Keyword::kMaxItems, kBoth, kArrayType},
    {"maxLength", Keyword::kMaxLength, kBoth, kStringType},
    {"maximum", Keyword::kMaximum, kBoth, kNumeric},
    {"minBytes", Keyword::kMinBytes, kSkills, kStringType},
    {"minItems", Keyword::kMinItems, kBoth, kArrayType},
    {"minLength", Keyword::kMinLength, kBoth, kStringType},
    {"minimum", Keyword::kMinimum, kBoth, kNumeric},
    {"multipleOf", Keyword::kMultipleOf, kBoth, kNumeric},
    {"pattern", Keyword::kPattern, kBoth, kStringType},
    {"properties", Keyword::kProperties, kBoth, kObjectType},
    {"required", Keyword::kRequired, kBoth, kObjectType},
    {"text", Keyword::kText, kSkills, kAnyType},
    {"type", Keyword::kType, kBoth, kAnyType},
    {"uniqueItems", Keyword::kUniqueItems, kBoth, kArrayType},

    {"$comment", Keyword::kAnnotation, kBoth, kAnyType},
    {"description", Keyword::kAnnotation, kBoth, kAnyType},
    {"examples", Keyword::kAnnotation, kBoth, kAnyType},
    {"title", Keyword::kAnnotation, kBoth, kAnyType},
    {"deprecated", Keyword::kAnnotation, kBoth, kAnyType},

    {"$dynamicRef", Keyword::kUnsupported, kBoth, kAnyType},
    {"$recursiveRef", Keyword::kUnsupported, kTools, kAnyType},
    {"$ref", Keyword::kUnsupported, kBoth, kAnyType},
    {"allOf", Keyword::kUnsupported, kBoth, kAnyType},
    {"anyOf", Keyword::kUnsupported, kBoth, kAnyType},
    {"contains", Keyword::kUnsupported, kBoth, kArrayType},
    {"dependencies", Keyword::kUnsupported, kTools, kObjectType},
    {"dependentRequired", Keyword::kUnsupported, kBoth, kObjectType},
    {"dependentSchemas", Keyword::kUnsupported, kBoth, kObjectType},
    {"else", Keyword::kUnsupported, kBoth, kAnyType},
    {"if", Keyword::kUnsupported, kBoth, kAnyType},
    {"maxContains", Keyword::kUnsupported, kBoth, kArrayType},
    {"maxProperties", Keyword::kUnsupported, kBoth, kObjectType},
    {"minContains", Keyword::kUnsupported, kBoth, kArrayType},
    {"minProperties", Keyword::kUnsupported, kBoth, kObjectType},
    {"not", Keyword::kUnsupported, kBoth, kAnyType},
    {"oneOf", Keyword::kUnsupported, kBoth, kAnyType},
    {"patternProperties", Keyword::kUnsupported, kBoth, kObjectType},
    {"prefixItems", Keyword::kUnsupported, kBoth, kArrayType},
    {"propertyNames", Keyword::kUnsupported, kBoth, kObjectType},
    {"then", Keyword::kUnsupported, kBoth, kAnyType},
    {"unevaluatedItems", Keyword::kUnsupported, kBoth, kArrayType},
    {"unevaluatedProperties", Keyword::kUnsupported, kBoth, kObjectType},

    {"$defs", Keyword::kUnsupported, kSkills, kAnyType},
    {"email", Keyword::kUnsupported, kSkills, kStringType},
    {"emailDomain", Keyword::kUnsupported, kSkills, kStringType},
    {"format", Keyword::kUnsupported, kSkills, kStringType},
    {"path", Keyword::kUnsupported, kSkills, kStringType},
    {"plain", Keyword::kUnsupported, kSkills, kStringType},
    {"sensitive", Keyword::kUnsupported, kSkills, kAnyType},
    {"url", Keyword::kUnsupported, kSkills, kStringType},
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

uint8_t Bit(Dialect dialect) { return dialect == Dialect::kSkill ? kSkills : kTools; }

}  // namespace

Keyword FindKeyword(absl::string_view name, Dialect dialect) {
  for (const Row& row : kRows) {
    if (name == row.name && (row.dialects & Bit(dialect)) != 0) return row.keyword;
  }
  return Keyword::kUnknown;
}

absl::string_view KeywordName(Keyword keyword) {
  if (keyword == Keyword::kAnnotation || keyword == Keyword::kUnsupported) return "";
  for (const Row& row : kRows) {
    if (row.keyword == keyword) return row.name;
  }
  return "";
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
    if ((row.dialects & Bit(dialect)) != 0) names.push_back(row.name);
  }
  return names;
}

Types FindType(absl::string_view name) {
  for (const auto& type : kTypes) {
    if (name == type.name) return type.bit;
  }
  return 0;
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
