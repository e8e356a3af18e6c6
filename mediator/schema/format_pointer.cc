#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "mediator/schema/format_checks.h"

namespace tipstaff::schema {

bool IsUuid(absl::string_view text) {
  constexpr absl::string_view kShape = "hhhhhhhh-hhhh-hhhh-hhhh-hhhhhhhhhhhh";
  if (text.size() != kShape.size()) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (kShape[i] == '-' ? text[i] != '-' : !absl::ascii_isxdigit(text[i])) return false;
  }
  return true;
}

bool IsJsonPointer(absl::string_view text) {
  if (!text.empty() && text[0] != '/') return false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '~') continue;
    if (i + 1 == text.size() || (text[i + 1] != '0' && text[i + 1] != '1')) return false;
  }
  return true;
}

bool IsRelativeJsonPointer(absl::string_view text) {
  size_t digits = 0;
  while (digits < text.size() && absl::ascii_isdigit(text[digits])) ++digits;
  if (digits == 0 || (text[0] == '0' && digits > 1)) return false;
  text.remove_prefix(digits);
  return text == "#" || IsJsonPointer(text);
}

}  // namespace tipstaff::schema
