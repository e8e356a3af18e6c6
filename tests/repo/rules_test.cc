// Each rule sees what it is there to see: bad trees, and a good one beside them.
#include "tests/repo/rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"

namespace tipstaff::repo {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct Row {
  const char* name;  // what is wrong with the tree
  Tree change;       // files put over the good tree
  const char* want;  // a part of the one finding
};

std::string Page(const std::string& edges) {
  return absl::StrCat("# Architecture\n\n```edges\n", edges, "```\n");
}

// Two libraries and a generated service.
Tree GoodTree() {
  return {
      {"README.md", "# product\n"},
      {"CMakeLists.txt", ""},
      {"docs/architecture.md", Page("base:\nproto/guest:\ngate: base proto/guest\nledger: base\n")},
      {"mediator/base/CMakeLists.txt", ""},
      {"mediator/base/README.md", "# base\nShort.\n"},
      {"mediator/base/a.h", "#pragma once\n"},
      {"mediator/base/a_test.cc", "#include \"mediator/ledger/l.h\"\n"},
      {"mediator/base/testing/t.h", ""},
      {"tests/conformance/cases.md",
       "# Cases\n\n| case | right | tests |\n|---|---|---|\n| a `x` | b | `Some.Thing` |\n"},
      {"tests/conformance/a_test.cc", "TEST_P(Some, Thing) {}\n"},
      {"mediator/gate/g.h", "#include <grpcpp/grpcpp.h>\n#include \"mediator/base/a.h\"\n"},
      {"mediator/gate/g.cc", "#include \"tipstaff/guest/v1/guest.grpc.pb.h\"\n"},
      {"mediator/ledger/l.h", "#include \"mediator/base/a.h\"\n"},
      {"mediator/ledger/l.cc", "#include <sqlite3.h>\n"},
      {"schemas/proto/tipstaff/guest/v1/guest.proto", "syntax = \"proto3\";\n"},
      {"stubs/mail/stub.yaml", ""},
      {"stubs/mail/README.md", "1\n2\n3\n4\n5\n6\n7\n"},
  };
}

void ExpectSeen(Findings (*rule)(const Tree&), const std::vector<Row>& rows) {
  EXPECT_THAT(rule(GoodTree()), IsEmpty());
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    Tree tree = GoodTree();
    for (const auto& [path, content] : row.change) tree[path] = content;
    EXPECT_THAT(rule(tree), ElementsAre(HasSubstr(row.want)));
  }
}

TEST(LibraryRuleTest, SeesEdgesThatAreNotListed) {
  ExpectSeen(CheckLibraries,
             {
                 {"an edge against the order",
                  {{"mediator/base/b.cc", "\n#include \"mediator/ledger/l.h\"\n"}},
                  "mediator/base/b.cc:2: `base` may not use `ledger`"},
                 {"an edge to a generated message",
                  {{"mediator/ledger/b.cc", "#include \"tipstaff/guest/v1/guest.pb.h\"\n"}},
                  "`ledger` may not use `proto/guest`"},
                 {"spaces and angle brackets hide nothing",
                  {{"mediator/base/b.h", "  #  include <mediator/gate/g.h>\n"}},
                  "`base` may not use `gate`"},
                 {"an import between protos",
                  {{"schemas/proto/tipstaff/guest/v1/b.proto",
                    "import \"tipstaff/gate/v1/gate.proto\";\n"}},
                  "belongs to no library"},
                 {"product code includes test code",
                  {{"mediator/ledger/b.cc", "#include \"mediator/base/testing/t.h\"\n"}},
                  "includes test code"},
                 {"a folder that the page does not list",
                  {{"mediator/new/n.cc", ""}},
                  "mediator/new/n.cc: its library is not listed"},
             });
}

TEST(LibraryRuleTest, SeesABadTable) {
  const std::string good = "base:\nproto/guest:\ngate: base proto/guest\n";
  ExpectSeen(
      CheckLibraries,
      {
          {"no page's block", {{"docs/architecture.md", "# Architecture\n"}}, "found 0"},
          {"a block that is not closed",
           {{"docs/architecture.md", "```edges\nbase:\n"}},
           "expected one closed block"},
          {"two blocks",
           {{"docs/architecture.md", Page(good) + Page(good)}},
           "expected one closed block \"```edges\", found 2"},
          {"a line of another shape",
           {{"docs/architecture.md", Page("base -> json\n")}},
           "line 4: expected `library: used used`"},
          {"a library listed twice",
           {{"docs/architecture.md", Page("base:\nbase:\n")}},
           "line 5: `base` is listed twice"},
          {"a use that is not listed",
           {{"docs/architecture.md", Page("ledger: base\n")}},
           "`ledger` uses `base`, which is not listed"},
          {"a circle",
           {{"docs/architecture.md", Page("base: gate\ngate: ledger\nledger: base\nkeys:\n")}},
           "in a circle: base gate ledger"},
          {"a listed library with no code",
           {{"docs/architecture.md", Page(good + "ledger: base\nkeys: base\n")}},
           "`keys` is listed, but there is no code in mediator/keys"},
      });
}

TEST(LibraryRuleTest, TheDeepestListedFolderCounts) {
  Tree tree = GoodTree();
  tree["docs/architecture.md"] =
      Page("base:\nproto/guest:\ngate: base proto/guest\nledger: base\nledger/read: ledger\n");
  tree["mediator/ledger/read/r.h"] = "#include \"mediator/base/a.h\"\n";
  EXPECT_THAT(CheckLibraries(tree), ElementsAre(HasSubstr("`ledger/read` may not use `base`")));
  tree["mediator/ledger/read/r.h"] = "#include \"mediator/ledger/l.h\"\n";
  EXPECT_THAT(CheckLibraries(tree), IsEmpty());
}

TEST(HeaderRuleTest, SeesHeavyHeadersOutOfPlace) {
  ExpectSeen(CheckHeaders,
             {
                 {"gRPC in a library",
                  {{"mediator/base/b.cc", "#include <grpcpp/channel.h>\n"}},
                  "mediator/base/b.cc:1: only mediator/gate/, guest-agent/ may include gRPC"},
                 {"a service in a library",
                  {{"mediator/ledger/b.cc", "#include \"tipstaff/guest/v1/guest.grpc.pb.h\"\n"}},
                  "may include a gRPC service"},
                 {"SQLite in another library",
                  {{"mediator/base/b.cc", "#include <sqlite3.h>\n"}},
                  "may include SQLite"},
                 {"SQLite in its library's header",
                  {{"mediator/ledger/b.h", "#include <sqlite3.h>\n"}},
                  "SQLite may not be included in a header"},
                 {"Lua", {{"mediator/base/b.cc", "#include <lua.hpp>\n"}}, "may include Lua"},
                 {"YAML", {{"mediator/source/b.h", "#include <yaml-cpp/yaml.h>\n"}}, "in a header"},
                 {"JSON", {{"mediator/json/b.h", "#include <nlohmann/json.hpp>\n"}}, "in a header"},
                 {"Asio", {{"mediator/base/b.cc", "#include <boost/asio.hpp>\n"}}, "Boost.Asio"},
             });
}

TEST(ReadmeRuleTest, SeesFoldersThatSayNothing) {
  ExpectSeen(
      CheckReadmes,
      {
          {"none in a library",
           {{"mediator/gate/CMakeLists.txt", ""}},
           "mediator/gate/README.md: not there"},
          {"none in a skill", {{"policies/x/skill.yaml", ""}}, "policies/x/README.md: not there"},
          {"a long one in a library",
           {{"mediator/base/README.md", "1\n\n2\n3\n4\n5\n6\n"}},
           "mediator/base/README.md: 6 lines"},
          {"an empty one", {{"mediator/base/README.md", "\n \n"}}, "0 lines"},
      });
}

TEST(TextRuleTest, SeesWhatDoesNotBelong) {
  // Cut in two, so that this file has none of it.
  const std::string mark = absl::StrCat("// FIX", "ME later\n");
  const std::string list = absl::StrCat("TO", "DO: more\n");
  const std::string folder = absl::StrCat("cd \"/ho", "me/me\"\n");
  const std::string work = absl::StrCat("\n/wo", "rk/main\n");
  const std::string host = absl::StrCat("registry.n", "pmjs.org");
  ExpectSeen(CheckText, {
                            {"a mark", {{"a.cc", mark}}, "a.cc:1: `FIX"},
                            {"a mark in a page", {{"a.md", list}}, "a.md:1: `TO"},
                            {"a home folder", {{"a.sh", folder}}, "is a folder of one machine"},
                            {"a path at a line's start", {{"a.sh", work}}, "a.sh:2:"},
                            {"a registry", {{"a.json", host}}, "name packages, not registries"},
                            {"a carriage return", {{"a.md", "one\r\ntwo\n"}}, "a.md:1: ends"},
                        });
}

TEST(TextRuleTest, LeavesInnocentTextAlone) {
  Tree tree = GoodTree();
  tree["a.cc"] =
      "mkdtemp(\"/tmp/x-XXXXXX\"); // TODOS, network/rootless, net/work/x, ${X}/home/y, "
      "--dir /home/agent/x";
  tree["a.png"] = std::string("\r\n\0", 3);
  EXPECT_THAT(CheckText(tree), IsEmpty());
}

TEST(JsonRuleTest, SeesFilesThatDoNotParse) {
  ExpectSeen(CheckJson, {
                            {"cut off", {{"a.json", "{\"a\": "}}, "a.json: "},
                            {"a key twice", {{"a.json", "{\"a\":1,\"a\":2}"}}, "a.json: "},
                            {"a lock file with addresses",
                             {{"t/package-lock.json", "{\"resolved\": \"there\"}"}},
                             "omit-lockfile-registry-resolved"},
                        });
}

TEST(ReferenceRuleTest, SeesPagesThatAreNotThere) {
  ExpectSeen(CheckReferences, {
                                  {"a page that is not there",
                                   {{"mediator/base/b.h", "// see docs/gone.md\n"}},
                                   "mediator/base/b.h: names `docs/gone.md`"},
                                  {"a format with no header",
                                   {{"docs/x-format.md", "bytes\n"}},
                                   "docs/x-format.md: names no header"},
                                  {"a format whose header does not name it",
                                   {{"docs/x-format.md", "see mediator/base/a.h\n"}},
                                   "docs/x-format.md: names no header"},
                              });
}

TEST(ReferenceRuleTest, AFormatAndItsHeaderNameEachOther) {
  Tree tree = GoodTree();
  tree["docs/x-format.md"] = "code: `mediator/ledger/x.h`\n";
  tree["mediator/ledger/x.h"] = "// docs/x-format.md\n";
  EXPECT_THAT(CheckReferences(tree), IsEmpty());
}

TEST(CasesRuleTest, SeesCasesWithoutTests) {
  const std::string head = "| case | right | tests |\n|---|---|---|\n";
  ExpectSeen(
      CheckCases,
      {
          {"a test that is not there",
           {{"tests/conformance/cases.md", head + "| a | b | `Some.Thing` `Some.Other` |\n"}},
           "cases.md:3: there is no test `Some.Other`"},
          {"a case without a test",
           {{"tests/conformance/cases.md", head + "| a | b `Some.Thing` | by hand |\n"}},
           "cases.md:3: a case without a test"},
          {"no cases", {{"tests/conformance/cases.md", head}}, "it has no rows"},
          {"a test in a comment of another file",
           {{"tests/conformance/a_test.cc", ""},
            {"tests/conformance/a.cc", "TEST_P(Some, Thing) {}\n"}},
           "there is no test `Some.Thing`"},
      });
}

}  // namespace
}  // namespace tipstaff::repo
