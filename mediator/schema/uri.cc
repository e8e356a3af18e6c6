#include "mediator/schema/uri.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "mediator/schema/uri_parts.h"

namespace tipstaff::schema::internal {
namespace {

struct Components {
  absl::string_view scheme, authority, path, query;  // without their delimiters
  bool has_scheme = false, has_authority = false, has_query = false;
};

Components Split(absl::string_view uri) {
  Components parts;
  const size_t colon = uri.find(':');
  if (colon != absl::string_view::npos && IsScheme(uri.substr(0, colon))) {
    parts.has_scheme = true;
    parts.scheme = uri.substr(0, colon);
    uri.remove_prefix(colon + 1);
  }
  if (const size_t mark = uri.find('?'); mark != absl::string_view::npos) {
    parts.has_query = true;
    parts.query = uri.substr(mark + 1);
    uri = uri.substr(0, mark);
  }
  if (absl::ConsumePrefix(&uri, "//")) {
    parts.has_authority = true;
    const size_t slash = std::min(uri.find('/'), uri.size());
    parts.authority = uri.substr(0, slash);
    uri.remove_prefix(slash);
  }
  parts.path = uri;
  return parts;
}

void RemoveLastSegment(std::string& path) {
  const size_t slash = path.rfind('/');
  path.resize(slash == std::string::npos ? 0 : slash);
}

// Section 5.2.4.
std::string RemoveDotSegments(absl::string_view in) {
  std::string out;
  while (!in.empty()) {
    if (absl::ConsumePrefix(&in, "../") || absl::ConsumePrefix(&in, "./")) continue;
    if (absl::StartsWith(in, "/./") || in == "/.") {
      in = in == "/." ? absl::string_view("/") : in.substr(2);
    } else if (absl::StartsWith(in, "/../") || in == "/..") {
      in = in == "/.." ? absl::string_view("/") : in.substr(3);
      RemoveLastSegment(out);
    } else if (in == "." || in == "..") {
      break;
    } else {
      const size_t end = std::min(in.find('/', 1), in.size());
      absl::StrAppend(&out, in.substr(0, end));
      in.remove_prefix(end);
    }
  }
  return out;
}

// Section 5.2.3.
std::string MergePaths(const Components& base, absl::string_view path) {
  if (base.has_authority && base.path.empty()) return absl::StrCat("/", path);
  const size_t slash = base.path.rfind('/');
  if (slash == absl::string_view::npos) return std::string(path);
  return absl::StrCat(base.path.substr(0, slash + 1), path);
}

std::string Join(const Components& parts, absl::string_view path) {
  return absl::StrCat(parts.has_scheme ? absl::StrCat(parts.scheme, ":") : "",
                      parts.has_authority ? absl::StrCat("//", parts.authority) : "", path,
                      parts.has_query ? absl::StrCat("?", parts.query) : "");
}

int HexDigit(char c) {
  if (!absl::ascii_isxdigit(static_cast<unsigned char>(c))) return -1;
  return absl::ascii_isdigit(static_cast<unsigned char>(c)) ? c - '0'
                                                            : absl::ascii_tolower(c) - 'a' + 10;
}

}  // namespace

UriAndFragment SplitFragment(absl::string_view reference) {
  const size_t hash = reference.find('#');
  if (hash == absl::string_view::npos) return {reference, ""};
  return {reference.substr(0, hash), reference.substr(hash + 1)};
}

std::string ResolveUri(absl::string_view base, absl::string_view reference) {
  Components target = Split(reference);
  if (base.empty()) return std::string(reference);
  if (target.has_scheme) return Join(target, RemoveDotSegments(target.path));
  const Components from = Split(base);
  target.has_scheme = from.has_scheme;
  target.scheme = from.scheme;
  if (target.has_authority) return Join(target, RemoveDotSegments(target.path));
  target.has_authority = from.has_authority;
  target.authority = from.authority;
  if (target.path.empty()) {
    if (!target.has_query) {
      target.has_query = from.has_query;
      target.query = from.query;
    }
    return Join(target, from.path);
  }
  if (target.path.front() == '/') return Join(target, RemoveDotSegments(target.path));
  return Join(target, RemoveDotSegments(MergePaths(from, target.path)));
}

std::optional<std::string> PercentDecode(absl::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    const int high = i + 2 < text.size() ? HexDigit(text[i + 1]) : -1;
    const int low = high < 0 ? -1 : HexDigit(text[i + 2]);
    if (low < 0) return std::nullopt;
    out += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return out;
}

}  // namespace tipstaff::schema::internal
