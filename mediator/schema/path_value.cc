#include "mediator/schema/path_value.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "mediator/base/escape.h"
#include "mediator/base/utf8.h"
#include "mediator/schema/characters.h"
#include "mediator/schema/obeyed_names.h"

namespace tipstaff::schema {
namespace {

constexpr size_t kMaxPath = 4096;
constexpr size_t kMaxPart = 255;

using Problem = std::optional<std::string>;

struct RefusedCharacter {
  char character;
  absl::string_view why;
};
constexpr RefusedCharacter kRefused[] = {
    {'\\', "another system's separator"},   {':', "it names drives and streams"},
    {'%', "some readers decode it"},        {'$', "some readers expand it"},
    {'`', "some readers run what follows"}, {'*', "a pattern to some readers"},
    {'?', "a pattern to some readers"},     {'"', "no file name on every system"},
    {'<', "no file name on every system"},  {'>', "no file name on every system"},
    {'|', "no file name on every system"},
};

Problem CharacterProblem(absl::string_view path) {
  for (size_t i = 0; i < path.size();) {
    const base::CodePoint point = base::FirstCodePoint(path.substr(i));
    if (!point.valid) return absl::StrCat("byte ", i + 1, " is not UTF-8");
    i += point.bytes;
    if (base::ActsOrHides(point.value)) {
      return absl::StrFormat("it holds the invisible or control character U+%04X", point.value);
    }
    if (BecomesPathSyntax(point.value)) {
      return absl::StrFormat("it holds U+%04X, which some readers take for a dot or separator",
                             point.value);
    }
    const std::string forms = AsciiForms(point.value);
    for (const RefusedCharacter& refused : kRefused) {
      if (absl::StrContains(forms, refused.character)) {
        return absl::StrFormat("it holds `%c`: %s", refused.character, refused.why);
      }
    }
  }
  return std::nullopt;
}

bool BeginsWithSpace(absl::string_view part) { return IsSpace(base::FirstCodePoint(part).value); }

bool EndsWithSpace(absl::string_view part) {
  size_t last = part.size() - 1;
  while (last > 0 && (part[last] & 0xc0) == 0x80) --last;
  return IsSpace(base::FirstCodePoint(part.substr(last)).value);
}

bool HasShortName(absl::string_view part) {
  for (size_t i = 0; i + 1 < part.size(); ++i) {
    if (part[i] == '~' && absl::ascii_isdigit(part[i + 1])) return true;
  }
  return false;
}

// `con`, and with whatever extension: the name before the first dot decides. Superscript digits
// count too.
bool IsDevice(absl::string_view folded) {
  absl::string_view name = folded.substr(0, folded.find('.'));
  name = absl::StripTrailingAsciiWhitespace(name);
  for (const absl::string_view device : {"con", "prn", "aux", "nul"}) {
    if (name == device) return true;
  }
  if (!absl::ConsumePrefix(&name, "com") && !absl::ConsumePrefix(&name, "lpt")) return false;
  const bool digit = name.size() == 1 && absl::ascii_isdigit(name[0]);
  return digit || name == "\xc2\xb9" || name == "\xc2\xb2" || name == "\xc2\xb3";
}

// What every path must keep to, whatever the rule.
Problem PartProblem(absl::string_view part) {
  if (part.empty()) return "is empty";
  if (part == ".") return "is `.`";
  if (part == "..") return "is `..`";
  if (part.size() > kMaxPart) return absl::StrCat("is over ", kMaxPart, " bytes");
  if (BeginsWithSpace(part)) return "begins with a space";
  if (EndsWithSpace(part)) return "ends with a space";
  if (part.back() == '.') return "ends with a dot";
  const std::string folded = FoldName(part);
  if (HasShortName(folded)) return "has the form of a short name: `~` before a digit";
  if (IsDevice(folded)) return "is the name of a Windows device";
  if (const ObeyedName* row = FindObeyedName(folded)) {
    return absl::StrCat("falls under `", row->name, "`: ", row->why);
  }
  return std::nullopt;
}

std::vector<absl::string_view> Parts(absl::string_view path) { return absl::StrSplit(path, '/'); }

Problem ShapeProblem(absl::string_view path) {
  if (path.empty()) return "it is empty";
  if (path.size() > kMaxPath) return absl::StrCat("it is over ", kMaxPath, " bytes");
  if (path[0] == '/') return "it is absolute";
  const base::CodePoint first_point = base::FirstCodePoint(path);
  const std::string first = first_point.valid ? AsciiForms(first_point.value) : "";
  if (absl::StartsWith(first, "-")) return "it begins with `-`, as options do";
  if (absl::StartsWith(first, "~")) return "it begins with `~`, a home folder to some readers";
  if (Problem problem = CharacterProblem(path)) return problem;
  size_t number = 0;
  for (const absl::string_view part : Parts(path)) {
    ++number;
    if (Problem problem = PartProblem(part)) return absl::StrCat("part ", number, " ", *problem);
  }
  return std::nullopt;
}

bool IsBelow(absl::string_view path, absl::string_view folder) {
  return absl::ConsumePrefix(&path, folder) && absl::StartsWith(path, "/");
}

bool HasExtension(absl::string_view folded_name, absl::string_view extension) {
  return absl::ConsumeSuffix(&folded_name, extension) && absl::ConsumeSuffix(&folded_name, ".") &&
         !folded_name.empty();
}

absl::Status Bad(absl::string_view entry, absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat("`", base::EscapeAndCut(entry, 80), "` ", what));
}

}  // namespace

absl::StatusOr<PathRule> NormalPathRule(PathRule rule) {
  for (std::string& folder : rule.under) {
    if (folder.size() > 1 && folder.back() == '/') folder.pop_back();
    if (Problem problem = ShapeProblem(folder)) {
      return Bad(folder, absl::StrCat("is no folder that `under` can name: ", *problem));
    }
    const bool dotted = folder[0] == '.' || absl::StrContains(folder, "/.");
    if (dotted && !rule.hidden) return Bad(folder, "is hidden: add `hidden: true`");
  }
  for (std::string& extension : rule.extensions) {
    if (absl::StrContains(extension, '/') || ShapeProblem(absl::StrCat("a.", extension))) {
      return Bad(extension, "is no extension: write it as `txt`");
    }
    if (extension[0] == '.') return Bad(extension, "begins with a dot: write it as `txt`");
    extension = FoldName(extension);
  }
  return rule;
}

Problem PathProblem(const PathRule& rule, absl::string_view path) {
  if (Problem problem = ShapeProblem(path)) return problem;
  const std::vector<absl::string_view> parts = Parts(path);
  for (size_t i = 0; i < parts.size(); ++i) {
    if (!rule.hidden && parts[i][0] == '.') {
      return absl::StrCat("part ", i + 1, " is hidden: it begins with a dot");
    }
  }
  const auto below = [path](absl::string_view folder) { return IsBelow(path, folder); };
  if (!rule.under.empty() && std::none_of(rule.under.begin(), rule.under.end(), below)) {
    return absl::StrCat("it is not under ", absl::StrJoin(rule.under, ", "));
  }
  const std::string name = FoldName(parts.back());
  const auto has = [&name](absl::string_view extension) { return HasExtension(name, extension); };
  if (!rule.extensions.empty() &&
      std::none_of(rule.extensions.begin(), rule.extensions.end(), has)) {
    return absl::StrCat("its extension is none of ", absl::StrJoin(rule.extensions, ", "));
  }
  return std::nullopt;
}

}  // namespace tipstaff::schema
