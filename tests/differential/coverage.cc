#include "tests/differential/coverage.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace tipstaff::differential {
namespace {

constexpr call::Reason kReasons[] = {
    call::Reason::kPermitted,  call::Reason::kUnknownTool,     call::Reason::kNoPermission,
    call::Reason::kOutOfScope, call::Reason::kArgumentRefused, call::Reason::kDenyRule,
    call::Reason::kMarked,     call::Reason::kLimitExceeded,   call::Reason::kPrecondition,
    call::Reason::kRunExpired, call::Reason::kApprovalPending, call::Reason::kCanary};

// Each has to hold somewhere and to refuse somewhere.
constexpr const char* kWords[] = {"$dynamicRef",
                                  "$ref",
                                  "additionalProperties",
                                  "after",
                                  "allOf",
                                  "anyOf",
                                  "approval",
                                  "args",
                                  "argument_bytes",
                                  "calls",
                                  "calls_per_minute",
                                  "canary",
                                  "const",
                                  "contains",
                                  "deny",
                                  "deny: args",
                                  "deny: schema",
                                  "deny: uri",
                                  "prompt",
                                  "uri",
                                  "dependentRequired",
                                  "dependentSchemas",
                                  "else",
                                  "email",
                                  "emailDomain",
                                  "enum",
                                  "equals",
                                  "exclusiveMaximum",
                                  "exclusiveMinimum",
                                  "format",
                                  "if",
                                  "in",
                                  "items",
                                  "maxBytes",
                                  "maxContains",
                                  "maxItems",
                                  "maxLength",
                                  "maxProperties",
                                  "maximum",
                                  "minBytes",
                                  "minContains",
                                  "minItems",
                                  "minLength",
                                  "minProperties",
                                  "minimum",
                                  "multipleOf",
                                  "not",
                                  "oneOf",
                                  "path",
                                  "pattern",
                                  "patternProperties",
                                  "plain",
                                  "prefixItems",
                                  "properties",
                                  "propertyNames",
                                  "refused_after",
                                  "required",
                                  "result_bytes",
                                  "run: argument_bytes",
                                  "run: calls",
                                  "run: calls_per_minute",
                                  "run: result_bytes",
                                  "text",
                                  "text: line",
                                  "text: lines",
                                  "schema",
                                  "then",
                                  "type",
                                  "unevaluatedItems",
                                  "unevaluatedProperties",
                                  "uniqueItems",
                                  "url",
                                  "url: bound hosts",
                                  "url: bound paths",
                                  "url: bound ports",
                                  "url: bound schemes",
                                  "wall"};

// These refuse nothing by themselves.
constexpr const char* kSilentWords[] = {"$anchor",   "$comment",   "$defs",       "$dynamicAnchor",
                                        "$id",       "deprecated", "description", "examples",
                                        "text: any", "title",      "true"};

}  // namespace

void Coverage::Add(const Coverage& other) {
  pairs += other.pairs;
  runs += other.runs;
  refused_runs += other.refused_runs;
  unclear += other.unclear;
  for (const auto& [reason, count] : other.reasons) reasons[reason] += count;
  words.Add(other.words);
}

std::string Coverage::Show() const {
  std::string text = absl::StrCat(pairs, " pairs of ", runs, " runs; ", refused_runs,
                                  " runs with skills that do not load; ", unclear,
                                  " pairs with more than one possible reason\n\n");
  for (const auto& [reason, count] : reasons) {
    absl::StrAppendFormat(&text, "  %-22s%12d\n", call::ReasonName(reason), count);
  }
  absl::StrAppendFormat(&text, "\n  %-22s%12s%12s\n", "keyword", "held", "refused");
  for (const auto& [word, count] : words.counts()) {
    absl::StrAppendFormat(&text, "  %-22s%12d%12d\n", word, count.held, count.refused);
  }
  return text;
}

std::vector<std::string> Coverage::Missing() const {
  std::vector<std::string> missing;
  for (const call::Reason reason : kReasons) {
    if (!reasons.contains(reason)) {
      missing.push_back(absl::StrCat("no call was decided `", call::ReasonName(reason), "`"));
    }
  }
  const auto check = [&](const char* word, bool refuses) {
    const auto found = words.counts().find(word);
    const reference::Count count =
        found == words.counts().end() ? reference::Count() : found->second;
    if (count.held == 0) missing.push_back(absl::StrCat("`", word, "` never held"));
    if (refuses && count.refused == 0) {
      missing.push_back(absl::StrCat("`", word, "` never refused anything"));
    }
  };
  for (const char* word : kWords) check(word, true);
  for (const char* word : kSilentWords) check(word, false);
  return missing;
}

}  // namespace tipstaff::differential
