// `url` whose lists take bindings, from the file to the decision.
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "mediator/policy/testing/skill_text.h"

namespace tipstaff::policy {
namespace {

constexpr char kSkill[] = R"(skill: a
bindings:
  wiki: {type: string}
  sites: {type: array, items: {type: string}, default: [docs.example.com]}
  port: {type: integer, default: 8443}
scope: [wiki, sites]
backends: {mail: {stub: mailbox}}
permissions:
  - id: one
    tool: mail.search_messages
    args: {query: {type: string, url: {hosts: [$wiki]}}}
  - id: any
    tool: mail.list_messages
    args: {folder: {type: string, url: {hosts: $sites}}}
  - id: mixed
    tool: mail.read_message
    args: {id: {type: string, url: {hosts: [$wiki, docs.example.com], ports: [443, $port]}}}
finalize: none
)";

struct Row {
  const char* name;
  const char* bindings;
  const char* tool;
  const char* argument;
  const char* url;
  call::Reason reason;
};

const Row kRows[] = {
    {"the host of the run", R"({"wiki":"wiki.example.com"})", "search_messages", "query",
     "https://WIKI.example.com/a", call::Reason::kPermitted},
    {"another host", R"({"wiki":"wiki.example.com"})", "search_messages", "query",
     "https://evil.example/", call::Reason::kOutOfScope},
    {"what is no URL", R"({"wiki":"wiki.example.com"})", "search_messages", "query",
     "https://wiki.example.com@evil.example/", call::Reason::kOutOfScope},
    {"a binding that is no host", R"({"wiki":"https://wiki.example.com"})", "search_messages",
     "query", "https://wiki.example.com/", call::Reason::kOutOfScope},
    {"a default", R"({"wiki":"w.example"})", "list_messages", "folder", "https://docs.example.com/",
     call::Reason::kPermitted},
    {"a list that is given", R"({"wiki":"w.example","sites":["*.example.org"]})", "list_messages",
     "folder", "https://a.b.example.org/", call::Reason::kPermitted},
    {"an empty list", R"({"wiki":"w.example","sites":[]})", "list_messages", "folder",
     "https://docs.example.com/", call::Reason::kOutOfScope},
    {"a literal beside a binding", R"({"wiki":"w.example"})", "read_message", "id",
     "https://docs.example.com:8443/", call::Reason::kPermitted},
    {"neither, which is not of scope alone", R"({"wiki":"w.example"})", "read_message", "id",
     "https://evil.example/", call::Reason::kArgumentRefused},
    {"a port that is given", R"({"wiki":"w.example","port":9000})", "read_message", "id",
     "https://w.example:9000/", call::Reason::kPermitted},
    {"a port that is none", R"({"wiki":"w.example","port":65979})", "read_message", "id",
     "https://w.example:8443/", call::Reason::kArgumentRefused},
};

TEST(UrlBindings, AreWhatTheRunIsBoundTo) {
  const FakeCatalog catalog;
  const auto skill = MustLoad(kSkill, catalog);
  for (const Row& row : kRows) {
    const auto grant = MustGrant({skill}, row.bindings, catalog);
    const std::string arguments = absl::StrCat("{\"", row.argument, "\":\"", row.url, "\"}");
    const call::Decision decision =
        Decide(*grant, {}, CallOf(absl::StrCat("mail.", row.tool), arguments));
    EXPECT_EQ(decision.reason, row.reason) << row.name;
  }
}

TEST(UrlBindings, AreNamedWhereTheyRefuse) {
  const FakeCatalog catalog;
  const auto grant =
      MustGrant({MustLoad(kSkill, catalog)}, R"({"wiki":"wiki.example.com"})", catalog);
  const call::Decision decision =
      Decide(*grant, {}, CallOf("mail.search_messages", R"({"query":"https://evil.example/"})"));
  ASSERT_TRUE(decision.nearest.has_value());
  EXPECT_EQ(decision.nearest->pointer, "/query");
  EXPECT_EQ(decision.nearest->constraint, "url");
  EXPECT_EQ(decision.nearest->line, 11);
  EXPECT_EQ(decision.nearest->expected,
            "a plain URL at `wiki.example.com` (binding `wiki`) with a scheme, port and path that "
            "`url` lists");
  EXPECT_EQ(decision.nearest->found, "`https://evil.example/`");
}

}  // namespace
}  // namespace tipstaff::policy
