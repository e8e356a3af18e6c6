#include "mediator/policy/reader.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "mediator/policy/codes.h"

namespace tipstaff::policy::internal {
namespace {

constexpr size_t kMaxNameBytes = 64;
constexpr size_t kShownColumns = 60;

const char* CodeOf(schema::ProblemKind kind) {
  switch (kind) {
    case schema::ProblemKind::kUnknownKeyword:
      return kUnknownKeyword;
    case schema::ProblemKind::kUnsupportedKeyword:
      return kUnsupportedKeyword;
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

bool IsName(absl::string_view name) {
  return !name.empty() && name.size() <= kMaxNameBytes && absl::ascii_isalpha(name.front()) &&
         std::all_of(name.begin(), name.end(), [](unsigned char c) {
           return absl::ascii_isalnum(c) || c == '-' || c == '_';
         });
}

}  // namespace

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

void Reader::Warn(json::Value at, const char* code, std::string message) {
  Add(document_.At(at, code, std::move(message)), source::Severity::kWarning, "");
}

std::string Reader::Suggestion(absl::string_view wrong, absl::Span<const std::string> known) {
  const std::string near = source::NearestName(wrong, known);
  return near.empty() ? "" : absl::StrCat("did you mean `", near, "`?");
}

bool Reader::CheckMapping(json::Value value, absl::string_view what,
                          absl::Span<const absl::string_view> known,
                          absl::Span<const absl::string_view> later) {
  if (!value.is_object()) {
    Error(value, kWrongKind,
          absl::StrCat(what, " is a mapping of keys; this is of the kind ",
                       json::KindName(value.kind())));
    return false;
  }
  for (const json::Member& member : value.members()) {
    if (std::find(known.begin(), known.end(), member.key) != known.end()) continue;
    if (std::find(later.begin(), later.end(), member.key) != later.end()) {
      ErrorAtKey(member.value, kUnsupportedKey,
                 absl::StrCat("this version does not support `", member.key, "` in ", what));
      continue;
    }
    std::vector<std::string> names;
    for (const absl::string_view name : known) names.emplace_back(name.data(), name.size());
    ErrorAtKey(member.value, kUnknownKey,
               absl::StrCat("unknown key ", Shown(member.key), " in ", what),
               Suggestion(member.key, names));
  }
  return true;
}

std::optional<std::string> Reader::Text(json::Value mapping, absl::string_view key) {
  const json::Value value = mapping.Find(key);
  if (!value.exists()) return std::nullopt;
  if (value.is_string()) return std::string(value.string());
  Error(value, kWrongKind,
        absl::StrCat("`", key, "` takes a text, not ", KindName(value.kind()),
                     value.is_object() || value.is_array() ? "" : ": put it in quotes"));
  return std::nullopt;
}

std::optional<std::string> Reader::RequireText(json::Value mapping, absl::string_view key,
                                               absl::string_view what) {
  if (!mapping.Find(key).exists()) {
    Error(mapping, kMissingKey, absl::StrCat("`", key, "` is missing in ", what));
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
  if (at_key) {
    ErrorAtKey(at, kBadName, std::move(message));
  } else {
    Error(at, kBadName, std::move(message));
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
  Error(value, kWrongKind, absl::StrCat("`", key, "` takes a list, not ", KindName(value.kind())));
  return json::Value();
}

void Reader::AddProblems(absl::Span<const schema::Problem> problems) {
  for (const schema::Problem& problem : problems) {
    const char* code = CodeOf(problem.kind);
    source::Diagnostic diagnostic = problem.at_key
                                        ? document_.AtKey(problem.at, code, problem.message)
                                        : document_.At(problem.at, code, problem.message);
    Add(std::move(diagnostic),
        schema::IsWarning(problem) ? source::Severity::kWarning : source::Severity::kError,
        Suggestion(problem.wrong, problem.candidates));
  }
}

}  // namespace tipstaff::policy::internal
