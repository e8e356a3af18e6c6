#include "mediator/schema/uri_parts.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/strip.h"
#include "mediator/base/utf8.h"
#include "mediator/schema/ip_address.h"

namespace tipstaff::schema {
namespace {

constexpr absl::string_view kUnreservedMarks = "-._~";
constexpr absl::string_view kSubDelims = "!$&'()*+,;=";

bool IsUnreservedOrSubDelim(char c) {
  return absl::ascii_isalnum(c) || absl::StrContains(kUnreservedMarks, c) ||
         absl::StrContains(kSubDelims, c);
}

// Text of unreserved characters, sub-delims, escapes and `more`.
bool IsRun(absl::string_view text, absl::string_view more, UriAlphabet alphabet, bool is_query) {
  for (size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (absl::ascii_isascii(c)) {
      if (c == '%' && !StartsWithEscape(text.substr(i))) return false;
      if (c != '%' && !IsUnreservedOrSubDelim(c) && !absl::StrContains(more, c)) return false;
      ++i;
      continue;
    }
    if (alphabet == UriAlphabet::kAscii) return false;
    const base::CodePoint point = base::FirstCodePoint(text.substr(i));
    if (!point.valid) return false;
    if (!IsUcsChar(point.value) && !(is_query && IsPrivateChar(point.value))) return false;
    i += point.bytes;
  }
  return true;
}

// `text` up to the first of `ends`; the rest stays in `text`.
absl::string_view TakeUpTo(absl::string_view ends, absl::string_view& text) {
  const absl::string_view taken = text.substr(0, text.find_first_of(ends));
  text.remove_prefix(taken.size());
  return taken;
}

Authority SplitAuthority(absl::string_view text) {
  Authority authority;
  if (const size_t at = text.find('@'); at != absl::string_view::npos) {
    authority.user = text.substr(0, at);
    text.remove_prefix(at + 1);
  }
  size_t host_end = text.find(':');
  if (absl::StartsWith(text, "[")) {
    const size_t close = text.find(']');
    host_end = close == absl::string_view::npos ? close : close + 1;
  }
  authority.host = text.substr(0, host_end);
  text.remove_prefix(authority.host.size());
  if (absl::ConsumePrefix(&text, ":")) {
    authority.port = text;
  } else if (!text.empty()) {
    authority.port = "?";  // something follows `]`: no port that anything takes
  }
  return authority;
}

}  // namespace

UriParts SplitUri(absl::string_view text) {
  UriParts parts;
  const size_t delimiter = text.find_first_of(":/?#");
  if (delimiter != absl::string_view::npos && text[delimiter] == ':') {
    parts.scheme = text.substr(0, delimiter);
    text.remove_prefix(delimiter + 1);
  }
  if (absl::ConsumePrefix(&text, "//")) {
    parts.authority_text = TakeUpTo("/?#", text);
    parts.authority = SplitAuthority(*parts.authority_text);
  }
  parts.path = TakeUpTo("?#", text);
  if (absl::ConsumePrefix(&text, "?")) parts.query = TakeUpTo("#", text);
  if (absl::ConsumePrefix(&text, "#")) parts.fragment = text;
  return parts;
}

bool IsScheme(absl::string_view text) {
  return !text.empty() && absl::ascii_isalpha(text[0]) &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return absl::ascii_isalnum(c) || c == '+' || c == '-' || c == '.';
         });
}

bool IsUser(absl::string_view text, UriAlphabet alphabet) {
  return IsRun(text, ":", alphabet, false);
}

bool IsRegName(absl::string_view text, UriAlphabet alphabet) {
  return IsRun(text, "", alphabet, false);
}

bool IsPath(absl::string_view text, UriAlphabet alphabet) {
  return IsRun(text, ":@/", alphabet, false);
}

bool IsQuery(absl::string_view text, UriAlphabet alphabet) {
  return IsRun(text, ":@/?", alphabet, true);
}

bool IsFragment(absl::string_view text, UriAlphabet alphabet) {
  return IsRun(text, ":@/?", alphabet, false);
}

bool IsIpLiteral(absl::string_view text) {
  if (!absl::ConsumePrefix(&text, "[") || !absl::ConsumeSuffix(&text, "]")) return false;
  if (!absl::StartsWithIgnoreCase(text, "v")) return IsIpv6(text);
  const size_t dot = text.find('.');
  if (dot == absl::string_view::npos) return false;
  const absl::string_view version = text.substr(1, dot - 1);
  const absl::string_view address = text.substr(dot + 1);
  return !version.empty() && std::all_of(version.begin(), version.end(), absl::ascii_isxdigit) &&
         !address.empty() && std::all_of(address.begin(), address.end(), [](char c) {
           return IsUnreservedOrSubDelim(c) || c == ':';
         });
}

bool IsUcsChar(char32_t c) {
  if (c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e)) return false;
  return (c >= 0xa0 && c <= 0xd7ff) || (c >= 0xf900 && c <= 0xfdcf) ||
         (c >= 0xfdf0 && c <= 0xffef) ||
         (c >= 0x10000 && c <= 0xeffff && (c & 0xffff) <= 0xfffd && !(c >= 0xe0000 && c < 0xe1000));
}

bool IsPrivateChar(char32_t c) {
  return (c >= 0xe000 && c <= 0xf8ff) || (c >= 0xf0000 && c <= 0x10ffff && (c & 0xffff) <= 0xfffd);
}

bool StartsWithEscape(absl::string_view text) {
  return text.size() >= 3 && text[0] == '%' && absl::ascii_isxdigit(text[1]) &&
         absl::ascii_isxdigit(text[2]);
}

}  // namespace tipstaff::schema
