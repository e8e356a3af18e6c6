// `path`, `url`, `email`, `emailDomain` and `plain` as keywords; their values' tests stand in
// path_value_test.cc and plain_test.cc.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "mediator/json/builder.h"
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

// `url` with lists that bindings give.
class BoundUrl : public testing::Test {
 protected:
  const std::vector<Binding> bindings_ = {{"host", /*in_scope=*/true},
                                          {"hosts", /*in_scope=*/true, /*is_array=*/true},
                                          {"port"},
                                          {"paths", /*in_scope=*/false, /*is_array=*/true}};
  std::optional<Program> Compile(const std::string& url, bool denies = false) const {
    std::vector<Problem> problems;
    const std::string schema = denies ? absl::StrCat(R"({"not":{"url":)", url, "}}")
                                      : absl::StrCat(R"({"type":"string","url":)", url, "}");
    std::optional<Program> program = Program::Compile(
        json::MustParse(schema).root(),
        {.dialect = Dialect::kSkill, .bindings = bindings_, .denies = denies}, problems);
    EXPECT_TRUE(program.has_value()) << (problems.empty() ? "" : problems[0].message);
    return program;
  }
};

TEST_F(BoundUrl, EntriesAreWhatTheRunIsBoundTo) {
  struct Row {
    const char* name;
    const char* url;
    const char* bound;  // host, hosts, port, paths
    const char* value;
    bool passes;
  };
  for (const Row& row : std::initializer_list<Row>{
           {"an item", R"({"hosts":["$host"]})", R"(["a.example",[],1,[]])", "https://a.example/x",
            true},
           {"another host", R"({"hosts":["$host"]})", R"(["a.example",[],1,[]])",
            "https://b.example/x", false},
           {"beside a literal", R"({"hosts":["$host","b.example"]})", R"(["a.example",[],1,[]])",
            "https://b.example/x", true},
           {"in normal form", R"({"hosts":"$hosts"})",
            R"(["",["B\u00fccher.Example","[0:0::1]"],1,[]])", "https://xn--bcher-kva.example/",
            false},
           {"in normal form: lower case only, as IDNA2008 asks", R"({"hosts":"$hosts"})",
            R"(["",["b\u00fccher.Example","[0:0::1]"],1,[]])", "https://xn--bcher-kva.example/",
            true},
           {"an address", R"({"hosts":"$hosts"})", R"(["",["0:0::1"],1,[]])", "https://[::1]/",
            true},
           {"hosts below one", R"({"hosts":"$hosts"})", R"(["",["*.a.example"],1,[]])",
            "https://x.a.example/", true},
           {"a whole top-level domain is no entry", R"({"hosts":"$hosts"})",
            R"(["",["*.example"],1,[]])", "https://a.example/", false},
           {"a URL is no host, and the one beside it is", R"({"hosts":"$hosts"})",
            R"(["",["https://a.example","b.example"],1,[]])", "https://b.example/", true},
           {"a URL is no host", R"({"hosts":"$hosts"})", R"(["",["https://a.example"],1,[]])",
            "https://a.example/", false},
           {"an empty text is no host", R"({"hosts":["$host"]})", R"(["",[],1,[]])",
            "https://a.example/", false},
           {"no hosts", R"({"hosts":"$hosts"})", R"(["",[],1,[]])", "https://a.example/", false},
           {"a number is no host", R"({"hosts":["$port"]})", R"(["",[],1,[]])", "https://1/",
            false},
           {"hosts that were not given", R"({"hosts":"$hosts"})", "[]", "https://a.example/",
            false},
           {"a port", R"({"hosts":["a.example"],"ports":[443,"$port"]})", R"(["",[],8443.0,[]])",
            "https://a.example:8443/", true},
           {"a port that is none", R"({"hosts":["a.example"],"ports":["$port"]})",
            R"(["",[],65979,[]])", "https://a.example:443/", false},
           {"a port that was not given is not the usual one",
            R"({"hosts":["a.example"],"ports":["$port"]})", "[]", "https://a.example/", false},
           {"a text is no port", R"({"hosts":["a.example"],"ports":["$host"]})",
            R"(["443",[],1,[]])", "https://a.example/", false},
           {"a path", R"({"hosts":["a.example"],"paths":"$paths"})", R"(["",[],1,["/a/","/b"]])",
            "https://a.example/a/x", true},
           {"another path", R"({"hosts":["a.example"],"paths":"$paths"})",
            R"(["",[],1,["/a/","/b"]])", "https://a.example/b/x", false},
           {"no paths are not any path", R"({"hosts":["a.example"],"paths":"$paths"})",
            R"(["",[],1,[]])", "https://a.example/", false},
           {"paths that are none are not any path", R"({"hosts":["a.example"],"paths":"$paths"})",
            R"(["",[],1,["","a","/../"]])", "https://a.example/", false},
           {"a scheme", R"({"hosts":["a.example"],"schemes":["$host"]})", R"(["HTTP",[],1,[]])",
            "http://a.example/", true},
           {"a scheme in place of https", R"({"hosts":["a.example"],"schemes":["$host"]})",
            R"(["http",[],1,[]])", "https://a.example/", false},
           {"no schemes are not https", R"({"hosts":["a.example"],"schemes":"$hosts"})",
            R"(["",[],1,[]])", "https://a.example/", false}}) {
    const json::Document bound = json::MustParse(row.bound);
    std::vector<json::Value> values;
    for (json::Value value : bound.root().items()) values.push_back(value);
    json::Builder builder;
    builder.String(row.value);
    const json::Document value = *std::move(builder).Build();
    EXPECT_EQ(Compile(row.url)->Accepts(value.root(), values), row.passes) << row.name;
    // Of what is not certain to be in the lists a rule denies.
    EXPECT_EQ(Compile(row.url, /*denies=*/true)->MayAccept(value.root(), values), !row.passes)
        << row.name << ", in a deny rule";
  }
}

TEST_F(BoundUrl, IsAMatterOfScopeWhereEveryListIs) {
  for (const auto& [url, scope] :
       {std::pair(R"({"hosts":"$hosts"})", true),
        std::pair(R"({"hosts":["$host"],"paths":"$hosts"})", true),
        std::pair(R"({"hosts":["$host","a.example"]})", false),
        std::pair(R"({"hosts":["$host"],"ports":["$port"]})", false),
        std::pair(R"({"hosts":["$host"],"schemes":["https"]})", false)}) {
    const std::optional<Failure> failure =
        Compile(url)->Check(json::MustParse(R"("https://evil.example/")").root());
    ASSERT_TRUE(failure.has_value());
    EXPECT_EQ(failure->scope, scope) << url;
    EXPECT_FALSE(Compile(url)->BindsToScope()) << "only `equals` and `in` bind writes: " << url;
  }
}

TEST_F(BoundUrl, SaysWhatItExpects) {
  const json::Document bound = json::MustParse(R"(["a.example",["b.example"],8443,[]])");
  std::vector<json::Value> values;
  for (json::Value value : bound.root().items()) values.push_back(value);
  const auto program = Compile(R"({"hosts":["$host","C.example"],"ports":["$port"]})");
  const std::optional<Failure> failure =
      program->Check(json::MustParse(R"("https://\u0430.example/")").root(), values);
  ASSERT_TRUE(failure.has_value());
  EXPECT_EQ(failure->expected,
            "a plain URL at one of `c.example`, `a.example` (binding `host`) with a scheme, port "
            "and path that `url` lists (binding `port`)");
  EXPECT_EQ(failure->found, "`https://\\u{430}.example/`") << "a letter that looks like another";
}

TEST_F(BoundUrl, WorkIsBoundedHoweverMuchIsListed) {
  json::Builder hosts, urls;
  hosts.StartArray().String("").StartArray();
  for (int i = 0; i < 60'000; ++i) hosts.String(absl::StrCat("h", i, ".example"));
  const json::Document bound = *std::move(hosts.EndArray().EndArray()).Build();
  urls.StartArray();
  for (int i = 0; i < 2'000; ++i) urls.String("https://none.example/");
  const json::Document value = *std::move(urls.EndArray()).Build();
  std::vector<Problem> problems;
  const auto program = Program::Compile(
      json::MustParse(R"({"type":"array","contains":{"type":"string","url":{"hosts":"$hosts"}}})")
          .root(),
      {.dialect = Dialect::kSkill, .bindings = bindings_}, problems);
  ASSERT_TRUE(program.has_value());
  const std::vector<json::Value> values = {bound.root().At(0), bound.root().At(1)};
  const std::optional<Failure> failure = program->Check(value.root(), values);
  ASSERT_TRUE(failure.has_value());
  EXPECT_THAT(failure->found, HasSubstr("too many steps"));
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
        Row{R"({"url":{"hosts":["$wiki"]}})", ProblemKind::kUnknownBinding, "$wiki"},
        Row{R"({"url":{"hosts":"$wiki"}})", ProblemKind::kUnknownBinding, "$wiki"},
        Row{R"({"url":{"hosts":["a.example"],"ports":["$p"]}})", ProblemKind::kUnknownBinding,
            "$p"},
        Row{R"({"url":{"hosts":["${wiki}"]}})", ProblemKind::kMisplacedBinding, "no name of a"},
        Row{R"({"url":{"hosts":["$$wiki"]}})", ProblemKind::kBadValue, "`$wiki` is not a domain"},
        Row{R"({"url":{"hosts":[]}})", ProblemKind::kBadValue, "`hosts` takes a list of texts"},
        Row{R"({"url":{"hosts":"wiki"}})", ProblemKind::kBadValue, "or a binding that is one"},
        Row{R"({"url":{"hosts":["a.example"],"ports":443}})", ProblemKind::kBadValue, "of numbers"},
        Row{R"({"url":{"hosts":["a.example"],"ports":["443"]}})", ProblemKind::kBadValue, "65535"},
        Row{R"({"url":{"hosts":["a.example"],"ports":[1.5]}})", ProblemKind::kBadValue, "65535"},
        Row{R"({"url":{"hosts":["a.example"],"paths":[7]}})", ProblemKind::kBadValue,
            "lists texts"},
        Row{R"({"url":"$wiki"})", ProblemKind::kBadValue, "`url` takes a mapping"},
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
