#include "mediator/schema/url.h"

#include <gtest/gtest.h>

#include <random>
#include <utility>

#include "mediator/base/status.h"

namespace tipstaff::schema {
namespace {

TEST(ParseUrl, RefusesWhatReadersDifferAbout) {
  struct Row {
    const char* name;
    std::string text;
  };
  const Row kRows[] = {
      {"empty", ""},
      {"no scheme", "//example.com/"},
      {"no authority", "https:example.com"},
      {"one slash, which browsers read as two", "https:/example.com"},
      {"three slashes, which browsers read as two", "https:///example.com"},
      {"a script", "javascript:alert(1)"},
      {"data", "data:text/html,x"},
      {"no host", "https://"},
      {"a file of this host", "file:///etc/passwd"},
      {"user part that looks like the host", "https://example.com@evil.example/"},
      {"user and password", "https://u:p@example.com/"},
      {"empty user part", "https://@example.com/"},
      {"backslash for a slash", "https:\\\\evil.example"},
      {"backslash ends the host to browsers", "https://evil.example\\@example.com/"},
      {"backslash in the path", "https://example.com/a\\b"},
      {"space before", " https://example.com/"},
      {"space within", "https://example.com/a b"},
      {"tab, which browsers drop", "https://exam\tple.com/"},
      {"line feed, which browsers drop", "https://example.com/\n"},
      {"CRLF into a header", "https://example.com/\r\nHost: evil.example"},
      {"NUL", std::string("https://example.com\0.evil.example/", 34)},
      {"not ASCII in the path", "https://example.com/\xc3\xbc"},
      {"not ASCII in the query", "https://example.com/?\xc3\xbc"},
      {"zero-width space in the host", "https://exam\xe2\x80\x8bple.com/"},
      {"full-width dot in the host",
       "https://example\xef\xbc\x8e"
       "com/"},
      {"full-width slash in the host", "https://example.com\xef\xbc\x8f.evil.example/"},
      {"a character that normalizes to a/c", "https://ex\xe2\x84\x80.example/"},
      {"full-width digits", "https://\xef\xbc\x91\xef\xbc\x92\xef\xbc\x97.0.0.1/"},
      {"upper case that is not ASCII",
       "https://B\xc3\x9c"
       "CHER.example/"},
      {"a letter that IDNA2003 maps to ss",
       "https://stra\xc3\x9f"
       "e.de/"},
      {"an A-label of a symbol", "https://xn--n3h.example/"},
      {"escape in the host", "https://ex%61mple.com/"},
      {"underscore in the host", "https://a_b.example.com/"},
      {"trailing dot", "https://example.com./"},
      {"leading dot", "https://.example.com/"},
      {"two dots", "https://example..com/"},
      {"IPv4 as one number", "http://2130706433/"},
      {"IPv4 in hexadecimal", "http://0x7f000001/"},
      {"IPv4 in parts of hexadecimal", "http://0x7f.1/"},
      {"IPv4 in octal", "http://0177.0.0.1/"},
      {"IPv4 of two parts", "http://127.1/"},
      {"IPv4 of three parts", "http://127.0.1/"},
      {"IPv4 of five parts", "http://127.0.0.0.1/"},
      {"IPv4 over range", "http://256.0.0.1/"},
      {"IPv4 with a trailing dot", "http://127.0.0.1./"},
      {"IPv4 in octal with leading zeros", "http://127.0.0.01/"},
      {"a name that ends in a hexadecimal number", "http://example.0x1/"},
      {"IPv6 without brackets", "http://::1/"},
      {"IPv6 with a zone", "http://[fe80::1%25eth0]/"},
      {"IPv6 that is not closed", "http://[::1/"},
      {"text after the bracket", "http://[::1]evil.example/"},
      {"text before the bracket", "http://a[::1]/"},
      {"IPvFuture", "http://[v1.a]/"},
      {"empty brackets", "http://[]/"},
      {"empty port", "https://example.com:/"},
      {"port 0", "https://example.com:0/"},
      {"port over range", "https://example.com:65536/"},
      {"port that overflows", "https://example.com:4294967739/"},
      {"port with a leading zero", "https://example.com:0443/"},
      {"port that is no number", "https://example.com:80a/"},
      {"port with a sign", "https://example.com:+80/"},
      {"two ports", "https://example.com:80:443/"},
      {"escape cut off", "https://example.com/%4"},
      {"escape that is none", "https://example.com/%zz"},
      {"dot segments", "https://example.com/a/../b"},
      {"dot segment at the end", "https://example.com/a/.."},
      {"a single dot segment", "https://example.com/./a"},
      {"escaped dot segments", "https://example.com/a/%2e%2e/b"},
      {"half escaped, upper case", "https://example.com/a/.%2E/b"},
      {"escaped twice", "https://example.com/a/%252e%252e/b"},
      {"escaped slash", "https://example.com/a/..%2fb"},
      {"escaped slash alone", "https://example.com/a%2Fb"},
      {"escaped backslash", "https://example.com/a/..%5cb"},
      {"escaped NUL", "https://example.com/a%00.png"},
      {"escaped line end", "https://example.com/a%0d%0aX:y"},
      {"parameters after dots, which servers cut off", "https://example.com/a/..;x=1/b"},
      {"the same, escaped", "https://example.com/a/%2e%2e%3b/b"},
      {"a longer form of the dot", "https://example.com/%c0%ae%c0%ae/b"},
      {"a full-width dot, escaped", "https://example.com/%ef%bc%8e%ef%bc%8e/b"},
      {"brackets in the path", "https://example.com/[a]"},
      {"angle brackets", "https://example.com/<a>"},
      {"two fragments", "https://example.com/#a#b"},
      {"over 8192 bytes", "https://example.com/" + std::string(8192, 'a')},
  };
  for (const Row& row : kRows) EXPECT_FALSE(ParseUrl(row.text).has_value()) << row.name;
}

TEST(ParseUrl, GivesItsParts) {
  struct Row {
    const char* text;
    Url url;
  };
  const Row kRows[] = {
      {"https://example.com", {"https", "example.com", false, 443, "/"}},
      {"HTTPS://Example.COM/A?b=c#d", {"https", "example.com", false, 443, "/A"}},
      {"http://example.com:8080/a/b/", {"http", "example.com", false, 8080, "/a/b/"}},
      {"https://example.com?x", {"https", "example.com", false, 443, "/"}},
      {"https://b\xc3\xbc"
       "cher.example/",
       {"https", "xn--bcher-kva.example", false, 443, "/"}},
      {"http://192.0.2.1/", {"http", "192.0.2.1", true, 80, "/"}},
      {"http://[2001:DB8:0::1]:81/", {"http", "[2001:db8::1]", true, 81, "/"}},
      {"ssh://git.example.com/a.git", {"ssh", "git.example.com", false, 22, "/a.git"}},
      {"x-own://host/...", {"x-own", "host", false, 0, "/..."}},
      {"https://example.com/100%25/a%20b", {"https", "example.com", false, 443, "/100%25/a%20b"}},
      {"https://example.com//a//", {"https", "example.com", false, 443, "//a//"}},
  };
  for (const Row& row : kRows) {
    const std::optional<Url> url = ParseUrl(row.text);
    ASSERT_TRUE(url.has_value()) << row.text;
    EXPECT_EQ(url->scheme, row.url.scheme) << row.text;
    EXPECT_EQ(url->host, row.url.host) << row.text;
    EXPECT_EQ(url->is_ip, row.url.is_ip) << row.text;
    EXPECT_EQ(url->port, row.url.port) << row.text;
    EXPECT_EQ(url->path, row.url.path) << row.text;
  }
}

// The lists as they are written.
absl::StatusOr<UrlRule> RuleOf(const UrlRule& written) {
  UrlRule rule{.ports = written.ports};
  for (const auto& [list, entries] :
       {std::pair(kUrlSchemes, &written.schemes), std::pair(kUrlHosts, &written.hosts),
        std::pair(kUrlPaths, &written.paths)}) {
    for (const std::string& entry : *entries) {
      TIPSTAFF_RETURN_IF_ERROR(AddUrlEntry(list, entry, rule));
    }
  }
  return rule;
}

TEST(Allows, OnlyWhatIsListed) {
  const UrlRule site{.hosts = {"Example.com", "*.example.org"}};
  const UrlRule docs{.hosts = {"example.com"}, .paths = {"/docs/", "/index"}};
  const UrlRule ports{.schemes = {"http", "HTTPS"}, .hosts = {"example.com"}, .ports = {8443}};
  const UrlRule both{.schemes = {"http", "https"}, .hosts = {"example.com"}};
  const UrlRule ip{.schemes = {"http"}, .hosts = {"127.0.0.1", "[0:0::1]", "*.example.com"}};
  struct Row {
    const UrlRule& rule;
    const char* url;
    bool allowed;
    const char* reason;
  };
  const Row kRows[] = {
      {site, "https://example.com/", true, "the host"},
      {site, "https://example.com:443/", true, "the port that it has anyway"},
      {site, "http://example.com/", false, "https alone where no scheme is listed"},
      {site, "https://example.com:8443/", false, "another port"},
      {site, "https://sub.example.com/", false, "below a host that is listed alone"},
      {site, "https://evilexample.com/", false, "no suffix match"},
      {site, "https://example.com.evil.example/", false, "no prefix match"},
      {site, "https://a.b.example.org/", true, "below, at any depth"},
      {site, "https://example.org/", false, "the wildcard is not the host itself"},
      {site, "https://evilexample.org/", false, "the wildcard begins at a label"},
      {site, "https://93.184.215.14/", false, "an address is never in a domain"},
      {docs, "https://example.com/docs/a", true, "below the folder"},
      {docs, "https://example.com/docs/", true, "the folder"},
      {docs, "https://example.com/docs", false, "another path than `/docs/`"},
      {docs, "https://example.com/docs-evil/a", false, "at a segment's boundary"},
      {docs, "https://example.com/Docs/a", false, "paths have case"},
      {docs, "https://example.com/index", true, "exact"},
      {docs, "https://example.com/index?a=b", true, "a query is not judged"},
      {docs, "https://example.com/index/a", false, "nothing below an exact path"},
      {docs, "https://example.com/", false, "not listed"},
      {docs, "https://example.com//docs/a", false, "an empty segment is one"},
      {ports, "https://example.com:8443/", true, "the port listed"},
      {ports, "https://example.com/", false, "the default port when another is listed"},
      {both, "http://example.com:80/", true, "the scheme's default"},
      {both, "http://example.com:443/", false, "the default of another scheme"},
      {ip, "http://127.0.0.1/", true, "an address that is listed"},
      {ip, "http://[::1]/", true, "an address, in any form"},
      {ip, "http://[::ffff:127.0.0.1]/", false, "another address"},
      {ip, "http://127.0.0.2/", false, "not listed"},
  };
  for (const Row& row : kRows) {
    const absl::StatusOr<UrlRule> rule = RuleOf(row.rule);
    ASSERT_TRUE(rule.ok()) << rule.status();
    const std::optional<Url> url = ParseUrl(row.url);
    ASSERT_TRUE(url.has_value()) << row.url;
    EXPECT_EQ(Allows(*rule, *url), row.allowed) << row.url << ": " << row.reason;
  }
}

TEST(Allows, NothingWithAnEmptyRule) {
  EXPECT_FALSE(Allows(UrlRule{}, *ParseUrl("https://example.com/")));
}

TEST(AddUrlEntry, RefusesEntriesThatNothingMatches) {
  struct Row {
    UrlRule rule;
    const char* says;
  };
  const Row kRows[] = {
      {{.hosts = {"*"}}, "`*` is not a domain"},
      {{.hosts = {"*.com"}}, "top-level domain"},
      {{.hosts = {"https://example.com"}}, "is not a domain"},
      {{.hosts = {"example.com/docs"}}, "is not a domain"},
      {{.hosts = {"example.com:80"}}, "is not a domain"},
      {{.hosts = {"127.1"}}, "is not a domain"},
      {{.hosts = {"[::1"}}, "is not a domain"},
      {{.schemes = {"https://"}, .hosts = {"a.example"}}, "is not a scheme"},
      {{.hosts = {"a.example"}, .paths = {"docs/"}}, "is not a path"},
      {{.hosts = {"a.example"}, .paths = {""}}, "is not a path"},
      {{.hosts = {"a.example"}, .paths = {"/a/../b"}}, "is not a path"},
      {{.hosts = {"a.example"}, .paths = {"/a?b"}}, "is not a path"},
  };
  for (const Row& row : kRows) {
    const absl::Status status = RuleOf(row.rule).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << row.says;
    EXPECT_NE(status.message().find(row.says), absl::string_view::npos) << status;
  }
}

TEST(AddUrlEntry, AddsToListsThatAreThere) {
  UrlRule rule{.there = kUrlHosts | kUrlSchemes | kUrlPorts | kUrlPaths};
  const Url here = *ParseUrl("http://x.a.example:8080/w/a");
  EXPECT_FALSE(Allows(rule, here)) << "nothing is listed yet";
  for (const auto& [list, entry] :
       {std::pair(kUrlSchemes, "HTTP"), std::pair(kUrlHosts, "*.A.example"),
        std::pair(kUrlPaths, "/w/")}) {
    EXPECT_FALSE(Allows(rule, here)) << entry << " is not there yet";
    EXPECT_TRUE(AddUrlEntry(list, entry, rule).ok()) << entry;
  }
  EXPECT_FALSE(Allows(rule, here)) << "no port is listed, so none is the usual one";
  rule.ports.push_back(8080);
  EXPECT_TRUE(Allows(rule, here));
  const UrlRule before = rule;
  for (const auto& [list, entry] :
       {std::pair(kUrlSchemes, "a b"), std::pair(kUrlHosts, "*.com"), std::pair(kUrlPaths, "w"),
        std::pair(kUrlPorts, "80"), std::pair(kUrlHosts, "")}) {
    EXPECT_EQ(AddUrlEntry(list, entry, rule).code(), absl::StatusCode::kInvalidArgument) << entry;
  }
  EXPECT_EQ(rule.hosts, before.hosts);
  EXPECT_EQ(rule.schemes, before.schemes);
  EXPECT_EQ(rule.paths, before.paths);
}

TEST(ParseUrl, TakesAnyBytes) {
  std::mt19937 random(13);
  const std::string alphabet = "a0.:/@%25e[]?#\\;\xc3\xbc\xff \n";
  for (int round = 0; round < 50000; ++round) {
    std::string text = round % 2 == 0 ? "https://" : "";
    for (size_t size = random() % 24; size > 0; --size)
      text += alphabet[random() % alphabet.size()];
    const std::optional<Url> url = ParseUrl(text);
    if (!url.has_value()) continue;
    EXPECT_FALSE(url->host.empty());
    EXPECT_EQ(url->path[0], '/');
    EXPECT_EQ(url->path.find("/../"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace tipstaff::schema
