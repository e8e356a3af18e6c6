// The codes of what loading a skill (P0xx) and granting it (P1xx) say.
#pragma once

#include "mediator/source/explanation.h"

namespace tipstaff::policy {

inline constexpr char kUnknownKey[] = "P001";
inline constexpr char kWrongKind[] = "P002";
inline constexpr char kMissingKey[] = "P003";
inline constexpr char kBadName[] = "P005";
inline constexpr char kDuplicate[] = "P006";
inline constexpr char kUntypedBinding[] = "P010";
inline constexpr char kBadDefault[] = "P011";
inline constexpr char kUnknownKeyword[] = "P012";
inline constexpr char kBadKeywordValue[] = "P014";
inline constexpr char kBadPattern[] = "P015";
inline constexpr char kUnknownBinding[] = "P016";
inline constexpr char kMisplacedBinding[] = "P017";
inline constexpr char kContradiction[] = "P018";
inline constexpr char kNeverApplies[] = "P019";
inline constexpr char kUntypedKeyword[] = "P020";  // warning
inline constexpr char kArgsAndSchema[] = "P021";
inline constexpr char kOpenSchema[] = "P022";
inline constexpr char kNotAReference[] = "P023";  // warning
inline constexpr char kWrongCompany[] = "P024";
inline constexpr char kBadBackend[] = "P030";
inline constexpr char kUnknownBackend[] = "P031";
inline constexpr char kUnknownAlias[] = "P032";
inline constexpr char kUnknownTool[] = "P033";
inline constexpr char kUnusableTool[] = "P034";
inline constexpr char kLoweredEffect[] = "P040";
inline constexpr char kEffectsDiffer[] = "P041";
inline constexpr char kNoFinalize[] = "P042";
inline constexpr char kSeveralFinalize[] = "P043";
inline constexpr char kUnscopedWrite[] = "P050";
inline constexpr char kNeedlessUnscoped[] = "P051";
inline constexpr char kUnknownScope[] = "P052";
inline constexpr char kUnknownPermission[] = "P060";
inline constexpr char kAfterItself[] = "P061";
inline constexpr char kIdleLabel[] = "P062";    // warning
inline constexpr char kNeverUsable[] = "P063";  // warning
inline constexpr char kBadLimit[] = "P070";
inline constexpr char kBadPart[] = "P071";
inline constexpr char kNotSensitive[] = "P072";
inline constexpr char kBadGlob[] = "P080";
inline constexpr char kIdleRule[] = "P081";      // warning
inline constexpr char kAlwaysDenied[] = "P082";  // warning
inline constexpr char kSlipsPast[] = "P083";
inline constexpr char kCoveredRule[] = "P084";        // warning
inline constexpr char kCoveredPermission[] = "P085";  // warning
inline constexpr char kIdleSchema[] = "P086";   // a warning where other skills may have such a tool
inline constexpr char kOpenDefault[] = "P087";  // warning
inline constexpr char kNobody[] = "P088";       // warning
inline constexpr char kForeignArgument[] = "P090";  // warning
inline constexpr char kMissingArgument[] = "P091";  // warning
inline constexpr char kNoDenialTest[] = "P092";     // warning
inline constexpr char kNoAllowTest[] = "P093";      // warning
inline constexpr char kOtherType[] = "P094";        // warning
inline constexpr char kBadExpectation[] = "P096";
inline constexpr char kNoSkill[] = "P100";
inline constexpr char kMissingBinding[] = "P101";
inline constexpr char kUnwantedBinding[] = "P102";
inline constexpr char kBadBinding[] = "P103";
inline constexpr char kAliasClash[] = "P104";
inline constexpr char kFinalizeClash[] = "P105";
inline constexpr char kNameClash[] = "P106";
inline constexpr char kToolChanged[] = "P107";
inline constexpr char kSkillTwice[] = "P108";
inline constexpr char kEffectClash[] = "P109";
inline constexpr char kDefaultClash[] = "P110";
inline constexpr char kBadCanary[] = "P111";

// One entry per code above, in that order.
source::ExplanationTable PolicyExplanations();

}  // namespace tipstaff::policy
