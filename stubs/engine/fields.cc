#include "stubs/engine/fields.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "stubs/engine/codes.h"

namespace tipstaff::engine {

std::string Suggest(absl::string_view name, absl::Span<const std::string> names) {
  const std::string nearest = source::NearestName(name, names);
  return nearest.empty() ? "" : absl::StrCat("did you mean `", nearest, "`?");
}

std::string ListNames(absl::Span<const std::string> names) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i) {
    absl::StrAppend(&text,
                    i == 0                  ? ""
                    : i + 1 == names.size() ? " and "
                                            : ", ",
                    "`", names[i], "`");
  }
  return text;
}

void Fields::Add(source::Diagnostic diagnostic, absl::string_view label) {
  diagnostic.label = std::string(label);
  diagnostic.notes.insert(diagnostic.notes.end(), notes_.begin(), notes_.end());
  diagnostics_.push_back(std::move(diagnostic));
}

void Fields::Error(json::Value at, absl::string_view code, absl::string_view message,
                   absl::string_view label) {
  Add(document_.At(at, std::string(code), std::string(message)), label);
}

void Fields::ErrorAtKey(json::Value at, absl::string_view code, absl::string_view message,
                        absl::string_view label) {
  Add(document_.AtKey(at, std::string(code), std::string(message)), label);
}

void Fields::Warning(json::Value at, absl::string_view code, absl::string_view message,
                     absl::string_view label) {
  source::Diagnostic diagnostic = document_.At(at, std::string(code), std::string(message));
  diagnostic.severity = source::Severity::kWarning;
  Add(std::move(diagnostic), label);
}

void Fields::WarningAtKey(json::Value at, absl::string_view code, absl::string_view message,
                          absl::string_view label) {
  source::Diagnostic diagnostic = document_.AtKey(at, std::string(code), std::string(message));
  diagnostic.severity = source::Severity::kWarning;
  Add(std::move(diagnostic), label);
}

bool Fields::IsMapping(json::Value value, absl::string_view what,
                       std::initializer_list<absl::string_view> known,
                       std::initializer_list<absl::string_view> required) {
  if (!value.is_object()) {
    Error(value, kTypeCode,
          absl::StrCat(what, " must be a mapping, not ", json::KindName(value.kind())));
    return false;
  }
  for (const json::Member& member : value.members()) {
    if (std::find(known.begin(), known.end(), member.key) != known.end()) continue;
    const std::vector<std::string> names(known.begin(), known.end());
    std::string label = Suggest(member.key, names);
    if (label.empty()) label = absl::StrCat(what, " has ", ListNames(names));
    ErrorAtKey(member.value, kUnknownKeyCode,
               absl::StrCat("unknown key `", base::Escape(member.key), "`"), label);
  }
  bool complete = true;
  for (const absl::string_view key : required) {
    if (value.Find(key).exists()) continue;
    Error(value, kMissingKeyCode, absl::StrCat(what, " needs the key `", key, "`"));
    complete = false;
  }
  return complete;
}

bool Fields::IsKind(json::Value value, json::Kind kind, absl::string_view what,
                    absl::string_view expected) {
  if (value.kind() == kind) return true;
  Error(value, kTypeCode,
        absl::StrCat(what, " must be ", expected, ", not ", json::KindName(value.kind())));
  return false;
}

bool Fields::IsText(json::Value value, absl::string_view what) {
  return IsKind(value, json::Kind::kString, what, "text");
}

bool Fields::IsSequence(json::Value value, absl::string_view what) {
  return IsKind(value, json::Kind::kArray, what, "a sequence");
}

bool Fields::IsObject(json::Value value, absl::string_view what) {
  return IsKind(value, json::Kind::kObject, what, "a mapping");
}

std::optional<bool> Fields::Bool(json::Value value, absl::string_view what) {
  if (!IsKind(value, json::Kind::kBool, what, "true or false")) return std::nullopt;
  return value.boolean();
}

std::optional<int64_t> Fields::Integer(json::Value value, absl::string_view what, int64_t least,
                                       int64_t most) {
  if (value.kind() == json::Kind::kInteger && value.integer() >= least && value.integer() <= most) {
    return value.integer();
  }
  Error(value, value.is_integer() ? kValueCode : kTypeCode,
        absl::StrCat(what, " must be an integer from ", least, " to ", most));
  return std::nullopt;
}

void Fields::Unknown(json::Value at, absl::string_view what, absl::string_view name,
                     absl::Span<const std::string> names) {
  std::string label = Suggest(name, names);
  if (label.empty()) {
    label = names.empty() ? absl::StrCat("there is no ", what)
                          : absl::StrCat("there is ", ListNames(names));
  }
  Error(at, kUnknownNameCode, absl::StrCat("unknown ", what, " `", base::Escape(name), "`"), label);
}

}  // namespace tipstaff::engine
