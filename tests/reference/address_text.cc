#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "tests/reference/texts.h"

namespace tipstaff::reference {
namespace {

// Of Unicode it knows one letter, and that IDNA2008 has it in lower case, among lower case.
bool IsLabel(absl::string_view label) {
  const std::string ascii = absl::StrReplaceAll(label, {{"\xc3\xa9", "e"}});
  const bool international = ascii.size() != label.size();
  if (ascii.empty() || label.size() > 63 || ascii.front() == '-' || ascii.back() == '-') {
    return false;
  }
  for (const char c : ascii) {
    if (!absl::ascii_isalnum(static_cast<unsigned char>(c)) && c != '-') return false;
    if (international && absl::ascii_isupper(static_cast<unsigned char>(c))) return false;
  }
  if (international && ascii.size() > 3 && ascii.substr(2, 2) == "--") return false;
  // Nothing here knows Punycode.
  return !absl::StartsWith(absl::AsciiStrToLower(ascii), "xn--");
}

bool IsNumber(absl::string_view label) {
  if (absl::StartsWith(label, "0x")) {
    return label.find_first_not_of("0123456789abcdef", 2) == absl::string_view::npos;
  }
  return label.find_first_not_of("0123456789") == absl::string_view::npos;
}

bool IsLocalPart(absl::string_view local) {
  if (local.empty() || local.size() > 64) return false;
  if (local.front() == '-' || local.front() == '.' || local.back() == '.') return false;
  for (size_t i = 0; i < local.size(); ++i) {
    const bool mark = absl::StrContains(".#&'*+-=^_{}~", local[i]);
    if (!absl::ascii_isalnum(static_cast<unsigned char>(local[i])) && !mark) return false;
    if (local[i] == '.' && local[i - 1] == '.') return false;
  }
  return true;
}

}  // namespace

bool IsDomain(absl::string_view name) {
  if (name.size() > 253) return false;
  const std::vector<std::string> labels = absl::StrSplit(name, '.');
  for (const std::string& label : labels) {
    if (!IsLabel(label)) return false;
  }
  return !IsNumber(absl::AsciiStrToLower(labels.back()));
}

bool IsIpv4(absl::string_view text) {
  const std::vector<std::string> parts = absl::StrSplit(text, '.');
  if (parts.size() != 4) return false;
  for (const std::string& part : parts) {
    uint32_t number = 0;
    if (part.empty() || part.size() > 3 || (part.size() > 1 && part[0] == '0')) return false;
    if (part.find_first_not_of("0123456789") != std::string::npos) return false;
    if (!absl::SimpleAtoi(part, &number) || number > 255) return false;
  }
  return true;
}

std::string PlainAddress(absl::string_view text) {
  const size_t at = text.find('@');
  if (at == absl::string_view::npos || text.size() > 254) return "";
  const absl::string_view local = text.substr(0, at), domain = text.substr(at + 1);
  if (!IsLocalPart(local) || !IsDomain(domain)) return "";
  return absl::StrCat(local, "@", absl::AsciiStrToLower(domain));
}

bool IsInDomain(absl::string_view entry, absl::string_view address) {
  const std::string plain = PlainAddress(address), wanted = absl::AsciiStrToLower(entry);
  if (plain.empty()) return false;
  const std::string domain = plain.substr(plain.find('@') + 1);
  if (!absl::StartsWith(wanted, "*.")) return IsDomain(wanted) && domain == wanted;
  return IsDomain(wanted.substr(2)) && absl::StrContains(wanted.substr(2), '.') &&
         absl::EndsWith(domain, wanted.substr(1));
}

}  // namespace tipstaff::reference
