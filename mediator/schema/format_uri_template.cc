#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "mediator/base/utf8.h"
#include "mediator/schema/format_checks.h"
#include "mediator/schema/uri_parts.h"

// RFC 6570, section 2.
namespace tipstaff::schema {
namespace {

// Takes one literal character or escape off `text`. An apostrophe may stand (erratum 6937).
bool TakeLiteral(absl::string_view& text) {
  if (StartsWithEscape(text)) {
    text.remove_prefix(3);
    return true;
  }
  const base::CodePoint point = base::FirstCodePoint(text);
  if (!point.valid) return false;
  const char32_t c = point.value;
  const bool stands = c < 0x80 ? absl::ascii_isgraph(static_cast<char>(c)) &&
                                     !absl::StrContains("\"%<>\\^`{|}", static_cast<char>(c))
                               : IsUcsChar(c) || IsPrivateChar(c);
  text.remove_prefix(point.bytes);
  return stands;
}

// Letters, digits, `_` and escapes, with single dots between them.
bool IsVariableName(absl::string_view name) {
  bool after_character = false;
  while (!name.empty()) {
    size_t bytes = 1;
    if (name[0] == '.') {
      if (!after_character) return false;
      after_character = false;
    } else {
      const bool escape = StartsWithEscape(name);
      if (!escape && !absl::ascii_isalnum(name[0]) && name[0] != '_') return false;
      bytes = escape ? 3 : 1;
      after_character = true;
    }
    name.remove_prefix(bytes);
  }
  return after_character;
}

// A number from 1 to 9999 without leading zeros.
bool IsPrefixLength(absl::string_view text) {
  if (text.empty() || text.size() > 4 || text[0] == '0') return false;
  for (const char c : text) {
    if (!absl::ascii_isdigit(c)) return false;
  }
  return true;
}

bool IsVariable(absl::string_view text) {
  if (absl::ConsumeSuffix(&text, "*")) return IsVariableName(text);
  const size_t colon = text.find(':');
  if (colon == absl::string_view::npos) return IsVariableName(text);
  return IsVariableName(text.substr(0, colon)) && IsPrefixLength(text.substr(colon + 1));
}

// What stands between the braces. The operators `=,!@|` are reserved and mean nothing yet.
bool IsExpression(absl::string_view text) {
  if (!text.empty() && absl::StrContains("+#./;?&", text[0])) text.remove_prefix(1);
  for (const absl::string_view variable : absl::StrSplit(text, ',')) {
    if (!IsVariable(variable)) return false;
  }
  return true;
}

}  // namespace

bool IsUriTemplate(absl::string_view text) {
  while (!text.empty()) {
    if (text[0] != '{') {
      if (!TakeLiteral(text)) return false;
      continue;
    }
    const size_t close = text.find('}');
    if (close == absl::string_view::npos) return false;
    if (!IsExpression(text.substr(1, close - 1))) return false;
    text.remove_prefix(close + 1);
  }
  return true;
}

}  // namespace tipstaff::schema
