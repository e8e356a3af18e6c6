#include "mediator/schema/url_path.h"

#include <string>

#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "mediator/base/escape.h"
#include "mediator/base/utf8.h"
#include "mediator/schema/characters.h"
#include "mediator/schema/uri_parts.h"

namespace tipstaff::schema {
namespace {

// The segment with its escapes read once; IsPath() has seen to it that they are whole.
std::string Decode(absl::string_view segment) {
  std::string out;
  for (size_t i = 0; i < segment.size(); ++i) {
    if (segment[i] != '%') {
      out += segment[i];
      continue;
    }
    out.append(absl::HexStringToBytes(segment.substr(i + 1, 2)));
    i += 2;
  }
  return out;
}

bool IsPlainSegment(absl::string_view segment) {
  const std::string text = Decode(segment);
  // Some readers take more than the shortest form: %c0%ae is a dot to them.
  if (!base::IsUtf8(text)) return false;
  for (size_t i = 0; i < text.size();) {
    const absl::string_view rest = absl::string_view(text).substr(i);
    const base::CodePoint point = base::FirstCodePoint(rest);
    if (point.value == '/' || point.value == '\\' || base::ActsOrHides(point.value) ||
        BecomesPathSyntax(point.value) || StartsWithEscape(rest)) {
      return false;
    }
    i += point.bytes;
  }
  // Some servers cut parameters off before they look for dots.
  const absl::string_view name = absl::string_view(text).substr(0, text.find(';'));
  return name != "." && name != "..";
}

}  // namespace

bool IsPlainUrlPath(absl::string_view path) {
  if (path.empty()) return true;
  if (path[0] != '/' || !IsPath(path, UriAlphabet::kAscii)) return false;
  for (const absl::string_view segment : absl::StrSplit(path.substr(1), '/')) {
    if (!IsPlainSegment(segment)) return false;
  }
  return true;
}

}  // namespace tipstaff::schema
