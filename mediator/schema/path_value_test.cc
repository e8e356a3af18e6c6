#include "mediator/schema/path_value.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "absl/strings/str_cat.h"
#include "mediator/schema/characters.h"

namespace tipstaff::schema {
namespace {

using testing::HasSubstr;

struct Row {
  const char* name;
  std::string path;
  const char* says;
};

void ExpectRefused(const PathRule& rule, const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    const std::optional<std::string> problem = PathProblem(rule, row.path);
    ASSERT_TRUE(problem.has_value()) << row.name;
    EXPECT_THAT(*problem, HasSubstr(row.says)) << row.name;
  }
}

// Refused whatever the rule: `hidden` is on, and no list narrows anything.
TEST(PathProblem, RefusesWhatLeadsElsewhere) {
  ExpectRefused(
      {.hidden = true},
      {
          {"empty", "", "it is empty"},
          {"absolute", "/etc/passwd", "it is absolute"},
          {"network path", "//host/share", "it is absolute"},
          {"up", "../a", "part 1 is `..`"},
          {"up from within", "docs/../../etc/passwd", "part 2 is `..`"},
          {"up at the end", "a/..", "part 2 is `..`"},
          {"here", "./a", "part 1 is `.`"},
          {"empty part", "a//b", "part 2 is empty"},
          {"slash at the end", "a/", "part 2 is empty"},
          {"escaped dots", "%2e%2e/etc/passwd", "it holds `%`"},
          {"escaped twice", "a/%252e%252e/b", "it holds `%`"},
          {"overlong dot", "\xc0\xae\xc0\xae/a", "byte 1 is not UTF-8"},
          {"full-width dots", "\xef\xbc\x8e\xef\xbc\x8e/a", "U+FF0E"},
          {"two dot leader", "\xe2\x80\xa5/a", "U+2025"},
          {"full-width slash",
           "a\xef\xbc\x8f"
           "b",
           "U+FF0F"},
          {"division slash",
           "a\xe2\x88\x95"
           "b",
           "U+2215"},
          {"set minus, a backslash in a code page", "a\u2216b", "U+2216"},
          {"yen sign, a backslash in another", "a\u00a5b", "U+00A5"},
          {"account of, which holds a slash", "a\u2100b", "U+2100"},
          {"small full stops", "\ufe52\ufe52/a", "U+FE52"},
          {"vertical ellipsis", "\ufe19/a", "U+FE19"},
          {"numbered full stop", "\u2488", "U+2488"},
          {"ratio", "c\u2236a", "U+2236"},
          {"small percent", "\ufe6a2e", "it holds `%`"},
          {"asterisk operator", "a\u2217", "it holds `*`"},
          {"small hyphen", "\ufe63x", "it begins with `-`"},
          {"minus", "\u2212x", "it begins with `-`"},
          {"small tilde", "\u02dcroot", "it begins with `~`"},
          {"NUL", std::string("a.txt\0.png", 10), "U+0000"},
          {"line feed", "a\nb", "U+000A"},
          {"backslash", "a\\..\\b", "it holds `\\`"},
          {"drive", "C:/Windows", "it holds `:`"},
          {"stream", "a.txt::$DATA", "it holds `:`"},
          {"variable", "$HOME/.x", "it holds `$`"},
          {"full-width percent",
           "\xef\xbc\x85"
           "2e",
           "it holds `%`"},
          {"pattern", "*", "it holds `*`"},
          {"redirection", "a>b", "it holds `>`"},
          {"command", "`id`", "it holds ```"},
          {"home folder", "~/.ssh/id", "it begins with `~`"},
          {"another's home folder", "~root/a", "it begins with `~`"},
          {"option", "-rf", "it begins with `-`"},
          {"long option", "--output/a", "it begins with `-`"},
          {"full-width hyphen", "\xef\xbc\x8drf", "it begins with `-`"},
          {"dot at the end: Windows drops it", "a./b", "part 1 ends with a dot"},
          {"three dots", "a/...", "part 2 ends with a dot"},
          {"space at the end", "a /b", "part 1 ends with a space"},
          {"space at the beginning", "a/ b", "part 2 begins with a space"},
          {"no-break space at the end", "a\xc2\xa0", "part 1 ends with a space"},
          {"ideographic space at the end", "a\xe3\x80\x80/b", "part 1 ends with a space"},
          {"zero-width space", "a\xe2\x80\x8b", "U+200B"},
          {"soft hyphen", "a\xc2\xad", "U+00AD"},
          {"byte order mark",
           "\xef\xbb\xbf"
           "a",
           "U+FEFF"},
          {"right-to-left override", "a\xe2\x80\xaetxt.exe", "U+202E"},
          {"tag character", "a\xf3\xa0\x81\xa1", "U+E0061"},
          {"short name", "GIT~1/config", "part 1 has the form of a short name"},
          {"short name with its extension", "a/LONGFI~2.TXT", "part 2 has the form of a short"},
          {"device", "con", "part 1 is the name of a Windows device"},
          {"device with an extension", "a/NUL.txt", "part 2 is the name of a Windows device"},
          {"device, then a space", "aux .txt", "part 1 is the name of a Windows device"},
          {"serial port", "com1", "part 1 is the name of a Windows device"},
          {"serial port with a superscript", "COM\xc2\xb9.a", "is the name of a Windows device"},
          {"a long part", std::string(256, 'a'), "part 1 is over 255 bytes"},
          {"a long path", std::string(4097, 'a'), "it is over 4096 bytes"},
      });
}

TEST(PathProblem, RefusesWhatToolsObey) {
  ExpectRefused(
      {.hidden = true},
      {
          {"git's commands", ".git/config", "part 1 falls under `.git`"},
          {"in upper case", ".GIT/hooks/x", "part 1 falls under `.git`"},
          {"further down", "a/b/.Git/hooks/post-checkout", "part 3 falls under `.git`"},
          {"with a dotless i", ".g\xc4\xb1t/config", "falls under `.git`"},
          {"in full-width letters", ".\xef\xbd\x87\xef\xbd\x89\xef\xbd\x94/config",
           "falls under `.git`"},
          {"with the Kelvin sign", ".hus\xe2\x84\xaay/pre-commit", "falls under `.husky`"},
          {"with a long s",
           ".ba\xc5\xbf"
           "hrc",
           "falls under `.bash`"},
          {"with a ligature", ".con\xef\xac\x81g/x", "falls under `.config`"},
          {"a repository without a work tree", "docs/HEAD", "part 2 falls under `head`"},
          {"an interpreter's start", ".ghci", "falls under `.ghci`"},
          {"a search connector", "a.searchConnector-ms", "falls under `.searchconnector-ms`"},
          {"workflows", ".github/workflows/x.yml", "falls under `.github`"},
          {"pipelines", ".gitlab-ci.yml", "falls under `.gitlab-ci`"},
          {"tasks of an editor", ".vscode/tasks.json", "falls under `.vscode`"},
          {"another editor", ".idea/workspace.xml", "falls under `.idea`"},
          {"a workspace", "x.code-workspace", "falls under `.code-workspace`"},
          {"hooks", ".husky/pre-commit", "falls under `.husky`"},
          {"container", ".devcontainer/devcontainer.json", "falls under `.devcontainer`"},
          {"agents", "AGENTS.md", "falls under `agents.md`"},
          {"agents, in a folder", "notes/Claude.md", "part 2 falls under `claude.md`"},
          {"Gemini", "GEMINI.md", "falls under `gemini.md`"},
          {"servers of an agent", ".mcp.json", "falls under `.mcp`"},
          {"rules", ".cursorrules", "falls under `.cursor`"},
          {"rules in a folder", ".cursor/rules/a.mdc", "falls under `.cursor`"},
          {"Windsurf", ".windsurfrules", "falls under `.windsurf`"},
          {"Copilot", "x/copilot-instructions.md", "falls under `copilot-instructions.md`"},
          {"settings of an agent", ".claude/settings.json", "falls under `.claude`"},
          {"environment", ".env", "falls under `.env`"},
          {"environment of a stage", ".env.production", "falls under `.env`"},
          {"shell on entering", ".envrc", "falls under `.env`"},
          {"npm", ".npmrc", "falls under `.npmrc`"},
          {"shell", ".bashrc", "falls under `.bash`"},
          {"interpreter", "lib/sitecustomize.py", "falls under `sitecustomize.py`"},
          {"interpreter's paths", "lib/x.pth", "falls under `.pth`"},
          {"keys", ".ssh/authorized_keys", "falls under `.ssh`"},
          {"Windows", "autorun.inf", "falls under `autorun.inf`"},
      });
}

TEST(PathProblem, PassesPlainPaths) {
  for (const char* path :
       {"a", "a/b/c.txt", "report 2026.pdf", "a-b_c+d,e=f@g(1).txt", "x..y", "a~b", "src/main.cc",
        "Makefile", "package.json", "gitignore", "my.git", "agents.md.txt", "console.log", "comic",
        "com10.txt", "auxiliary", "\xc3\xa9t\xc3\xa9/\xe6\x97\xa5\xe6\x9c\xac.txt", "a#b!",
        "environment"}) {
    EXPECT_EQ(PathProblem({}, path), std::nullopt) << path;
  }
}

TEST(PathProblem, KeepsToUnderByWholeParts) {
  const PathRule rule = *NormalPathRule({.under = {"w/safe/", "out"}});
  for (const char* path : {"w/safe/x", "w/safe/a/b", "out/x"}) {
    EXPECT_EQ(PathProblem(rule, path), std::nullopt) << path;
  }
  ExpectRefused(rule, {{"another folder of the same beginning", "w/safe-evil/x", "not under"},
                       {"the folder itself", "w/safe", "it is not under w/safe, out"},
                       {"another case", "W/safe/x", "not under"},
                       {"above", "w/x", "not under"},
                       {"elsewhere, the same at the end", "x/w/safe/y", "not under"},
                       {"out by dots", "w/safe/../x", "part 3 is `..`"}});
}

TEST(PathProblem, KeepsToExtensionsOfTheLastPart) {
  const PathRule rule = *NormalPathRule({.extensions = {"txt", "TAR.gz"}, .hidden = true});
  for (const char* path : {"a.txt", "a.TXT", "a/b.tar.gz", "a.exe.txt"}) {
    EXPECT_EQ(PathProblem(rule, path), std::nullopt) << path;
  }
  ExpectRefused(rule, {{"another", "a.exe", "its extension is none of txt, tar.gz"},
                       {"none", "atxt", "its extension is none of"},
                       {"half of it", "a.gz", "its extension is none of"},
                       {"of another part", "a.txt/b", "its extension is none of"},
                       {"nothing before it", ".txt", "its extension is none of"},
                       {"another after it", "a.txt.exe", "its extension is none of"}});
}

TEST(PathProblem, HidesDotFilesUnlessToldNotTo) {
  EXPECT_EQ(PathProblem({}, ".hidden"), "part 1 is hidden: it begins with a dot");
  EXPECT_EQ(PathProblem({}, "a/.b/c"), "part 2 is hidden: it begins with a dot");
  EXPECT_EQ(PathProblem({.hidden = true}, "a/.b/c"), std::nullopt);
}

TEST(NormalPathRule, RefusesEntriesThatNothingMatches) {
  struct Bad {
    PathRule rule;
    const char* says;
  };
  const Bad kRows[] = {
      {{.under = {""}}, "it is empty"},
      {{.under = {"/"}}, "it is absolute"},
      {{.under = {"/srv"}}, "it is absolute"},
      {{.under = {"a", "../b"}}, "part 1 is `..`"},
      {{.under = {"."}}, "part 1 is `.`"},
      {{.under = {".github/workflows"}, .hidden = true}, "falls under `.github`"},
      {{.under = {"a/.cache"}}, "add `hidden: true`"},
      {{.extensions = {""}}, "is no extension"},
      {{.extensions = {".txt"}}, "write it as `txt`"},
      {{.extensions = {"a/b"}}, "is no extension"},
      {{.extensions = {"*"}}, "is no extension"},
      {{.extensions = {"pth"}}, "is no extension"},
  };
  for (const Bad& row : kRows) {
    const absl::Status status = NormalPathRule(row.rule).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << row.says;
    EXPECT_THAT(std::string(status.message()), HasSubstr(row.says));
  }
}

TEST(FoldName, FoldsWhatFileSystemsFold) {
  EXPECT_EQ(FoldName("A\xef\xbc\xa2\xe2\x84\xaa\xc5\xbf\xc3\x9f\xc4\xb0\xef\xac\x81"), "abksssifi");
  EXPECT_EQ(FoldName("\xc3\x89\xff"), "\xc3\xa9\xff");
  EXPECT_EQ(FoldName(".\U0001d4d6\u1d62t"), ".git") << "mathematical and subscript letters";
}

TEST(PathProblem, TakesAnyBytes) {
  std::mt19937 random(19);
  const std::string alphabet = "ab./\\~1-: \xc2\xa0\xef\xbc\x8e\xff";
  for (int round = 0; round < 50000; ++round) {
    std::string path;
    for (size_t size = random() % 16; size > 0; --size)
      path += alphabet[random() % alphabet.size()];
    const std::optional<std::string> problem = PathProblem({.hidden = true}, path);
    EXPECT_EQ(problem, PathProblem({.hidden = true}, path));
    if (problem.has_value()) continue;
    const std::string bounded = absl::StrCat("/", path, "/");
    for (const char* never : {"/../", "/./", "//", "\\", ":", "~1"}) {
      EXPECT_EQ(bounded.find(never), std::string::npos) << path;
    }
  }
}

}  // namespace
}  // namespace tipstaff::schema
