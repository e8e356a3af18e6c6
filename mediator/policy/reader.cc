#include "mediator/policy/reader.h"

#include <algorithm>
#include <set>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "mediator/base/escape.h"
#include "mediator/policy/codes.h"
#include "mediator/policy/name.h"

namespace tipstaff::policy::internal {
namespace {

constexpr size_t kShownColumns = 60;
// So many names a message lists.
constexpr size_t kShownNames = 6;

const char* CodeOf(schema::ProblemKind kind) {
  switch (kind) {
    case schema::ProblemKind::kUnknownKeyword:
      return kUnknownKeyword;
    case schema::ProblemKind::kBadValue:
      return kBadKeywordValue;
    case schema::ProblemKind::kBadPattern:
      return kBadPattern;
    case schema::ProblemKind::kUnknownBinding:
      return kUnknownBinding;
    case schema::ProblemKind::kMisplacedBinding:
      return kMisplacedBinding;
    case schema::ProblemKind::kContradiction:
      return kContradiction;
    case schema::ProblemKind::kNeverApplies:
      return kNeverApplies;
    case schema::ProblemKind::kUntyped:
      return kUntypedKeyword;
  }
  return kBadKeywordValue;
}

// Words of other schema languages and what they are called here.
struct ForeignWord {
  absl::string_view word, help;
};
constexpr ForeignWord kForeignWords[] = {
    {"choices", "`enum` lists the values"},
    {"default", "of an argument nothing is filled in: `optional: true` lets it be left out"},
    {"length", "`maxBytes` limits a text, `maxItems` a list"},
    {"max", "`maximum` limits a number, `maxBytes` a text, `maxItems` a list"},
    {"min", "`minimum` limits a number, `minBytes` a text, `minItems` a list"},
    {"nullable", "list the types: `type: [string, \"null\"]`"},
    {"optional", "it belongs to an argument as a whole, not to a part of it"},
    {"regex", "did you mean `pattern`?"},
    {"regexp", "did you mean `pattern`?"},
    {"size", "`maxBytes` limits a text, `maxItems` a list"},
    {"values", "`enum` lists the values"},
};

std::string LabelOf(const schema::Problem& problem) {
  if (!problem.help.empty()) return problem.help;
  for (const ForeignWord& foreign : kForeignWords) {
    if (problem.kind == schema::ProblemKind::kUnknownKeyword && problem.wrong == foreign.word) {
      return std::string(foreign.help);
    }
  }
  if (problem.kind == schema::ProblemKind::kUntyped) return "add the `type` that is meant";
  if (problem.kind != schema::ProblemKind::kUnknownBinding) {
    return problem.wrong.empty() ? "" : Reader::Suggestion(problem.wrong, problem.candidates);
  }
  std::vector<std::string> names;
  for (const std::string& name : problem.candidates) names.push_back(absl::StrCat("$", name));
  return Reader::Suggestion(absl::StrCat("$", problem.wrong), names);
}

}  // namespace

std::string KindInWords(json::Value value) {
  switch (value.kind()) {
    case json::Kind::kBool:
      return value.boolean() ? "`true`" : "`false`";
    case json::Kind::kString:
      return "a text";
    case json::Kind::kArray:
      return "a list";
    case json::Kind::kObject:
      return "a mapping";
    case json::Kind::kNull:
      return "null";
    default:
      return value.is_number() ? "a number" : "nothing";
  }
}

std::string Shown(absl::string_view text) {
  return absl::StrCat("`", base::EscapeAndCut(text, kShownColumns), "`");
}

void Reader::Add(source::Diagnostic diagnostic, source::Severity severity, std::string label) {
  diagnostic.severity = severity;
  diagnostic.label = std::move(label);
  diagnostic.notes.insert(diagnostic.notes.end(), notes_.begin(), notes_.end());
  if (severity == source::Severity::kError) failed_ = true;
  diagnostics_.push_back(std::move(diagnostic));
}

void Reader::Error(json::Value at, const char* code, std::string message, std::string label) {
  Add(document_.At(at, code, std::move(message)), source::Severity::kError, std::move(label));
}

void Reader::ErrorAtKey(json::Value at, const char* code, std::string message, std::string label) {
  Add(document_.AtKey(at, code, std::move(message)), source::Severity::kError, std::move(label));
}

void Reader::Warn(json::Value at, const char* code, std::string message, std::string label) {
  Add(document_.At(at, code, std::move(message)), source::Severity::kWarning, std::move(label));
}

void Reader::WarnAtKey(json::Value at, const char* code, std::string message, std::string label) {
  Add(document_.AtKey(at, code, std::move(message)), source::Severity::kWarning, std::move(label));
}

void Reader::MissingKey(json::Value mapping, absl::string_view key, std::string message,
                        std::string label) {
  MissingOneOf(mapping, absl::MakeConstSpan(&key, 1), std::move(message), std::move(label));
}

void Reader::MissingOneOf(json::Value mapping, absl::Span<const absl::string_view> keys,
                          std::string message, std::string label) {
  for (const absl::string_view key : keys) {
    if (!misspelt_.contains({mapping.index(), std::string(key)})) continue;
    failed_ = true;
    return;
  }
  Error(mapping, kMissingKey, std::move(message), std::move(label));
}

int Reader::LineOf(json::Value value) const { return document_.SpanOf(value).line; }

std::string Reader::Suggestion(absl::string_view wrong, absl::Span<const std::string> known) {
  const std::string near = source::NearestName(wrong, known);
  if (!near.empty()) return absl::StrCat("did you mean `", near, "`?");
  if (known.empty() || known.size() > kShownNames) return "";
  return absl::StrCat("there is `", absl::StrJoin(known, "`, `"), "`");
}

bool Reader::CheckMapping(json::Value value, absl::string_view what,
                          absl::Span<const absl::string_view> known) {
  if (!value.is_object()) {
    Error(value, kWrongKind, absl::StrCat(what, " is a mapping of keys, not ", KindInWords(value)));
    return false;
  }
  for (const json::Member& member : value.members()) {
    if (std::find(known.begin(), known.end(), member.key) != known.end()) continue;
    std::vector<std::string> names;  // that are still free
    for (const absl::string_view name : known) {
      if (!value.Find(name).exists()) names.emplace_back(name.data(), name.size());
    }
    const std::string near = source::NearestName(member.key, names);
    if (!near.empty()) misspelt_.insert({value.index(), near});
    ErrorAtKey(member.value, kUnknownKey,
               absl::StrCat("unknown key ", Shown(member.key), " in ", what),
               near.empty() ? absl::StrCat("its keys are `", absl::StrJoin(known, "`, `"), "`")
                            : absl::StrCat("did you mean `", near, "`?"));
  }
  return true;
}

std::optional<std::string> Reader::Text(json::Value mapping, absl::string_view key) {
  const json::Value value = mapping.Find(key);
  if (!value.exists()) return std::nullopt;
  if (value.is_string()) return std::string(value.string());
  Error(value, kWrongKind, absl::StrCat("`", key, "` takes a text, not ", KindInWords(value)),
        value.is_object() || value.is_array() ? "" : "put it in quotes");
  return std::nullopt;
}

std::optional<std::string> Reader::RequireText(json::Value mapping, absl::string_view key,
                                               absl::string_view what) {
  if (!mapping.Find(key).exists()) {
    MissingKey(mapping, key, absl::StrCat("`", key, "` is missing in ", what),
               absl::StrCat("add `", key, ": ...`"));
    return std::nullopt;
  }
  std::optional<std::string> text = Text(mapping, key);
  if (text.has_value() && text->empty()) {
    Error(mapping.Find(key), kWrongKind, absl::StrCat("`", key, "` is empty"));
    return std::nullopt;
  }
  return text;
}

bool Reader::CheckName(json::Value at, absl::string_view name, bool at_key) {
  if (IsName(name)) return true;
  std::string message = absl::StrCat(Shown(name),
                                     " is no name: use at most 64 letters, digits, `-` and `_`, a "
                                     "letter first");
  std::string label = absl::StrContains(name, "\u201c") || absl::StrContains(name, "\u201d")
                          ? "these quotes are typographic: YAML has \" and '"
                          : "";
  if (at_key) {
    ErrorAtKey(at, kBadName, std::move(message), std::move(label));
  } else {
    Error(at, kBadName, std::move(message), std::move(label));
  }
  return false;
}

std::optional<std::string> Reader::RequireName(json::Value mapping, absl::string_view key,
                                               absl::string_view what) {
  std::optional<std::string> name = RequireText(mapping, key, what);
  if (name.has_value() && !CheckName(mapping.Find(key), *name, /*at_key=*/false)) {
    return std::nullopt;
  }
  return name;
}

json::Value Reader::List(json::Value mapping, absl::string_view key) {
  const json::Value value = mapping.Find(key);
  if (!value.exists() || value.is_array()) return value;
  std::string message = absl::StrCat("`", key, "` takes a list, not ", KindInWords(value));
  if (value.is_object()) {
    ErrorAtKey(value, kWrongKind, std::move(message), "begin each entry below it with `- `");
  } else {
    Error(value, kWrongKind, std::move(message),
          value.is_string() ? absl::StrCat("write ", Shown(absl::StrCat("[", value.string(), "]")))
                            : "");
  }
  return json::Value();
}

void Reader::AddProblems(absl::Span<const schema::Problem> problems) {
  // One mistake, one message: of a keyword whose value is wrong anyway nothing else is said.
  std::set<uint32_t> wrong;
  for (const schema::Problem& problem : problems) {
    if (problem.kind == schema::ProblemKind::kBadValue) wrong.insert(problem.at.index());
  }
  for (const schema::Problem& problem : problems) {
    if (problem.kind == schema::ProblemKind::kNeverApplies && wrong.contains(problem.at.index())) {
      continue;
    }
    const char* code = CodeOf(problem.kind);
    source::Diagnostic diagnostic = problem.at_key
                                        ? document_.AtKey(problem.at, code, problem.message)
                                        : document_.At(problem.at, code, problem.message);
    Add(std::move(diagnostic),
        schema::IsWarning(problem) ? source::Severity::kWarning : source::Severity::kError,
        LabelOf(problem));
  }
}

}  // namespace tipstaff::policy::internal
