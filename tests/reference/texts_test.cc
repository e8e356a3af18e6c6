#include "tests/reference/texts.h"

#include <gtest/gtest.h>

#include "mediator/json/parse.h"

namespace tipstaff::reference {
namespace {

TEST(Texts, PlainAndLines) {
  EXPECT_TRUE(IsText("line", "a b\xc3\xa9"));
  EXPECT_FALSE(IsText("line", "a\n"));
  EXPECT_FALSE(IsText("line", "a\xe2\x80\xae"));
  EXPECT_FALSE(IsText("lines", "a\r"));
  EXPECT_TRUE(IsText("lines", "a\n\tb"));
  EXPECT_TRUE(IsText("any", std::string(1, '\0')));
  EXPECT_TRUE(IsPlain("release notes 1.2"));
  for (const char* bad : {"-rf", "a -f", "a;b", "$x", "a\n", "\xef\xbc\x9b", "@f"}) {
    EXPECT_FALSE(IsPlain(bad)) << bad;
  }
}

TEST(Texts, Paths) {
  const json::Document rule = json::MustParse(R"({"under":["out"],"extensions":["txt","tar.gz"]})");
  for (const char* good : {"out/a.txt", "out/b/A.TXT", "out/x.tar.gz"}) {
    EXPECT_TRUE(IsPath(rule.root(), good)) << good;
  }
  for (const char* bad : {"out", "out/a", "out-evil/a.txt", "out/../a.txt", "/out/a.txt",
                          "out//a.txt", "out/.txt", "out/.git/a.txt", "out/con.txt", "out/con .txt",
                          "out/a~1.txt", "out/a.txt ", "-out/a.txt", "out/a:b.txt"}) {
    EXPECT_FALSE(IsPath(rule.root(), bad)) << bad;
  }
}

TEST(Texts, Addresses) {
  EXPECT_EQ(PlainAddress("A.b@ACME.example"), "A.b@acme.example");
  for (const char* bad :
       {"a", "a@", "@a.example", "a@@b.example", ".a@b.example", "a@1.2.3.4", "a b@c.example",
        "a@b.example.", "a%b@c.example", "a@b_c.example", "a@X\xc3\xa9.example"}) {
    EXPECT_EQ(PlainAddress(bad), "") << bad;
  }
  EXPECT_TRUE(IsInDomain("*.lab.example", "a@x.lab.example"));
  EXPECT_TRUE(IsInDomain("*.lab.example", "a@x\xc3\xa9.lab.example"));
  EXPECT_FALSE(IsInDomain("*.lab.example", "a@lab.example"));
  EXPECT_FALSE(IsInDomain("lab.example", "a@x.lab.example"));
}

std::vector<json::Value> ItemsOf(json::Value list) {
  std::vector<json::Value> items;
  for (json::Value item : list.items()) items.push_back(item);
  return items;
}

TEST(Texts, Urls) {
  const json::Document hosts =
      json::MustParse(R"(["a.example","*.b.example","127.0.0.1","*.c",7])");
  const json::Document paths = json::MustParse(R"(["/w/","/x",""])");
  const UrlLists rule{.hosts = ItemsOf(hosts.root()), .paths = ItemsOf(paths.root())};
  for (const char* good : {"https://a.example/w/", "HTTPS://A.example:443/x?y#z",
                           "https://c.b.example/w/%C3%A9", "https://127.0.0.1/x"}) {
    EXPECT_TRUE(IsUrl(rule, good)) << good;
  }
  for (const char* bad :
       {"http://a.example/w/", "https://b.example/x", "https://a.example/w/../x",
        "https://a.example/w/%2e%2e/x", "https://a.example@evil.example/x",
        "https://a.example:80/x", "https://127.1/x", "https://a.example/w/%2f",
        "https://a.example/w/%252e", "//a.example/x", "https://a.example:0443/x",
        "https://a.example\\x", "https://a.example/xy", "https://x.c/x", "https://a.example"}) {
    EXPECT_FALSE(IsUrl(rule, bad)) << bad;
  }
}

TEST(Texts, AListOfAUrlWithoutEntriesListsNothing) {
  const json::Document host = json::MustParse(R"(["a.example"])");
  const std::vector<json::Value> hosts = ItemsOf(host.root()), none;
  EXPECT_TRUE(IsUrl({.hosts = hosts}, "https://a.example/"));
  EXPECT_FALSE(IsUrl({.schemes = none, .hosts = hosts}, "https://a.example/"));
  EXPECT_FALSE(IsUrl({.hosts = hosts, .ports = none}, "https://a.example/"));
  EXPECT_FALSE(IsUrl({.hosts = hosts, .paths = none}, "https://a.example/"));
  EXPECT_FALSE(IsUrl({.hosts = none}, "https://a.example/"));
}

TEST(Texts, Formats) {
  const struct {
    const char *format, *good, *bad;
  } kRows[] = {{"date", "2024-02-29", "2023-02-29"},
               {"date", "2000-12-31", "2000-13-01"},
               {"date-time", "1998-12-31T23:59:60Z", "1998-12-30T23:59:60Z"},
               {"date-time", "1999-01-01T00:59:60+01:00", "1999-01-01T01:59:60+01:00"},
               {"date-time", "2024-01-01t00:00:00.5z", "2024-01-01 00:00:00Z"},
               {"uuid", "2EB8AA08-AA98-11EA-B4AA-73B441D16380", "2eb8aa08aa9811eab4aa73b441d16380"},
               {"ipv4", "192.0.2.255", "192.0.2.01"}};
  for (const auto& row : kRows) {
    EXPECT_TRUE(HasFormat(row.format, row.good)) << row.good;
    EXPECT_FALSE(HasFormat(row.format, row.bad)) << row.bad;
  }
}

}  // namespace
}  // namespace tipstaff::reference
