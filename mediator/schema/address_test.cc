#include "mediator/schema/address.h"

#include <gtest/gtest.h>

#include <random>

#include "mediator/schema/domain_entry.h"

namespace tipstaff::schema {
namespace {

struct Refused {
  const char* name;
  std::string text;
};

TEST(ParseAddress, RefusesWhatAMailerCouldReadOtherwise) {
  const Refused kRows[] = {
      {"empty", ""},
      {"a header on a second line", "a@example.com\r\nBcc: x@evil.example"},
      {"line feed at the end", "a@example.com\n"},
      {"NUL, where C stops", std::string("a@example.com\0.evil.example", 27)},
      {"two addresses", "a@example.com,x@evil.example"},
      {"two addresses, as some clients part them", "a@example.com;x@evil.example"},
      {"two addresses after a space", "a@example.com x@evil.example"},
      {"two at-signs: which one parts it?", "a@evil.example@example.com"},
      {"display name", "Ann <a@example.com>"},
      {"angle brackets", "<a@example.com>"},
      {"an address hidden in a display name", "\"a@example.com\" <x@evil.example>"},
      {"comment", "a(x@evil.example)@example.com"},
      {"comment after", "a@example.com (Ann)"},
      {"quoted local part", "\"x@evil.example\"@example.com"},
      {"source route", "@evil.example:a@example.com"},
      {"percent hack: the relay sends it on", "x%evil.example@example.com"},
      {"bang path", "evil.example!x@example.com"},
      {"encoded word that decodes to another address",
       "=?utf-8?q?x=40evil.example=3e=00?=@example.com"},
      {"pipe to a command", "|id@example.com"},
      {"file delivery", "/var/mail/root@example.com"},
      {"command substitution", "a`id`@example.com"},
      {"variable", "$HOME@example.com"},
      {"option of sendmail", "-oQ.@example.com"},
      {"group", "all:a@example.com;"},
      {"mailto", "mailto:a@example.com"},
      {"backslash", "a\\@example.com"},
      {"space before", " a@example.com"},
      {"space in the domain", "a@example .com"},
      {"tab", "a@example.com\t"},
      {"leading dot", ".a@example.com"},
      {"trailing dot of the local part", "a.@example.com"},
      {"two dots", "a..b@example.com"},
      {"no local part", "@example.com"},
      {"no domain", "a@"},
      {"no at-sign", "example.com"},
      {"trailing dot of the domain", "a@example.com."},
      {"leading dot of the domain", "a@.example.com"},
      {"empty label", "a@example..com"},
      {"IP literal", "a@[127.0.0.1]"},
      {"IPv6 literal", "a@[IPv6:::1]"},
      {"bare IP address", "a@127.0.0.1"},
      {"bare IP address as one number", "a@2130706433"},
      {"bare IP address in hexadecimal", "a@0x7f.1"},
      {"underscore in the domain", "a@ex_ample.com"},
      {"full-width at-sign, which normalizes to one",
       "a\xef\xbc\xa0"
       "evil.example@example.com"},
      {"full-width dot in the domain",
       "a@example\xef\xbc\x8e"
       "com"},
      {"zero-width space in the domain", "a@exam\xe2\x80\x8bple.com"},
      {"right-to-left override", "a\xe2\x80\xae@example.com"},
      {"local part that is not ASCII", "\xd0\xb0@example.com"},
      {"upper case that is not ASCII in the domain",
       "a@B\xc3\x9c"
       "CHER.example"},
      {"a letter that IDNA2003 and IDNA2008 map differently",
       "a@stra\xc3\x9f"
       "e.de"},
      {"an A-label of nothing", "a@xn--x"},
      {"not UTF-8", "a@\xff.example"},
      {"local part of 65 bytes", std::string(65, 'a') + "@example.com"},
      {"255 bytes", std::string(64, 'a') + "@" + std::string(63, 'b') + "." + std::string(63, 'c') +
                        "." + std::string(62, 'd')},
      {"a megabyte", std::string(1 << 20, 'a') + "@example.com"},
  };
  for (const Refused& row : kRows) EXPECT_FALSE(ParseAddress(row.text).has_value()) << row.name;
}

TEST(ParseAddress, TakesOnePlainAddress) {
  struct Row {
    const char* name;
    const char* text;
    const char* local;
    const char* domain;
  };
  const Row kRows[] = {
      {"plain", "ann@example.com", "ann", "example.com"},
      {"the domain's case does not count", "Ann@EXAMPLE.com", "Ann", "example.com"},
      {"dots and tags", "ann.lee+tag@example.com", "ann.lee+tag", "example.com"},
      {"apostrophe", "o'neil@example.com", "o'neil", "example.com"},
      {"VERP", "bounce=ann=a.example@example.com", "bounce=ann=a.example", "example.com"},
      {"a hyphen within", "a-b@ex-ample.com", "a-b", "ex-ample.com"},
      {"one label", "root@localhost", "root", "localhost"},
      {"U-label",
       "a@b\xc3\xbc"
       "cher.example",
       "a", "xn--bcher-kva.example"},
      {"A-label", "a@XN--bcher-kva.example", "a", "xn--bcher-kva.example"},
  };
  for (const Row& row : kRows) {
    const std::optional<Address> address = ParseAddress(row.text);
    ASSERT_TRUE(address.has_value()) << row.name;
    EXPECT_EQ(address->local, row.local) << row.name;
    EXPECT_EQ(address->domain, row.domain) << row.name;
  }
}

TEST(ParseAddress, TakesAnyBytes) {
  std::mt19937 random(11);
  const std::string alphabet = "ab.@-%!\"<>()[]:\r\n,;\xc3\xbc\xef\xbc\xa0\xff";
  for (int round = 0; round < 50000; ++round) {
    std::string text;
    for (size_t size = random() % 20; size > 0; --size)
      text += alphabet[random() % alphabet.size()];
    const std::optional<Address> address = ParseAddress(text);
    if (!address.has_value()) continue;
    // What passes reads the same when it is written out again.
    EXPECT_EQ(ParseAddress(address->local + "@" + address->domain), address);
  }
}

TEST(IsListed, ComparesTheLocalPartExactlyAndTheDomainWithoutCase) {
  const std::vector<Address> listed = {*ParseAddress("Ann@Example.com")};
  EXPECT_TRUE(IsListed(*ParseAddress("Ann@EXAMPLE.COM"), listed));
  EXPECT_FALSE(IsListed(*ParseAddress("ann@example.com"), listed));
  EXPECT_FALSE(IsListed(*ParseAddress("Ann@sub.example.com"), listed));
  EXPECT_FALSE(IsListed(*ParseAddress("Ann@example.com"), {}));
}

TEST(IsInDomain, ComparesWholeLabels) {
  struct Row {
    const char* entry;
    const char* domain;
    bool in;
    const char* reason;
  };
  const Row kRows[] = {
      {"example.com", "example.com", true, "itself"},
      {"example.com", "sub.example.com", false, "nothing below it"},
      {"example.com", "evilexample.com", false, "not a suffix"},
      {"example.com", "example.com.evil.example", false, "not a prefix"},
      {"*.example.com", "example.com", false, "not itself"},
      {"*.example.com", "a.example.com", true, "below"},
      {"*.example.com", "a.b.example.com", true, "at any depth"},
      {"*.example.com", "evilexample.com", false, "at a label's boundary"},
      {"Example.COM", "example.com", true, "the entry's case does not count"},
      {"b\xc3\xbc"
       "cher.example",
       "xn--bcher-kva.example", true, "compared after IDNA"},
  };
  for (const Row& row : kRows) {
    const absl::StatusOr<std::string> entry = NormalDomainEntry(row.entry);
    ASSERT_TRUE(entry.ok()) << row.entry << ": " << entry.status();
    EXPECT_EQ(IsInDomain(*entry, row.domain), row.in) << row.entry << ": " << row.reason;
  }
  for (const char* entry : {"", "*", "*.", "*..", "**.example.com"}) {
    EXPECT_FALSE(IsInDomain(entry, "a.example.com")) << entry;
  }
}

TEST(NormalDomainEntry, RefusesWhatIsNoDomain) {
  struct Row {
    const char* entry;
    const char* says;
  };
  const Row kRows[] = {
      {"", "is not a domain"},
      {"*", "is not a domain"},
      {"*.com", "top-level domain"},
      {"a.*.example", "is not a domain"},
      {"@example.com", "is not a domain"},
      {"example.com.", "is not a domain"},
      {"127.0.0.1", "is not a domain"},
      {"*.0.0.1", "is not a domain"},
      {"https://example.com", "is not a domain"},
      {"a b", "is not a domain"},
  };
  for (const Row& row : kRows) {
    const absl::Status status = NormalDomainEntry(row.entry).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << row.entry;
    EXPECT_NE(status.message().find(row.says), absl::string_view::npos) << status;
  }
}

}  // namespace
}  // namespace tipstaff::schema
