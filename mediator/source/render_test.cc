#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mediator/json/parse.h"
#include "mediator/source/codes.h"
#include "mediator/source/diagnostic.h"

namespace tipstaff::source {
namespace {

std::shared_ptr<const File> FileOf(std::string text, std::string path = "p/skill.yaml") {
  return std::make_shared<File>(File{.path = std::move(path), .text = std::move(text)});
}

Diagnostic Example() {
  std::string text(28, '\n');
  text += "      body:    {type: string, maxByte: 20000}\n";
  return {.code = "P012",
          .message = "unknown keyword `maxByte`",
          .file = FileOf(std::move(text)),
          .span = {.line = 29, .column = 31, .length = 7},
          .label = "did you mean `maxBytes`?",
          .notes = {"in permission `note-to-reviewer`"}};
}

TEST(RenderText, LooksAsDocumented) {
  EXPECT_EQ(RenderText(Example()), R"(error[P012]: unknown keyword `maxByte`
  --> p/skill.yaml:29:31
   |
29 |       body:    {type: string, maxByte: 20000}
   |                               ^^^^^^^ did you mean `maxBytes`?
   = in permission `note-to-reviewer`
   = help: tipstaff check --explain P012
)");
}

struct Case {
  const char* reason;
  std::string line;
  Span span;
  const char* expected;  // the two lines of the excerpt
};

TEST(RenderText, PutsTheCaretUnderThePlace) {
  const std::string dots(200, '.');
  const Case kCases[] = {
      {"tab before the place", "\ta: yes", {1, 5, 3}, "1 |   a: yes\n  |      ^^^\n"},
      {"wide characters", "世界: yes", {1, 5, 3}, "1 | 世界: yes\n  |       ^^^\n"},
      {"wide characters underlined", "a: 世界", {1, 4, 2}, "1 | a: 世界\n  |    ^^^^\n"},
      {"combining mark", "e\xcc\x81: yes", {1, 5, 3}, "1 | e\xcc\x81: yes\n  |    ^^^\n"},
      {"emoji", "😀 x", {1, 3, 1}, "1 | 😀 x\n  |    ^\n"},
      {"control character", "\x1b[2J: x", {1, 7, 1}, "1 | \\x1b[2J: x\n  |          ^\n"},
      {"zero-width space", "\xe2\x80\x8b: x", {1, 4, 1}, "1 | \\u{200b}: x\n  |           ^\n"},
      {"invalid UTF-8", "\xff: x", {1, 4, 1}, "1 | \\xff: x\n  |       ^\n"},
      {"backslashes stand as they are", R"("\\d" x)", {1, 7, 1}, "1 | \"\\\\d\" x\n  |       ^\n"},
      {"past the end of the line", "ab", {1, 9, 4}, "1 | ab\n  |   ^\n"},
      {"line ends in CRLF", "ab\r\n", {1, 1, 2}, "1 | ab\n  | ^^\n"},
      {"empty line", "\nx", {1, 1, 1}, "1 |\n  | ^\n"},
      {"a line that is not there", "x", {7, 1, 1}, "7 |\n  | ^\n"},
  };
  for (const Case& c : kCases) {
    const std::string text = RenderText({.message = "m", .file = FileOf(c.line), .span = c.span});
    EXPECT_THAT(text, ::testing::EndsWith(std::string("\n  |\n") + c.expected)) << c.reason;
  }
}

TEST(RenderText, CutsLongLinesAroundThePlace) {
  const std::string dots(200, '.');
  const auto excerpt = [&](const std::string& line, int column) {
    return RenderText({.message = "m", .file = FileOf(line), .span = {1, column, 3}});
  };
  EXPECT_EQ(excerpt("abc" + dots, 1), "error: m\n --> p/skill.yaml:1:1\n  |\n1 | abc" +
                                          std::string(91, '.') + "…\n  | ^^^\n");
  EXPECT_EQ(excerpt(dots + "abc", 201), "error: m\n --> p/skill.yaml:1:201\n  |\n1 | …" +
                                            std::string(91, '.') + "abc\n  | " +
                                            std::string(92, ' ') + "^^^\n");
  EXPECT_EQ(excerpt(dots + "abc" + dots, 201),
            "error: m\n --> p/skill.yaml:1:201\n  |\n1 | …" + std::string(31, '.') + "abc" +
                std::string(60, '.') + "…\n  | " + std::string(32, ' ') + "^^^\n");
  const std::string long_place =
      RenderText({.message = "m", .file = FileOf(dots), .span = {1, 1, 200}});
  EXPECT_THAT(long_place, ::testing::EndsWith("\n  | " + std::string(94, '^') + "\n"));
}

TEST(RenderText, EscapesEverythingFromOutside) {
  const std::string text = RenderText({.code = "P001",
                                       .message = "bad `\x1b]0;x\x07`",
                                       .file = FileOf("a: \x1b[2J", "x\n\x1b[1m.yaml"),
                                       .span = {1, 1, 1},
                                       .label = "\x9b"
                                                "1m",
                                       .notes = {"note\nerror[P000]: forged"}});
  EXPECT_THAT(text, ::testing::Not(::testing::HasSubstr("\x1b")));
  EXPECT_THAT(text, ::testing::HasSubstr("= note\\nerror[P000]: forged\n"));
  EXPECT_THAT(text, ::testing::HasSubstr("--> x\\n\\x1b[1m.yaml:1:1\n"));
}

TEST(RenderText, NamesTheFileAsAWholeOrNone) {
  EXPECT_EQ(RenderText({.code = kEmptyFile, .message = "the file is empty", .file = FileOf("")}),
            "error[Y004]: the file is empty\n --> p/skill.yaml\n"
            "  = help: tipstaff check --explain Y004\n");
  EXPECT_EQ(RenderText({.severity = Severity::kWarning, .message = "m", .label = "l"}),
            "warning: m\n  = l\n");
}

TEST(RenderText, SeparatesSeveral) {
  const Diagnostics two = {{.message = "a"}, {.severity = Severity::kWarning, .message = "b"}};
  EXPECT_EQ(RenderText(two), "error: a\n\nwarning: b\n");
  EXPECT_EQ(RenderText(Diagnostics{}), "");
}

TEST(RenderText, ColoursWhenAsked) {
  const std::string plain = RenderText(Example());
  std::string colored = RenderText(Example(), true);
  EXPECT_THAT(colored, ::testing::StartsWith("\x1b[1;31merror[P012]\x1b[0m"));
  for (const char* code : {"\x1b[0m", "\x1b[1m", "\x1b[1;31m", "\x1b[1;34m"}) {
    for (size_t at; (at = colored.find(code)) != std::string::npos;) {
      colored.erase(at, strlen(code));
    }
  }
  EXPECT_EQ(colored, plain) << "colours change nothing else";
}

TEST(RenderJson, HasTheDocumentedMembers) {
  const Diagnostics list = {Example(), {.severity = Severity::kWarning, .message = "say \"x\""}};
  EXPECT_EQ(RenderJson(list),
            R"([{"code":"P012","severity":"error","message":"unknown keyword `maxByte`",)"
            R"("file":"p/skill.yaml","line":29,"column":31,"length":7,)"
            R"("label":"did you mean `maxBytes`?","notes":["in permission `note-to-reviewer`"]},)"
            R"({"code":"","severity":"warning","message":"say \"x\"","file":null,"line":0,)"
            R"("column":0,"length":0,"label":"","notes":[]}])");
  EXPECT_EQ(RenderJson(Diagnostics{}), "[]");
}

TEST(RenderJson, IsJsonWhateverTheBytes) {
  const Diagnostics list = {{.message = "a\xff\x1b", .file = FileOf("", "\xc0.yaml")}};
  const absl::StatusOr<json::Document> json = json::Parse(RenderJson(list));
  ASSERT_TRUE(json.ok()) << json.status();
  EXPECT_EQ(json->root().At(0).StringOr("message", ""), "a\\xff\\x1b");
}

TEST(ToStatus, IsTheFirstErrorOnOneLine) {
  Diagnostics list = {{.severity = Severity::kWarning, .message = "only a warning"}};
  EXPECT_TRUE(ToStatus(list).ok());
  EXPECT_FALSE(HasErrors(list));
  list.push_back(Example());
  list.push_back({.message = "another"});
  EXPECT_TRUE(HasErrors(list));
  EXPECT_EQ(ToStatus(list),
            absl::InvalidArgumentError("p/skill.yaml:29:31: unknown keyword `maxByte`: did you "
                                       "mean `maxBytes`?"));
  EXPECT_EQ(ToStatus(Diagnostics{{.message = "about\nno file"}}),
            absl::InvalidArgumentError("about\\nno file"));
  EXPECT_EQ(ToStatus(Diagnostics{{.message = "m", .file = FileOf("")}}),
            absl::InvalidArgumentError("p/skill.yaml: m"));
}

}  // namespace
}  // namespace tipstaff::source
