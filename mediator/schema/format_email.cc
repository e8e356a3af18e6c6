#include <optional>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/strip.h"
#include "mediator/schema/format_checks.h"
#include "mediator/schema/host_name.h"
#include "mediator/schema/ip_address.h"

namespace tipstaff::schema {
namespace {

constexpr size_t kMaxLocalPart = 64;  // RFC 5321, section 4.5.3.1.1
constexpr size_t kMaxAddress = 254;   // section 4.5.3.1.3, less the angle brackets

enum class Letters { kAscii, kInternational };

// RFC 5322 atext; RFC 6531 adds all that is not ASCII.
bool IsAtomText(char c, Letters letters) {
  if (!absl::ascii_isascii(c)) return letters == Letters::kInternational;
  return absl::ascii_isalnum(c) || absl::StrContains("!#$%&'*+-/=?^_`{|}~", c);
}

// Takes a dot-string off `text`.
bool TakeDotString(absl::string_view& text, Letters letters) {
  bool need_atom = true;
  size_t i = 0;
  for (; i < text.size() && text[i] != '@'; ++i) {
    if (text[i] == '.') {
      if (need_atom) return false;
      need_atom = true;
    } else {
      if (!IsAtomText(text[i], letters)) return false;
      need_atom = false;
    }
  }
  text.remove_prefix(i);
  return !need_atom;
}

// Takes a quoted-string off `text`, which begins with the quote.
bool TakeQuoted(absl::string_view& text, Letters letters) {
  for (size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '"') {
      text.remove_prefix(i + 1);
      return true;
    }
    if (text[i] == '\\' && ++i == text.size()) return false;
    const bool printable = absl::ascii_isprint(text[i]);
    if (!printable && (absl::ascii_isascii(text[i]) || letters == Letters::kAscii)) return false;
  }
  return false;
}

bool IsAddressLiteral(absl::string_view text) {
  if (!absl::ConsumePrefix(&text, "[") || !absl::ConsumeSuffix(&text, "]")) return false;
  if (!absl::StartsWithIgnoreCase(text, "IPv6:")) return IsIpv4(text);
  return IsIpv6(text.substr(5));
}

bool IsMailbox(absl::string_view text, Letters letters) {
  const size_t whole = text.size();
  const bool local =
      absl::StartsWith(text, "\"") ? TakeQuoted(text, letters) : TakeDotString(text, letters);
  if (!local || whole - text.size() > kMaxLocalPart) return false;
  const size_t local_size = whole - text.size();
  if (!absl::ConsumePrefix(&text, "@")) return false;
  if (absl::StartsWith(text, "[")) return IsAddressLiteral(text);
  HostNameRules rules;
  rules.international = letters == Letters::kInternational;
  rules.normalize = true;
  const std::optional<std::string> domain = AsciiHostName(text, rules);
  return domain.has_value() && local_size + 1 + domain->size() <= kMaxAddress;
}

}  // namespace

bool IsEmail(absl::string_view text) { return IsMailbox(text, Letters::kAscii); }

bool IsIdnEmail(absl::string_view text) { return IsMailbox(text, Letters::kInternational); }

}  // namespace tipstaff::schema
