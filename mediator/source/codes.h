// The codes of what ParseYaml and ReadSource refuse.
#pragma once

#include "mediator/source/explanation.h"

namespace tipstaff::source {

inline constexpr char kSyntax[] = "Y001";
inline constexpr char kEncoding[] = "Y002";
inline constexpr char kTooLarge[] = "Y003";
inline constexpr char kEmptyFile[] = "Y004";
inline constexpr char kSecondDocument[] = "Y005";
inline constexpr char kDirective[] = "Y006";
inline constexpr char kTab[] = "Y007";
inline constexpr char kTooDeep[] = "Y008";
inline constexpr char kDuplicateKey[] = "Y009";
inline constexpr char kKeyNotString[] = "Y010";
inline constexpr char kAnchorOrAlias[] = "Y011";
inline constexpr char kMergeKey[] = "Y012";
inline constexpr char kTag[] = "Y013";
inline constexpr char kEmptyValue[] = "Y014";
inline constexpr char kAmbiguous[] = "Y015";
inline constexpr char kNumberRange[] = "Y016";
inline constexpr char kNul[] = "Y017";
inline constexpr char kPairInList[] = "Y018";
inline constexpr char kFolded[] = "Y019";
inline constexpr char kUnreadable[] = "Y020";

// One entry per code above, in that order.
ExplanationTable YamlExplanations();

}  // namespace tipstaff::source
