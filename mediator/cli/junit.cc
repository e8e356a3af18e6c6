#include "mediator/cli/junit.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "mediator/base/utf8.h"

namespace tipstaff::cli {
namespace {

// Char of XML 1.0 (fifth edition, production 2). The two that no text should hold are left out.
bool IsXmlChar(uint32_t c) {
  return c == '\t' || c == '\n' || c == '\r' || (c >= 0x20 && c <= 0xd7ff) ||
         (c >= 0xe000 && c <= 0xfffd) || (c >= 0x10000 && c <= 0x10ffff);
}

std::string Attribute(absl::string_view name, absl::string_view value) {
  return absl::StrCat(" ", name, "=\"", EscapeXml(value, /*attribute=*/true), "\"");
}

std::string Seconds(absl::Duration took) {
  return absl::StrFormat("%.6f", absl::ToDoubleSeconds(std::max(took, absl::ZeroDuration())));
}

struct Sum {
  size_t tests = 0, failures = 0, errors = 0;
  absl::Duration took;

  std::string ToAttributes() const {
    return absl::StrCat(
        Attribute("tests", absl::StrCat(tests)), Attribute("failures", absl::StrCat(failures)),
        Attribute("errors", absl::StrCat(errors)), Attribute("time", Seconds(took)));
  }
};

Sum SumOf(const TestedFile& file) {
  Sum sum;
  for (const Tested& test : file.tests) {
    ++sum.tests;
    sum.failures += test.passed() ? 0 : 1;
    sum.took += test.took;
  }
  if (!file.error.empty()) ++sum.tests, ++sum.errors;
  return sum;
}

std::string FirstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

// A test case with what is within it.
std::string Case(const TestedFile& file, const Tested& test, absl::string_view kind,
                 absl::string_view details) {
  std::string out = absl::StrCat("    <testcase", Attribute("classname", file.name),
                                 Attribute("name", test.name), Attribute("file", file.file.path));
  if (test.line > 0) absl::StrAppend(&out, Attribute("line", absl::StrCat(test.line)));
  absl::StrAppend(&out, Attribute("time", Seconds(test.took)));
  if (test.passed()) return absl::StrCat(out, "/>\n");
  return absl::StrCat(out, ">\n      <", kind, Attribute("message", FirstLine(test.message)), ">",
                      EscapeXml(details, /*attribute=*/false), "</", kind, ">\n    </testcase>\n");
}

std::string Suite(const TestedFile& file) {
  std::string out = absl::StrCat("  <testsuite", Attribute("name", file.file.path),
                                 SumOf(file).ToAttributes(), ">\n");
  for (const Tested& test : file.tests) {
    const std::string details =
        absl::StrCat(test.message, test.explanation.empty() ? "" : "\n\n", test.explanation);
    absl::StrAppend(&out, Case(file, test, "failure", details));
  }
  if (!file.error.empty()) {
    const Tested check{.name = "the file checks", .message = FirstLine(file.error)};
    absl::StrAppend(&out, Case(file, check, "error", file.error));
  }
  return absl::StrCat(out, "  </testsuite>\n");
}

}  // namespace

std::string EscapeXml(absl::string_view text, bool attribute) {
  std::string out;
  while (!text.empty()) {
    const base::CodePoint point = base::FirstCodePoint(text);
    const absl::string_view bytes = text.substr(0, point.bytes);
    text.remove_prefix(point.bytes);
    if (!point.valid) {
      for (const char byte : bytes) {
        absl::StrAppendFormat(&out, "\\x%02x", static_cast<unsigned char>(byte));
      }
    } else if (!IsXmlChar(point.value)) {
      absl::StrAppendFormat(&out, "\\u{%x}", point.value);
    } else if (bytes == "&") {
      out += "&amp;";
    } else if (bytes == "<") {
      out += "&lt;";
    } else if (bytes == ">") {
      out += "&gt;";
    } else if (bytes == "\"") {
      out += "&quot;";
    } else if (bytes == "\r" || (attribute && (bytes == "\n" || bytes == "\t"))) {
      absl::StrAppend(&out, "&#", point.value, ";");  // else a reader turns it into another
    } else {
      out.append(bytes.data(), bytes.size());
    }
  }
  return out;
}

std::string RenderJunit(const std::vector<TestedFile>& files) {
  Sum all;
  std::string suites;
  for (const TestedFile& file : files) {
    const Sum sum = SumOf(file);
    if (sum.tests == 0) continue;
    all.tests += sum.tests;
    all.failures += sum.failures;
    all.errors += sum.errors;
    all.took += sum.took;
    absl::StrAppend(&suites, Suite(file));
  }
  return absl::StrCat("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites",
                      Attribute("name", "tipstaff test"), all.ToAttributes(), ">\n", suites,
                      "</testsuites>\n");
}

}  // namespace tipstaff::cli
