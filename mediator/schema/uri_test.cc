#include "mediator/schema/uri.h"

#include <gtest/gtest.h>

namespace tipstaff::schema::internal {
namespace {

// RFC 3986, section 5.4, and what has no authority.
TEST(ResolveUri, FollowsTheStandard) {
  const char* base = "http://a/b/c/d;p?q";
  const struct {
    const char* base;
    const char* reference;
    const char* result;
  } kRows[] = {
      {base, "g:h", "g:h"},
      {base, "g", "http://a/b/c/g"},
      {base, "./g", "http://a/b/c/g"},
      {base, "g/", "http://a/b/c/g/"},
      {base, "/g", "http://a/g"},
      {base, "//g", "http://g"},
      {base, "?y", "http://a/b/c/d;p?y"},
      {base, "g?y", "http://a/b/c/g?y"},
      {base, ";x", "http://a/b/c/;x"},
      {base, "", "http://a/b/c/d;p?q"},
      {base, ".", "http://a/b/c/"},
      {base, "..", "http://a/b/"},
      {base, "../g", "http://a/b/g"},
      {base, "../../../g", "http://a/g"},
      {base, "/./g", "http://a/g"},
      {base, "/../g", "http://a/g"},
      {base, "g.", "http://a/b/c/g."},
      {base, "..g", "http://a/b/c/..g"},
      {base, "./g/.", "http://a/b/c/g/"},
      {base, "g;x=1/../y", "http://a/b/c/y"},
      {base, "g?y/../x", "http://a/b/c/g?y/../x"},
      {"http://a", "g", "http://a/g"},
      {"urn:uuid:1", "", "urn:uuid:1"},
      {"urn:example:root", "urn:example:other", "urn:example:other"},
      {"file:///c:/folder/file.json", "other.json", "file:///c:/folder/other.json"},
      {"", "a/b.json", "a/b.json"},
      {"a/b.json", "c.json", "a/c.json"},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(ResolveUri(row.base, row.reference), row.result) << row.reference;
  }
}

TEST(SplitFragment, SplitsAtTheFirst) {
  EXPECT_EQ(SplitFragment("a#b#c").uri, "a");
  EXPECT_EQ(SplitFragment("a#b#c").fragment, "b#c");
  EXPECT_EQ(SplitFragment("a").fragment, "");
}

TEST(PercentDecode, RefusesWhatIsCut) {
  EXPECT_EQ(PercentDecode("a%25b%41"), "a%bA");
  EXPECT_EQ(PercentDecode("%4"), std::nullopt);
  EXPECT_EQ(PercentDecode("%"), std::nullopt);
  EXPECT_EQ(PercentDecode("%g0"), std::nullopt);
}

}  // namespace
}  // namespace tipstaff::schema::internal
