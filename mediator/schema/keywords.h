// The words of the schema language.
#pragma once

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "mediator/json/document.h"
#include "mediator/schema/program.h"

namespace tipstaff::schema {

enum class Keyword : uint8_t {
  kUnknown,
  kAnnotation,   // says nothing about which values pass
  kUnsupported,  // constrains, and this version cannot check it
  // Say where a schema stands and what it is called.
  kAnchor,
  kDefinitions,  // `$defs`; in draft 7 `definitions`
  kDynamicAnchor,
  kId,
  kSchema,
  // In the order in which a value's constraints are checked.
  kType,
  kAdditionalProperties,
  kConst,
  kDependencies,  // of draft 7: what it asks of a member's company
  kDependentRequired,
  kEmail,
  kEmailDomain,
  kEnum,
  kEquals,
  kExclusiveMaximum,
  kExclusiveMinimum,
  kFormat,
  kIn,
  kItems,
  kMaxBytes,
  kMaxItems,
  kMaxLength,
  kMaxProperties,
  kMaximum,
  kMinBytes,
  kMinItems,
  kMinLength,
  kMinProperties,
  kMinimum,
  kMultipleOf,
  kPath,
  kPattern,
  kPlain,
  kProperties,
  kRequired,
  kText,
  kUniqueItems,
  kUrl,
  // These hold schemas, or say how many have to match.
  kAdditionalItems,
  kAllOf,
  kAnyOf,
  kContains,
  kDependentSchemas,
  kDynamicRef,
  kElse,
  kIf,
  kMaxContains,
  kMinContains,
  kNot,
  kOneOf,
  kPatternProperties,
  kPrefixItems,
  kPropertyNames,
  kRef,
  kThen,
  kUnevaluatedItems,
  kUnevaluatedProperties,
};

// Parts of the language as a set of bits; a meta-schema's `$vocabulary` leaves some out.
using Vocabularies = uint8_t;
inline constexpr Vocabularies kCoreWords = 1, kApplicatorWords = 2, kValidationWords = 4,
                              kUnevaluatedWords = 8, kFormatWords = 16, kAllWords = 31;

// What a word means depends on who uses it, and on the draft and vocabularies of the schema.
struct Language {
  Dialect dialect = Dialect::kTool;
  Draft draft = Draft::k2020;
  Vocabularies words = kAllWords;
};

// Types as a set of bits, for `type` and for what a keyword applies to.
using Types = uint8_t;
inline constexpr Types kNullType = 1, kBooleanType = 2, kNumberType = 4, kIntegerType = 8,
                       kStringType = 16, kArrayType = 32, kObjectType = 64, kAnyType = 127;

Keyword FindKeyword(absl::string_view name, const Language& language);
// As it is written; of the kinds that stand for several, "".
absl::string_view KeywordName(Keyword keyword);
// The kind of value that the keyword constrains; any other passes. kAnyType: constrains all.
Types AppliesTo(Keyword keyword);
// What the value of a keyword holds.
enum class Holds : uint8_t {
  kNothing,
  kSchema,
  kSchemas,          // a list
  kSchemaOrSchemas,  // `items`: a list of draft 7
  kNamedSchemas,     // a mapping
};
Holds WhatItHolds(Keyword keyword);
// Whether it applies what it holds to the value itself, not to a part of it.
bool AppliesInPlace(Keyword keyword);
// Whether it takes text apart by a grammar (`email`, `format`, `path`, `plain`, `url`), so that
// what a more lenient reader still understands fails it.
bool ReadsStrictly(Keyword keyword);
// The keywords that may be written in `dialect`, for suggestions.
std::vector<std::string> KnownKeywords(Dialect dialect);

// The bit of "string" and so on; 0 when there is no such type.
Types FindType(absl::string_view name);
// The types that a schema's `type` lets through; all where it is not there.
Types TypesOf(json::Value schema);
// Whether a value can be of a type of both; an integer is a number.
bool CanMeet(Types a, Types b);
// Whether the schema itself says of which type a value is: by `type`, or by the values that it
// lists.
bool SaysItsType(json::Value schema);
// "a string", "an array or null", "anything".
std::string TypesInWords(Types types);
// Whether `value` is of one of the types. 1e30 is an integer, as is 1.0.
bool IsOfType(json::Value value, Types types);

}  // namespace tipstaff::schema
