// Values as YAML in the strict subset (source/document.h).
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "mediator/base/escape.h"
#include "mediator/base/utf8.h"
#include "mediator/cli/saved_test.h"
#include "mediator/json/write.h"

namespace tipstaff::cli {
namespace {

constexpr size_t kLineColumns = 100;

// Plain words that no YAML reader takes for anything else begin with a letter and hold no mark.
bool IsPlain(absl::string_view text) {
  static constexpr absl::string_view kReserved[] = {"null", "true", "false", "yes", "no",
                                                    "on",   "off",  "y",     "n"};
  if (text.empty() || text.size() > 60 || !absl::ascii_isalpha(text.front())) return false;
  for (const char c : text) {
    if (!absl::ascii_isalnum(c) && c != '_' && c != '-') return false;
  }
  for (const absl::string_view word : kReserved) {
    if (absl::AsciiStrToLower(text) == word) return false;
  }
  // Numbers with a sign or an exponent begin otherwise, but for those of no finite value.
  double ignored;
  return !absl::SimpleAtod(text, &ignored);
}

// JSON's quotes and escapes are YAML's; what acts or hides is escaped as YAML has it, which knows
// no surrogates.
std::string Quote(absl::string_view text) {
  std::string out;
  const std::string quoted = json::Quote(text);
  for (absl::string_view rest = quoted; !rest.empty();) {
    const base::CodePoint point = base::FirstCodePoint(rest);
    if (point.value > 0x7e && base::ActsOrHides(point.value)) {
      absl::StrAppendFormat(&out, "\\U%08X", point.value);
    } else {
      out.append(rest.data(), point.bytes);
    }
    rest.remove_prefix(point.bytes);
  }
  return out;
}

std::string Text(absl::string_view text) { return IsPlain(text) ? std::string(text) : Quote(text); }

std::string Flow(json::Value value) {
  std::string out;
  if (value.is_string()) return Text(value.string());
  if (value.is_array()) {
    for (json::Value item : value.items()) {
      absl::StrAppend(&out, out.empty() ? "[" : ", ", Flow(item));
    }
    return out.empty() ? "[]" : out + "]";
  }
  if (value.is_object()) {
    for (const json::Member& member : value.members()) {
      absl::StrAppend(&out, out.empty() ? "{" : ", ", Text(member.key), ": ", Flow(member.value));
    }
    return out.empty() ? "{}" : out + "}";
  }
  return json::Canonical(value);
}

}  // namespace

std::string ToYaml(json::Value value, size_t indent) {
  const std::string flow = Flow(value);
  if (flow.size() + indent <= kLineColumns || value.size() == 0) return flow;
  const std::string start = absl::StrCat("\n", std::string(indent, ' '));
  std::string out;
  for (const json::Member& member : value.members()) {
    const bool below = member.value.size() > 0;
    const std::string text = ToYaml(member.value, indent + 2);
    absl::StrAppend(&out, start, Text(member.key), ":", below && text[0] == '\n' ? "" : " ", text);
  }
  for (json::Value item : value.items()) {
    const std::string text = ToYaml(item, indent + 2);
    // A mapping begins on the line of its mark.
    absl::StrAppend(&out, start, "- ",
                    text[0] == '\n' ? absl::StripLeadingAsciiWhitespace(text) : text);
  }
  return out;
}

}  // namespace tipstaff::cli
