#include "mediator/policy/uri_template.h"

#include <re2/re2.h>

#include <optional>
#include <string>

#include "absl/strings/str_cat.h"

namespace tipstaff::policy::internal {
namespace {

constexpr size_t kMaxTemplateBytes = 4096;
constexpr size_t kMaxUriBytes = 8192;

std::string Quoted(absl::string_view literal) {
  return RE2::QuoteMeta(re2::StringPiece(literal.data(), literal.size()));
}

// What one expression, without its braces, stands for; nothing for what is none.
std::optional<std::string> PatternOf(absl::string_view expression) {
  if (expression.empty()) return std::nullopt;
  const char first = expression[0];
  switch (first) {
    case '+':
      return expression.size() > 1 ? std::make_optional<std::string>(".*") : std::nullopt;
    case '#':
      return expression.size() > 1 ? std::make_optional<std::string>("(?:#.*)?") : std::nullopt;
    case '/':
      return "(?:/[^?#]*)?";
    case '.':
      return "(?:\\.[^/?#]*)?";
    case ';':
      return "(?:;[^/?#]*)?";
    case '?':
      return "(?:\\?[^#]*)?";
    case '&':
      return "(?:&[^#]*)?";
    default:
      return "[^/?#&]*";
  }
}

std::optional<std::string> ToPattern(absl::string_view rest) {
  std::string pattern;
  while (!rest.empty()) {
    const size_t open = rest.find_first_of("{}");
    absl::StrAppend(&pattern, Quoted(rest.substr(0, open)));
    if (open == absl::string_view::npos) break;
    const size_t close = rest.find('}', open);
    if (rest[open] == '}' || close == absl::string_view::npos) return std::nullopt;
    const absl::string_view expression = rest.substr(open + 1, close - open - 1);
    const std::optional<std::string> part = PatternOf(expression);
    if (!part || expression.find('{') != absl::string_view::npos) return std::nullopt;
    absl::StrAppend(&pattern, *part);
    rest.remove_prefix(close + 1);
  }
  return pattern;
}

}  // namespace

bool ComesTo(absl::string_view uri_template, absl::string_view uri) {
  if (uri_template.size() > kMaxTemplateBytes || uri.size() > kMaxUriBytes) return false;
  const std::optional<std::string> pattern = ToPattern(uri_template);
  if (!pattern) return false;
  RE2::Options options;
  options.set_log_errors(false);
  options.set_dot_nl(false);
  const RE2 expression(*pattern, options);
  return expression.ok() && RE2::FullMatch(re2::StringPiece(uri.data(), uri.size()), expression);
}

}  // namespace tipstaff::policy::internal
