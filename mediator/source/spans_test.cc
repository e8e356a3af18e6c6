#include <gtest/gtest.h>

#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "mediator/source/document.h"
#include "mediator/source/lines.h"

namespace tipstaff::source {
namespace {

std::string Show(const Span& span) {
  return absl::StrFormat("%d:%d+%d", span.line, span.column, span.length);
}

// The value at a path of keys and indices.
json::Value Reach(json::Value value, absl::Span<const char* const> path) {
  for (const char* step : path) {
    value = value.is_array() ? value.At(std::atoi(step)) : value.Find(step);
  }
  return value;
}

constexpr char kText[] = R"(# a comment
größe: {x: 1, "ö": [ä, 'b''c', 😀], z: {}}
list:
  - plain text   # a comment
  - k: v
    l: [1,
        2]
  - |-
    block
    text
  - >
    folded
  - [ ]
"quoted \" key": "x\ty"
deep:
  deeper:
    deepest: null
)";

struct Case {
  const char* reason;
  std::vector<const char*> path;
  const char* value;
  const char* key;
};

const Case kCases[] = {
    {"the document begins with its first key", {}, "2:1+41", "0:0+1"},
    {"flow mapping on one line", {"größe"}, "2:8+34", "2:1+5"},
    {"number", {"größe", "x"}, "2:12+1", "2:9+1"},
    {"flow list after a quoted key", {"größe", "ö"}, "2:20+14", "2:15+3"},
    {"item has no key", {"größe", "ö", "0"}, "2:21+1", "0:0+1"},
    {"quoted item with a doubled quote", {"größe", "ö", "1"}, "2:24+6", "0:0+1"},
    {"character of four bytes", {"größe", "ö", "2"}, "2:32+1", "0:0+1"},
    {"empty mapping", {"größe", "z"}, "2:39+2", "2:36+1"},
    {"block list: its first line", {"list"}, "4:3+12", "3:1+4"},
    {"plain text ends before the comment", {"list", "0"}, "4:5+10", "0:0+1"},
    {"block mapping: its first line", {"list", "1"}, "5:5+4", "0:0+1"},
    {"flow list over two lines: its first line", {"list", "1", "l"}, "6:8+2", "6:5+1"},
    {"item on the second line", {"list", "1", "l", "1"}, "7:9+1", "0:0+1"},
    {"literal block: its header", {"list", "2"}, "8:5+2", "0:0+1"},
    {"folded block: its header", {"list", "3"}, "11:5+1", "0:0+1"},
    {"empty list with a space", {"list", "4"}, "13:5+3", "0:0+1"},
    {"double quotes with escapes", {"quoted \" key"}, "14:18+6", "14:1+15"},
    {"null", {"deep", "deeper", "deepest"}, "17:14+4", "17:5+7"},
    {"what is missing stands for the file", {"nowhere"}, "0:0+1", "0:0+1"},
};

void CheckSpans(const std::string& text) {
  Diagnostics diagnostics;
  const auto file = std::make_shared<File>(File{.path = "f.yaml", .text = text});
  const std::optional<Document> document = ParseYaml(file, diagnostics);
  ASSERT_TRUE(document.has_value()) << RenderText(diagnostics);
  for (const Case& c : kCases) {
    const json::Value value = Reach(document->root(), c.path);
    EXPECT_EQ(Show(document->SpanOf(value)), c.value) << c.reason;
    EXPECT_EQ(Show(document->KeySpanOf(value)), c.key) << c.reason;
  }
}

TEST(LineOf, IsWhatLinesSays) {
  for (const char* text : {"", "a", "a\n", "\n", "a\r\nb", "a\n\nb\r\n", "\r\n\r\n"}) {
    const Lines lines(text);
    for (int line = 0; line < 5; ++line) EXPECT_EQ(LineOf(text, line), lines.Line(line)) << text;
  }
}

TEST(Spans, AreThoseOfTheSource) { CheckSpans(kText); }

TEST(Spans, AreTheSameWithCrLf) { CheckSpans(absl::StrReplaceAll(kText, {{"\n", "\r\n"}})); }

TEST(Document, MakesDiagnosticsAtValuesAndKeys) {
  Diagnostics diagnostics;
  const auto file = std::make_shared<File>(File{.path = "f.yaml", .text = "a:\n  b: 1\n"});
  const std::optional<Document> document = ParseYaml(file, diagnostics);
  ASSERT_TRUE(document.has_value());
  const json::Value b = document->root().Find("a").Find("b");
  EXPECT_EQ(Show(document->At(b, "P001", "wrong").span), "2:6+1");
  EXPECT_EQ(Show(document->AtKey(b, "P001", "wrong").span), "2:3+1");
  EXPECT_EQ(Show(document->AtKey(document->root(), "P001", "wrong").span), "1:1+1")
      << "a value without a key";
  EXPECT_EQ(document->At(b, "P001", "wrong").file, file);
}

}  // namespace
}  // namespace tipstaff::source
