// `path`, `url`, `email`, `emailDomain` and `plain` as keywords; their values' tests stand in
// path_value_test.cc and plain_test.cc.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mediator/json/parse.h"
#include "mediator/schema/program.h"

namespace tipstaff::schema {
namespace {

using ::testing::HasSubstr;

std::optional<Program> Compile(const char* schema, std::vector<Problem>& problems) {
  return Program::Compile(json::MustParse(schema).root(), {.dialect = Dialect::kSkill}, problems);
}

std::optional<Failure> Check(const char* schema, const char* value) {
  std::vector<Problem> problems;
  const std::optional<Program> program = Compile(schema, problems);
  EXPECT_TRUE(program.has_value()) << (problems.empty() ? "" : problems[0].message);
  const json::Document document = json::MustParse(value);
  return program ? program->Check(document.root()) : std::nullopt;
}

TEST(PathKeyword, RefusesWhatItDoesNotList) {
  const char* schema = R"({"type":"string","path":{"under":["out"],"extensions":["txt","JSON"]}})";
  for (const char* good : {R"("out/a.txt")", R"("out/b/c.json")", R"("out/A.TXT")"}) {
    EXPECT_FALSE(Check(schema, good).has_value()) << good;
  }
  for (const char* bad :
       {R"("a.txt")", R"("output/a.txt")", R"("out/../a.txt")", R"("/out/a.txt")", R"("out/a.sh")",
        R"("out/.git/a.txt")", R"("out//a.txt")", R"("out\\a.txt")", R"("out/a.txt ")", R"("")"}) {
    const std::optional<Failure> failure = Check(schema, bad);
    ASSERT_TRUE(failure.has_value()) << bad;
    EXPECT_EQ(failure->keyword, "path") << bad;
    EXPECT_FALSE(failure->scope);
  }
  EXPECT_THAT(Check(schema, R"("out/a.sh")")->found, HasSubstr("extension"));
}

TEST(PathKeyword, AnyRelativePathIsAMapping) {
  EXPECT_FALSE(Check(R"({"type":"string","path":{}})", R"("a/b")").has_value());
  EXPECT_TRUE(Check(R"({"type":"string","path":{}})", R"(".env")").has_value());
  EXPECT_FALSE(Check(R"({"type":"string","path":{"hidden":true}})", R"(".notes/a")").has_value());
}

TEST(UrlKeyword, LetsThroughWhatItLists) {
  const char* schema =
      R"({"type":"string","url":{"hosts":["wiki.example","*.lab.example"],"paths":["/w/"]}})";
  for (const char* good : {R"("https://wiki.example/w/a?b=1")", R"("https://x.lab.example/w/")",
                           R"("https://WIKI.example:443/w/a")"}) {
    EXPECT_FALSE(Check(schema, good).has_value()) << good;
  }
  for (const char* bad :
       {R"("http://wiki.example/w/a")", R"("https://wiki.example/x")",
        R"("https://wiki.example.evil.example/w/a")", R"("https://wiki.example@evil.example/w/")",
        R"("https://wiki.example:8443/w/a")", R"("https://wiki.example/w/../x")",
        R"("https://127.0.0.1/w/")", R"("//wiki.example/w/")", R"("javascript:alert")"}) {
    const std::optional<Failure> failure = Check(schema, bad);
    ASSERT_TRUE(failure.has_value()) << bad;
    EXPECT_EQ(failure->keyword, "url");
  }
}

TEST(PlainKeyword, RefusesWhatAShellActsOn) {
  const char* schema = R"({"type":"string","plain":true})";
  EXPECT_FALSE(Check(schema, R"("release notes 1.2")").has_value());
  for (const char* bad : {R"("-rf")", R"("a; b")", R"x("$(id)")x", R"("a --force")", R"("a|b")"}) {
    const std::optional<Failure> failure = Check(schema, bad);
    ASSERT_TRUE(failure.has_value()) << bad;
    EXPECT_EQ(failure->keyword, "plain");
  }
}

class AddressKeyword : public testing::Test {
 protected:
  // With the binding `$people`, which is in scope.
  std::optional<Failure> Check(const char* schema, const char* value) {
    const std::vector<Binding> bindings = {{"people", /*in_scope=*/true, /*is_array=*/true}};
    std::vector<Problem> problems;
    const std::optional<Program> program =
        Program::Compile(json::MustParse(schema).root(),
                         {.dialect = Dialect::kSkill, .bindings = bindings}, problems);
    EXPECT_TRUE(program.has_value()) << (problems.empty() ? "" : problems[0].message);
    const json::Document document = json::MustParse(value);
    const json::Value people[] = {people_.root()};
    return program ? program->Check(document.root(), people) : std::nullopt;
  }
  const json::Document people_ =
      json::MustParse(R"(["Dana@acme.example","no address","*.lab.example"])");
};

TEST_F(AddressKeyword, ListsAddresses) {
  const char* schema = R"({"type":"string","email":["rin@acme.example"]})";
  EXPECT_FALSE(Check(schema, R"("rin@ACME.example")").has_value());
  for (const char* bad :
       {R"("Rin@acme.example")", R"("rin@acme.example.evil.example")", R"("rin@acme.example ")",
        R"("Rin <rin@acme.example>")", R"("x@evil.example,rin@acme.example")",
        R"("rin@acme.example\nBcc: x@evil.example")", R"("rin")"}) {
    const std::optional<Failure> failure = Check(schema, bad);
    ASSERT_TRUE(failure.has_value()) << bad;
    EXPECT_FALSE(failure->scope) << "no binding is meant";
  }
}

TEST_F(AddressKeyword, ABindingInScopeMakesItAMatterOfScope) {
  const char* schema = R"({"type":"string","email":"$people"})";
  EXPECT_FALSE(Check(schema, R"("Dana@acme.example")").has_value());
  const std::optional<Failure> failure = Check(schema, R"("eve@evil.example")");
  ASSERT_TRUE(failure.has_value());
  EXPECT_TRUE(failure->scope);
  EXPECT_EQ(failure->keyword, "email");
  EXPECT_TRUE(Check(schema, R"("no address")").has_value()) << "listed, and no address";
}

TEST_F(AddressKeyword, DomainsAndTheirSubdomains) {
  const char* schema = R"({"type":"string","emailDomain":["acme.example","*.lab.example"]})";
  for (const char* good : {R"("a@acme.example")", R"("a@x.lab.example")", R"("a@Acme.Example")"}) {
    EXPECT_FALSE(Check(schema, good).has_value()) << good;
  }
  for (const char* bad : {R"("a@x.acme.example")", R"("a@lab.example")", R"("a@notacme.example")",
                          R"("a@acme.example@evil.example")", R"("acme.example")"}) {
    EXPECT_TRUE(Check(schema, bad).has_value()) << bad;
  }
  EXPECT_FALSE(
      Check(R"({"type":"string","emailDomain":"$people"})", R"("a@x.lab.example")").has_value());
}

TEST(TextRules, SayWhatTheyTake) {
  struct Row {
    const char* schema;
    ProblemKind kind;
    const char* message;
  };
  for (const Row& row :
       {Row{R"({"path":true})", ProblemKind::kBadValue, "`path` takes a mapping"},
        Row{R"({"path":{"below":["a"]}})", ProblemKind::kUnknownKeyword, "unknown key in `path`"},
        Row{R"({"path":{"under":"a"}})", ProblemKind::kBadValue, "`under` takes a list"},
        Row{R"({"path":{"under":[]}})", ProblemKind::kBadValue, "one at least"},
        Row{R"({"path":{"extensions":[5]}})", ProblemKind::kBadValue, "`extensions` lists texts"},
        Row{R"({"path":{"hidden":1}})", ProblemKind::kBadValue, "`hidden` takes true or false"},
        Row{R"({"path":{"under":["../x"]}})", ProblemKind::kBadValue, "../x"},
        Row{R"({"email":[]})", ProblemKind::kBadValue, "`email` takes a list of at least one"},
        Row{R"({"email":"rin@acme.example"})", ProblemKind::kBadValue, "`email` takes a list"},
        Row{R"({"email":["Rin <rin@acme.example>"]})", ProblemKind::kBadValue, "no plain address"},
        Row{R"({"emailDomain":[7]})", ProblemKind::kBadValue, "`emailDomain` lists texts"},
        Row{R"({"emailDomain":["*.com"]})", ProblemKind::kBadValue, "*.com"},
        Row{R"({"email":["$people"]})", ProblemKind::kUnknownBinding, "people"},
        Row{R"({"url":{}})", ProblemKind::kBadValue, "host"},
        Row{R"({"url":["wiki.example"]})", ProblemKind::kBadValue, "`url` takes a mapping"},
        Row{R"({"url":{"host":["a.example"]}})", ProblemKind::kUnknownKeyword, "unknown key"},
        Row{R"({"url":{"hosts":["a.example"],"ports":[0]}})", ProblemKind::kBadValue, "1 to 65535"},
        Row{R"({"url":{"hosts":["$wiki"]}})", ProblemKind::kMisplacedBinding, "$wiki"},
        Row{R"({"path":{"under":["$folder"]}})", ProblemKind::kMisplacedBinding, "$folder"},
        Row{R"({"plain":false})", ProblemKind::kBadValue, "`plain` takes true"},
        Row{R"({"plain":"yes"})", ProblemKind::kBadValue, "`plain` takes true"}}) {
    std::vector<Problem> problems;
    EXPECT_FALSE(Compile(row.schema, problems).has_value()) << row.schema;
    ASSERT_FALSE(problems.empty()) << row.schema;
    bool said = false;
    for (const Problem& problem : problems) {
      said = said ||
             (problem.kind == row.kind && problem.message.find(row.message) != std::string::npos);
    }
    EXPECT_TRUE(said) << row.schema << ": " << problems[0].message;
  }
}

TEST(TextRules, AreNoKeywordsOfTools) {
  const auto program = Program::Compile(
      json::MustParse(R"({"path":{"under":["out"]},"plain":true})").root(), Dialect::kTool);
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_TRUE(program->Accepts(json::MustParse(R"("-x/../$y")").root()));
}

}  // namespace
}  // namespace tipstaff::schema
