#include "mediator/schema/plain.h"

#include <cstdint>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "mediator/base/escape.h"
#include "mediator/base/utf8.h"
#include "mediator/schema/characters.h"

namespace tipstaff::schema {
namespace {

struct Syntax {
  char character;
  absl::string_view what;
};
constexpr Syntax kAnywhere[] = {
    {';', "ends a command"},
    {'&', "ends a command"},
    {'|', "begins another command"},
    {'<', "redirects"},
    {'>', "redirects"},
    {'(', "groups commands"},
    {')', "groups commands"},
    {'{', "makes lists of words"},
    {'}', "makes lists of words"},
    {'[', "is a pattern"},
    {']', "is a pattern"},
    {'$', "is replaced by a variable or command"},
    {'`', "is replaced by what a command prints"},
    {'\\', "quotes what follows"},
    {'"', "quotes"},
    {'\'', "quotes"},
    {'*', "is a pattern"},
    {'?', "is a pattern"},
    {'!', "repeats an earlier command"},
    {'~', "is replaced by a home folder"},
    {'#', "begins a comment"},
    {'%', "is replaced by a variable in cmd.exe"},
    {'^', "quotes in cmd.exe"},
    {'=', "assigns to a variable or an option"},
};
constexpr Syntax kAtBeginning[] = {
    {'-', "as options do"},
    {'+', "as options do"},
    {'/', "as options of Windows do"},
    {'@', "as names of files with arguments do"},
};

// For a message: the character where it is ASCII, else its number.
std::string Shown(uint32_t c) {
  if (c < 0x80) return std::string(1, static_cast<char>(c));
  return absl::StrFormat("U+%04X", c);
}

std::optional<std::string> CharacterProblem(uint32_t c, bool begins_word) {
  if (base::ActsOrHides(c)) {
    return absl::StrFormat("it holds the invisible or control character U+%04X", c);
  }
  const std::string forms = AsciiForms(c);
  for (const Syntax& syntax : kAnywhere) {
    if (absl::StrContains(forms, syntax.character)) {
      return absl::StrCat("it holds `", Shown(c), "`, which ", syntax.what, " in a shell");
    }
  }
  if (!begins_word || forms.empty()) return std::nullopt;
  for (const Syntax& syntax : kAtBeginning) {
    if (forms.front() == syntax.character) {
      return absl::StrCat("a word begins with `", Shown(c), "`, ", syntax.what);
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> PlainProblem(absl::string_view text) {
  bool begins_word = true;
  for (size_t i = 0; i < text.size();) {
    const base::CodePoint point = base::FirstCodePoint(text.substr(i));
    if (!point.valid) return absl::StrCat("byte ", i + 1, " is not UTF-8");
    if (std::optional<std::string> problem = CharacterProblem(point.value, begins_word)) {
      return problem;
    }
    begins_word = IsSpace(point.value);
    i += point.bytes;
  }
  return std::nullopt;
}

}  // namespace tipstaff::schema
