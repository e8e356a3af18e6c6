// The codes of what is wrong with a stub's files.
#pragma once

#include "mediator/source/explanation.h"

namespace tipstaff::engine {

inline constexpr char kFileCode[] = "S001";
inline constexpr char kUnknownKeyCode[] = "S002";
inline constexpr char kTypeCode[] = "S003";
inline constexpr char kMissingKeyCode[] = "S004";
inline constexpr char kValueCode[] = "S005";
inline constexpr char kTwiceCode[] = "S006";
inline constexpr char kSchemaCode[] = "S007";
inline constexpr char kUnknownNameCode[] = "S008";
inline constexpr char kReferenceCode[] = "S009";
inline constexpr char kActionCode[] = "S010";
inline constexpr char kEffectCode[] = "S011";
inline constexpr char kRowCode[] = "S012";
inline constexpr char kSlotCode[] = "S013";
inline constexpr char kScriptCode[] = "S014";
inline constexpr char kFaultCode[] = "S015";
inline constexpr char kUnusedCode[] = "S016";     // a warning
inline constexpr char kUncheckedCode[] = "S017";  // a warning
inline constexpr char kColumnCode[] = "S018";     // a warning
inline constexpr char kColumnsCode[] = "S019";
inline constexpr char kDataCode[] = "S020";
inline constexpr char kReplyCode[] = "S021";
inline constexpr char kStateCode[] = "S022";

// One entry per code above, in that order: for `tipstaff check --explain`.
source::ExplanationTable StubExplanations();

}  // namespace tipstaff::engine
