#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "tests/reference/texts.h"
#include "tests/reference/values.h"

namespace tipstaff::reference {
namespace {

// The parts of RFC 3986's appendix B.
struct Parts {
  std::string scheme, authority, path;
  std::string rest;  // query and fragment, with their marks
};

std::optional<Parts> Split(absl::string_view text) {
  const size_t colon = text.find("://");
  if (colon == absl::string_view::npos) return std::nullopt;
  const absl::string_view after = text.substr(colon + 3);
  const size_t authority_end = std::min(after.find_first_of("/?#"), after.size());
  const absl::string_view tail = after.substr(authority_end);
  const size_t path_end = std::min(tail.find_first_of("?#"), tail.size());
  return Parts{std::string(text.substr(0, colon)), std::string(after.substr(0, authority_end)),
               std::string(tail.substr(0, path_end)), std::string(tail.substr(path_end))};
}

bool IsScheme(absl::string_view text) {
  if (text.empty() || !absl::ascii_isalpha(static_cast<unsigned char>(text[0]))) return false;
  return std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return absl::ascii_isalnum(c) || c == '+' || c == '-' || c == '.';
  });
}

// RFC 3986's pchar and those of `more`; escapes whole.
bool HasCharacters(absl::string_view text, absl::string_view more) {
  for (size_t i = 0; i < text.size(); ++i) {
    const unsigned char c = static_cast<unsigned char>(text[i]);
    if (c == '%') {
      const auto hex = [&](size_t at) {
        return at < text.size() && absl::ascii_isxdigit(static_cast<unsigned char>(text[at]));
      };
      if (!hex(i + 1) || !hex(i + 2)) return false;
    } else if (!absl::ascii_isalnum(c) && !absl::StrContains("-._~!$&'()*+,;=:@", text[i]) &&
               !absl::StrContains(more, text[i])) {
      return false;
    }
  }
  return true;
}

std::string Unescaped(absl::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%') {
      out += absl::HexStringToBytes(std::string(text.substr(i + 1, 2)));
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

// Whether it is UTF-8 in the shortest form, as its own text says it again.
bool IsUtf8(absl::string_view text) {
  size_t follow = 0;
  for (const char c : text) {
    const unsigned char byte = static_cast<unsigned char>(c);
    const bool follows = byte >= 0x80 && byte < 0xc0;
    if (follows != (follow > 0)) return false;
    if (follows) {
      --follow;
    } else if (byte >= 0xc0) {
      follow = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
      if (byte < 0xc2 || byte > 0xf4) return false;
    }
  }
  if (follow > 0) return false;
  for (size_t i = 0; i + 1 < text.size(); ++i) {
    const unsigned char lead = static_cast<unsigned char>(text[i]);
    const unsigned char next = static_cast<unsigned char>(text[i + 1]);
    if ((lead == 0xe0 && next < 0xa0) || (lead == 0xed && next >= 0xa0) ||
        (lead == 0xf0 && next < 0x90) || (lead == 0xf4 && next >= 0x90)) {
      return false;
    }
  }
  return true;
}

// Of what an escape stands for: what acts, hides, or is a separator to some.
bool IsHarmless(char32_t c) {
  static const auto* kHarmful =
      new std::set<char32_t>{'/', '\\', 0xad, 0x200b, 0x2028, 0x202e, 0xfeff, 0xff0e, 0xff0f};
  return c >= 0x20 && !(c >= 0x7f && c < 0xa0) && !kHarmful->contains(c);
}

bool IsSegment(absl::string_view segment) {
  const std::string once = Unescaped(segment);
  if (!IsUtf8(once)) return false;
  for (const char32_t c : CodePoints(once)) {
    if (!IsHarmless(c)) return false;
  }
  for (size_t i = 0; i < once.size(); ++i) {
    const auto hex = [&](size_t at) {
      return at < once.size() && absl::ascii_isxdigit(static_cast<unsigned char>(once[at]));
    };
    if (once[i] == '%' && hex(i + 1) && hex(i + 2)) return false;
  }
  const std::string name = once.substr(0, once.find(';'));
  return name != "." && name != "..";
}

bool IsUrlPath(const std::string& path) {
  if (!HasCharacters(path, "/")) return false;
  for (absl::string_view segment : absl::StrSplit(path, '/')) {
    if (!IsSegment(segment)) return false;
  }
  return true;
}

uint32_t DefaultPort(absl::string_view scheme) {
  if (scheme == "https" || scheme == "wss") return 443;
  if (scheme == "http" || scheme == "ws") return 80;
  return scheme == "ftp" ? 21 : 0;
}

using Entries = std::optional<std::vector<json::Value>>;

// An entry that is no text is one that nothing matches.
std::string LowerCase(json::Value entry) {
  return entry.is_string() ? absl::AsciiStrToLower(entry.string()) : "";
}

bool IsListedScheme(const Entries& entries, const std::string& scheme) {
  if (!entries.has_value()) return scheme == "https";
  return std::any_of(entries->begin(), entries->end(),
                     [&](json::Value entry) { return LowerCase(entry) == scheme; });
}

bool IsListedHost(const Entries& entries, absl::string_view name) {
  const std::string host = absl::AsciiStrToLower(name);
  if (!entries.has_value()) return false;
  for (json::Value one : *entries) {
    const std::string entry = LowerCase(one);
    if (entry == host) return true;
    // A whole top-level domain is no entry.
    if (!absl::StartsWith(entry, "*.") || !absl::StrContains(entry.substr(2), '.')) continue;
    if (!IsIpv4(host) && absl::EndsWith(host, entry.substr(1))) return true;
  }
  return false;
}

bool IsListedPort(const Entries& entries, const std::string& scheme, uint32_t port) {
  if (!entries.has_value()) return port == DefaultPort(scheme);
  return std::any_of(entries->begin(), entries->end(), [&](json::Value entry) {
    return entry.is_number() && entry.number() == static_cast<double>(port);
  });
}

bool IsListedPath(const Entries& entries, const std::string& path) {
  if (!entries.has_value()) return true;
  for (json::Value one : *entries) {
    if (!one.is_string()) continue;
    const std::string entry(one.string());
    if (absl::EndsWith(entry, "/") ? absl::StartsWith(path, entry) : entry == path) return true;
  }
  return false;
}

// "host" or "host:port"; 0 for no port, which no URL may write.
bool SplitAuthority(const std::string& authority, std::string& host, uint32_t& port) {
  const size_t colon = authority.find(':');
  host = authority.substr(0, colon);
  port = 0;
  if (colon == std::string::npos) return true;
  const std::string digits = authority.substr(colon + 1);
  return !digits.empty() && digits[0] != '0' && digits.size() <= 5 &&
         digits.find_first_not_of("0123456789") == std::string::npos &&
         absl::SimpleAtoi(digits, &port) && port >= 1 && port <= 65535;
}

}  // namespace

bool IsUrl(const UrlLists& lists, absl::string_view text) {
  const std::optional<Parts> parts = Split(text);
  if (text.size() > 8192 || !parts.has_value() || !IsScheme(parts->scheme)) return false;
  const size_t mark = parts->rest.find('#');
  const std::string query = parts->rest.substr(0, mark);
  const std::string fragment = mark == std::string::npos ? "" : parts->rest.substr(mark + 1);
  if (!HasCharacters(query, "/?") || !HasCharacters(fragment, "/?")) return false;
  std::string host;
  uint32_t port = 0;
  if (absl::StrContains(parts->authority, '@') || !SplitAuthority(parts->authority, host, port)) {
    return false;
  }
  if ((!IsDomain(host) && !IsIpv4(host)) || !IsUrlPath(parts->path)) return false;
  const std::string scheme = absl::AsciiStrToLower(parts->scheme);
  return IsListedScheme(lists.schemes, scheme) && IsListedHost(lists.hosts, host) &&
         IsListedPort(lists.ports, scheme, port == 0 ? DefaultPort(scheme) : port) &&
         IsListedPath(lists.paths, parts->path.empty() ? "/" : parts->path);
}

}  // namespace tipstaff::reference
