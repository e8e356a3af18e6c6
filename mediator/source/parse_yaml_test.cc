#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "mediator/base/testing/temp_folder.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"
#include "mediator/source/codes.h"
#include "mediator/source/document.h"
#include "mediator/source/read.h"

namespace tipstaff::source {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

std::optional<Document> ParseText(std::string text, Diagnostics& diagnostics) {
  return ParseYaml(std::make_shared<File>(File{.path = "f.yaml", .text = std::move(text)}),
                   diagnostics);
}

struct Refused {
  const char* reason;
  std::string text;
  const char* code;
  int line, column;
};

// Each refusal's first diagnostic.
const Refused kRefused[] = {
    {"nothing", "", kEmptyFile, 0, 0},
    {"only a comment", "# x\n\n", kEmptyFile, 0, 0},
    {"only a document start", "---\n", kEmptyFile, 0, 0},
    {"duplicate key", "a: 1\nb: 2\na: 3\n", kDuplicateKey, 3, 1},
    {"duplicate key in flow", "x: {a: 1, 'a': 2}\n", kDuplicateKey, 1, 11},
    {"duplicate key after unescaping", "{\"a\": 1, \"\\x61\": 2}", kDuplicateKey, 1, 10},
    {"anchor", "a: &x 1\n", kAnchorOrAlias, 1, 4},
    {"anchor on a mapping", "a: &x\n  b: 1\n", kAnchorOrAlias, 1, 4},
    {"anchor on nothing", "a: &x\nb: 1\n", kAnchorOrAlias, 1, 4},
    {"alias", "- 1\n- *x\n", kAnchorOrAlias, 2, 3},
    {"alias as a key", "*x : 1\n", kAnchorOrAlias, 1, 1},
    {"merge key", "a:\n  <<: {b: 1}\n", kMergeKey, 2, 3},
    {"tag", "a: !!str 1\n", kTag, 1, 4},
    {"local tag", "a: !secret x\n", kTag, 1, 4},
    {"verbatim tag that yaml-cpp reports as none", "a: !<?> \"1\"\n", kTag, 1, 4},
    {"non-specific tag", "a: ! 1\n", kTag, 1, 4},
    {"YAML directive", "%YAML 1.1\n---\na: 1\n", kDirective, 1, 1},
    {"directive after a comment", "# c\n%TAG ! x:\n---\na: 1\n", kDirective, 2, 1},
    {"line that yaml-cpp drops", "a: 1\n%b: 2\n", kDirective, 2, 1},
    {"two documents", "a: 1\n---\nb: 1\n", kSecondDocument, 2, 1},
    {"an empty second document", "a: 1\n---\n", kSecondDocument, 2, 1},
    {"content after the document's end", "a: 1\n...\nb: 1\n", kSecondDocument, 3, 1},
    {"a second value", "\"a\" \"b\"\n", kSecondDocument, 1, 5},
    {"explicit key", "? a\n: b\n", kKeyNotString, 1, 3},
    {"explicit key on a line of its own", "?\n  a\n: b\n", kSyntax, 2, 3},
    {"explicit key in flow", "{? a : b}\n", kKeyNotString, 1, 4},
    {"mapping as a key", "{{a: 1}: b}\n", kKeyNotString, 1, 2},
    {"list as a key", "[a]: b\n", kKeyNotString, 1, 1},
    {"number as a key", "a: {1: x}\n", kKeyNotString, 1, 5},
    {"boolean as a key", "true: x\n", kKeyNotString, 1, 1},
    {"on as a key", "on: x\n", kKeyNotString, 1, 1},
    {"null as a key", "null: x\n", kKeyNotString, 1, 1},
    {"no key", ": x\n", kKeyNotString, 1, 1},
    {"block scalar as a key", "? |\n  a\n: b\n", kKeyNotString, 1, 3},
    {"key over two lines", "{\"a\n b\": 1}\n", kKeyNotString, 1, 2},
    {"no value", "a:\nb: 1\n", kEmptyValue, 1, 1},
    {"no value before a key that is null", "a:\nnull: 1\n", kEmptyValue, 1, 1},
    {"no value at the end", "a: 1\nb:\n", kEmptyValue, 2, 1},
    {"no value but a comment", "a: # later\n", kEmptyValue, 1, 1},
    {"no value in flow", "{a, b: 1}\n", kEmptyValue, 1, 2},
    {"no space after the colon", "{a:1}\n", kEmptyValue, 1, 2},
    {"empty list item", "a:\n  -\n  - b\n", kEmptyValue, 2, 3},
    {"empty flow item", "[a,,b]\n", kEmptyValue, 1, 3},
    {"pair in a list", "to: [in: x]\n", kPairInList, 1, 6},
    {"tab as indentation", "a:\n\tb: 1\n", kTab, 2, 1},
    {"tab after spaces", "a:\n  b: 1\n \tc: 2\n", kTab, 3, 2},
    {"tab after a dash", "a:\n-\tb: 1\n", kTab, 2, 2},
    {"yes", "a: yes\n", kAmbiguous, 1, 4},
    {"no in a list", "[x, NO]\n", kAmbiguous, 1, 5},
    {"a tilde", "a: ~\n", kAmbiguous, 1, 4},
    {"Null", "a: Null\n", kAmbiguous, 1, 4},
    {"a date", "a: 2026-05-01\n", kAmbiguous, 1, 4},
    {"after a character of two bytes", "é: [ü, 0x1F]\n", kAmbiguous, 1, 8},
    {"after a character of four bytes", "a: [😀, on]\n", kAmbiguous, 1, 8},
    {"integer over 64 bits", "a: 18446744073709551616\n", kNumberRange, 1, 4},
    {"integer under 64 bits", "a: -9223372036854775809\n", kNumberRange, 1, 4},
    {"number over a double", "a: 1e999\n", kNumberRange, 1, 4},
    {"item that is indented too far", "a:\n  - b\n   - c\n", kFolded, 2, 5},
    {"plain text over two lines", "a: b\n  c\n", kFolded, 1, 4},
    {"quoted text over two lines", "a: \"b\n\n  c\"\n", kFolded, 1, 4},
    {"NUL in a value", "a: \"b\\0c\"\n", kNul, 1, 4},
    {"NUL in a key", "\"a\\x00\": 1\n", kNul, 1, 1},
    {"byte order mark",
     "\xef\xbb\xbf"
     "a: 1\n",
     kEncoding, 1, 1},
    {"UTF-16",
     std::string("\xff\xfe"
                 "a\0",
                 4),
     kEncoding, 1, 1},
    {"UTF-16 without a mark", std::string("a\0:\0 \0b\0", 8), kEncoding, 1, 2},
    {"invalid UTF-8", "a: b\nc: \"\xff\"\n", kEncoding, 2, 5},
    {"surrogate in UTF-8", "a: \xed\xa0\x80\n", kEncoding, 1, 4},
    {"what yaml-cpp takes for the end",
     "a: 1\n\x04"
     "deny: []\n",
     kEncoding, 2, 1},
    {"escape character", "a: \x1b[2J\n", kEncoding, 1, 4},
    {"carriage return alone", "a: 1\rb: 2\n", kEncoding, 1, 5},
    {"next line",
     "a: b\xc2\x85"
     "c\n",
     kEncoding, 1, 5},
    {"line separator",
     "a: b\xe2\x80\xa8"
     "c\n",
     kEncoding, 1, 5},
    {"text direction",
     "a: b\xe2\x80\xae"
     "c\n",
     kEncoding, 1, 5},
    {"a colon in a value", "a: b: c\n", kSyntax, 1, 5},
    {"wrong indentation", "a:\n    b: 1\n  c: 2\n", kSyntax, 3, 3},
    {"no colon", "a: 1\nb\n", kSyntax, 2, 1},
    {"unclosed single quote, which yaml-cpp closes", "a: 'b\nc: d\n", kSyntax, 1, 4},
    {"unclosed double quote", "a: \"b\n", kSyntax, 1, 4},
    {"unclosed bracket", "a: [1, 2\n", kSyntax, 1, 4},
    {"unclosed brace", "{a: 1\n", kSyntax, 1, 1},
    {"closed by another kind", "a: [1}\n", kSyntax, 1, 6},
    {"a bracket too many", "{a: 1} }\n", kSyntax, 1, 8},
    {"reserved character", "a: @b\n", kSyntax, 1, 4},
    {"percent", "a: %b\n", kSyntax, 1, 4},
    {"text after a quote", "a: 'b'c\n", kSyntax, 1, 7},
    {"unknown escape", "a: \"\\q\"\n", kSyntax, 1, 7},
    {"escape that only yaml-cpp knows", "a: \"it\\'s\"\n", kSyntax, 1, 4},
    {"half of a surrogate pair", "a: \"\\ud83d\"\n", kSyntax, 1, 11},
    {"text after a block header", "a: |x\n  b\n", kSyntax, 1, 5},
    {"comment glued to a block header", "a: |#c\n  b\n", kSyntax, 1, 5},
    {"chomping that yaml-cpp gets wrong", "a: >+\n  b\n\n", kSyntax, 1, 4},
    {"list after a value", "a: - b\n", kSyntax, 1, 4},
};

TEST(ParseYaml, RefusesWhatIsOutsideTheSubset) {
  for (const Refused& c : kRefused) {
    Diagnostics diagnostics;
    EXPECT_FALSE(ParseText(c.text, diagnostics).has_value()) << c.reason;
    ASSERT_FALSE(diagnostics.empty()) << c.reason;
    const Diagnostic& first = diagnostics[0];
    EXPECT_EQ(first.code, c.code) << c.reason << ": " << first.message;
    EXPECT_EQ(first.span.line, c.line) << c.reason << ": " << first.message;
    EXPECT_EQ(first.span.column, c.column) << c.reason << ": " << first.message;
    EXPECT_EQ(first.severity, Severity::kError) << c.reason;
  }
}

TEST(ParseYaml, RefusesTheSameInFilesWithCrLf) {
  for (const Refused& c : kRefused) {
    if (c.code == absl::string_view(kEncoding)) continue;
    Diagnostics diagnostics;
    EXPECT_FALSE(ParseText(absl::StrReplaceAll(c.text, {{"\n", "\r\n"}}), diagnostics).has_value());
    ASSERT_FALSE(diagnostics.empty()) << c.reason;
    EXPECT_EQ(diagnostics[0].code, c.code) << c.reason;
    EXPECT_EQ(diagnostics[0].span.line, c.line) << c.reason;
    EXPECT_EQ(diagnostics[0].span.column, c.column) << c.reason;
  }
}

TEST(ParseYaml, HasACaseForEveryCode) {
  // Depth and size have tests of their own; ReadSource has Y020.
  std::set<std::string> reached = {kTooLarge, kTooDeep, kUnreadable};
  for (const Refused& c : kRefused) reached.insert(c.code);
  for (const Explanation& explanation : YamlExplanations()) {
    EXPECT_EQ(reached.count(std::string(explanation.code)), 1u) << explanation.code;
  }
  EXPECT_THAT(reached, SizeIs(YamlExplanations().size()));
}

struct Accepted {
  const char* reason;
  const char* text;
  const char* json;
};

const Accepted kAccepted[] = {
    {"null alone", "null\n", "null"},
    {"JSON's scalars", "[null, true, false, 0, -1, 1.5, 2e3, -0.5]",
     "[null,true,false,0,-1,1.5,2000,-0.5]"},
    {"the limits of 64 bits", "[-9223372036854775808, 18446744073709551615]",
     "[-9223372036854775808,18446744073709551615]"},
    {"quoted words are text", "['yes', \"null\", '1', \"~\", '2026-05-01']",
     R"(["yes","null","1","~","2026-05-01"])"},
    {"plain text", "- it's fine\n- a#b\n- http://x.test:1/y?z\n- $name\n- 1.2.3\n- 30m\n- -x\n",
     R"(["it's fine","a#b","http://x.test:1/y?z","$name","1.2.3","30m","-x"])"},
    {"a colon inside a word", "{a: b:c}", R"({"a":"b:c"})"},
    {"quoted keys need no second thought", "{'1': a, \"yes\": b, '<<': c}",
     R"({"1":"a","yes":"b","<<":"c"})"},
    {"comments", "# one\na: 1 # two\n# three\nb: '#'\n", R"({"a":1,"b":"#"})"},
    {"document marks", "---\na: 1\n...\n", R"({"a":1})"},
    {"literal text", "a: |\n  x: [\n   y\n\n  # z\nb: 1\n", R"({"a":"x: [\n y\n\n# z\n","b":1})"},
    {"literal text, stripped and kept", "a: |-\n  x\n\nb: |+\n  y\n\n", R"({"a":"x","b":"y\n\n"})"},
    {"literal text with tabs", "a: |\n  \tx\n\n", R"({"a":"\tx\n"})"},
    {"folded text", "a: >-\n  x\n  y\n\n  z\n", R"({"a":"x y\nz"})"},
    {"escapes", R"(["\u00e9", "\t\\\"\/", 'a''b', "\U0001F600"])",
     "[\"é\",\"\\t\\\\\\\"/\",\"a'b\",\"😀\"]"},
    {"a list at its key's indentation", "a:\n- b\n- c: 1\n  d: 2\n",
     R"({"a":["b",{"c":1,"d":2}]})"},
    {"lists of lists", "- - a\n  - b\n- []\n- {}\n", R"([["a","b"],[],{}])"},
    {"trailing commas", "[a, {b: 1,},]", R"(["a",{"b":1}])"},
    {"tabs between tokens in flow, as JSON files have", "{\n\t\"a\":\t[\n\t\t1\n\t]\n}\n",
     R"({"a":[1]})"},
    {"JSON on one line", R"({"a":{"b":[1,"x",null]},"c":"d"})",
     R"({"a":{"b":[1,"x",null]},"c":"d"})"},
    {"null values", "a: null\nb: null\nnullable: null\n", R"({"a":null,"b":null,"nullable":null})"},
    {"empty strings", "a: ''\nb: \"\"\n", R"({"a":"","b":""})"},
    {"order of keys is kept", "z: 1\na: 2\n", R"({"z":1,"a":2})"},
};

TEST(ParseYaml, ReadsTheSubset) {
  for (const Accepted& c : kAccepted) {
    for (const bool crlf : {false, true}) {
      const std::string text = crlf ? absl::StrReplaceAll(c.text, {{"\n", "\r\n"}}) : c.text;
      Diagnostics diagnostics;
      const std::optional<Document> document = ParseText(text, diagnostics);
      ASSERT_TRUE(document.has_value()) << c.reason << "\n" << RenderText(diagnostics);
      EXPECT_EQ(json::Dump(document->root()), c.json) << c.reason << (crlf ? " (CRLF)" : "");
      EXPECT_TRUE(diagnostics.empty()) << c.reason;
    }
  }
}

TEST(ParseYaml, ReportsSeveralMistakesAtOnce) {
  Diagnostics diagnostics;
  EXPECT_FALSE(ParseText("a: yes\nb:\nc: 1\nc: 2\n", diagnostics).has_value());
  ASSERT_THAT(diagnostics, SizeIs(3));
  EXPECT_EQ(diagnostics[0].code, kAmbiguous);
  EXPECT_EQ(diagnostics[1].code, kEmptyValue);
  EXPECT_EQ(diagnostics[2].code, kDuplicateKey);
  EXPECT_THAT(diagnostics[2].notes, ::testing::ElementsAre("first given in line 3"));
}

TEST(ParseYaml, BoundsWhatItReports) {
  std::string text;
  for (int i = 0; i < 1000; ++i) absl::StrAppend(&text, "- yes\n");
  Diagnostics diagnostics;
  EXPECT_FALSE(ParseText(text, diagnostics).has_value());
  EXPECT_THAT(diagnostics, SizeIs(20));
}

TEST(ParseYaml, BoundsDepth) {
  const auto lists = [](int depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  Diagnostics diagnostics;
  EXPECT_TRUE(ParseText(lists(json::kMaxDepth), diagnostics).has_value());
  EXPECT_FALSE(ParseText(lists(json::kMaxDepth + 1), diagnostics).has_value());
  ASSERT_THAT(diagnostics, SizeIs(1));
  EXPECT_EQ(diagnostics[0].code, kTooDeep);
  EXPECT_EQ(diagnostics[0].span.column, json::kMaxDepth + 1);
}

TEST(ParseYaml, SurvivesHostileNestingAndLength) {
  const auto repeat = [](absl::string_view piece, int times) {
    std::string text;
    for (int i = 0; i < times; ++i) text.append(piece.data(), piece.size());
    return text;
  };
  const Refused kCases[] = {
      {"open lists", repeat("[", 200000), kTooDeep, 1, 1},
      {"open mappings", repeat("{", 1000000), kTooDeep, 1, 1},
      {"open pairs", repeat("[a: ", 200000), kTooDeep, 1, 1},
      {"block lists on one line", repeat("- ", 200000), kTooDeep, 1, 65},
      {"explicit keys", repeat("? ", 200000), kTooDeep, 1, 3},
      {"nested JSON", repeat("{\"a\":", 100000), kTooDeep, 1, 1},
      {"closed lists", repeat("[", 100000) + repeat("]", 100000), kTooDeep, 1, 33},
      {"anchors", repeat("&a ", 100000), kAnchorOrAlias, 1, 4},
      {"digits", repeat("9", 1000000), kNumberRange, 1, 1},
      {"quotes", repeat("'", 999999), kSyntax, 1, 1000000},
  };
  for (const Refused& c : kCases) {
    Diagnostics diagnostics;
    EXPECT_FALSE(ParseText(c.text, diagnostics).has_value()) << c.reason;
    ASSERT_FALSE(diagnostics.empty()) << c.reason;
    EXPECT_EQ(diagnostics[0].code, c.code) << c.reason << ": " << diagnostics[0].message;
    EXPECT_EQ(diagnostics[0].span.column, c.column) << c.reason;
    EXPECT_LT(RenderText(diagnostics).size(), 20000u) << c.reason;
  }
}

TEST(ParseYaml, ReadsOneVeryLongLineInLinearTime) {
  std::string text = "[";
  for (int i = 0; i < 100000; ++i) text += "{é: 1},";
  text += "]";
  Diagnostics diagnostics;
  const std::optional<Document> document = ParseText(text, diagnostics);
  ASSERT_TRUE(document.has_value());
  EXPECT_EQ(document->SpanOf(document->root().At(99999)).column, 2 + 99999 * 7);
}

TEST(ParseYaml, BoundsSize) {
  Diagnostics diagnostics;
  EXPECT_TRUE(ParseText(std::string(kMaxFileBytes, 'x'), diagnostics).has_value());
  EXPECT_FALSE(ParseText(std::string(kMaxFileBytes + 1, 'x'), diagnostics).has_value());
  ASSERT_THAT(diagnostics, SizeIs(1));
  EXPECT_EQ(diagnostics[0].code, kTooLarge);
}

TEST(ReadSource, ReadsOrSaysWhyNot) {
  base::TempFolder folder;
  Diagnostics diagnostics;
  EXPECT_EQ(ReadSource(folder.Path("none.yaml"), diagnostics), nullptr);
  EXPECT_EQ(ReadSource(folder.path(), diagnostics), nullptr);
  std::ofstream(folder.Path("big.yaml")) << std::string(kMaxFileBytes + 1, 'x');
  EXPECT_EQ(ReadSource(folder.Path("big.yaml"), diagnostics), nullptr);
  ASSERT_THAT(diagnostics, SizeIs(3));
  EXPECT_EQ(diagnostics[0].code, kUnreadable);
  EXPECT_THAT(diagnostics[0].message, HasSubstr("none.yaml"));
  EXPECT_EQ(diagnostics[1].code, kUnreadable);
  EXPECT_THAT(diagnostics[1].message, HasSubstr("not a regular file"));
  EXPECT_EQ(diagnostics[2].code, kTooLarge);

  std::ofstream(folder.Path("a.yaml")) << "a: 1\n";
  const std::shared_ptr<const File> file = ReadSource(folder.Path("a.yaml"), diagnostics);
  ASSERT_NE(file, nullptr);
  EXPECT_EQ(file->text, "a: 1\n");
  EXPECT_EQ(file->path, folder.Path("a.yaml"));
}

}  // namespace
}  // namespace tipstaff::source
