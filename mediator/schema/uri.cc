#include "mediator/schema/uri.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "mediator/schema/uri_parts.h"

namespace tipstaff::schema::internal {
namespace {

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
std::string MergePaths(const UriParts& base, absl::string_view path) {
  if (base.authority_text && base.path.empty()) return absl::StrCat("/", path);
  const size_t slash = base.path.rfind('/');
  if (slash == absl::string_view::npos) return std::string(path);
  return absl::StrCat(base.path.substr(0, slash + 1), path);
}

// Section 5.3.
std::string Join(const UriParts& parts, absl::string_view path) {
  return absl::StrCat(parts.scheme ? absl::StrCat(*parts.scheme, ":") : "",
                      parts.authority_text ? absl::StrCat("//", *parts.authority_text) : "", path,
                      parts.query ? absl::StrCat("?", *parts.query) : "");
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
  if (base.empty()) return std::string(reference);
  UriParts target = SplitUri(reference);
  if (target.scheme) return Join(target, RemoveDotSegments(target.path));
  const UriParts from = SplitUri(base);
  target.scheme = from.scheme;
  if (target.authority_text) return Join(target, RemoveDotSegments(target.path));
  target.authority_text = from.authority_text;
  if (target.path.empty()) {
    if (!target.query) target.query = from.query;
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
