#include "mediator/policy/parts.h"

#include <gtest/gtest.h>

#include "mediator/json/parse.h"
#include "mediator/json/write.h"

namespace tipstaff::policy {
namespace {

Parts PartsOf(const std::vector<const char*>& pointers) {
  Parts parts;
  for (const char* pointer : pointers) EXPECT_TRUE(parts.Add(pointer)) << pointer;
  return parts;
}

TEST(Parts, TakesPointersOnly) {
  for (const char* good : {"", "/", "/a", "/a/*/b", "/a~1b", "/~0", "//"}) {
    EXPECT_TRUE(Parts().Add(good)) << good;
  }
  for (const char* bad : {"a", "a/b", "/a~", "/~2", "/a~x/b"}) {
    EXPECT_FALSE(Parts().Add(bad)) << bad;
  }
}

TEST(Parts, KeepsAndReplaces) {
  const struct {
    std::vector<const char*> pointers;
    const char* value;
    const char* only;
    const char* replaced;
    const char* why;
  } kRows[] = {
      {{"/a"}, R"({"a":1,"b":2})", R"({"a":1})", R"({"a":"#","b":2})", "a member"},
      {{"/a", "/b"},
       R"({"a":1,"b":2,"c":3})",
       R"({"a":1,"b":2})",
       R"({"a":"#","b":"#","c":3})",
       "two"},
      {{"/c"}, R"({"a":1})", R"({})", R"({"a":1})", "one that is not there"},
      {{"/a/b"},
       R"({"a":{"b":[1],"c":2},"b":3})",
       R"({"a":{"b":[1]}})",
       R"({"a":{"b":"#","c":2},"b":3})",
       "further in"},
      {{"/a/b"}, R"({"a":"{\"b\":1}"})", R"({})", R"({"a":"#"})", "what may hold it as a text"},
      {{"/a/b"}, R"({"a":[{"b":1}]})", R"({})", R"({"a":"#"})", "or as a list"},
      {{"/a/*"}, R"({"a":{"x":1}})", R"({"a":{"x":1}})", R"({"a":{"x":"#"}})", "or as members"},
      {{"/l/*/s"},
       R"({"l":[{"s":1,"t":2},{"t":3},4]})",
       R"({"l":[{"s":1}]})",
       R"({"l":[{"s":"#","t":2},{"t":3},"#"]})",
       "of every item"},
      {{"/l/1"}, R"({"l":[5,6,7]})", R"({"l":[6]})", R"({"l":[5,"#",7]})", "of one item"},
      {{"/*/s"},
       R"({"x":{"s":1},"y":{"s":2,"t":3}})",
       R"({"x":{"s":1},"y":{"s":2}})",
       R"({"x":{"s":"#"},"y":{"s":"#","t":3}})",
       "of every member"},
      {{"/*/deep"},
       R"({"secret name":{"a":1},"other":[],"x":{"deep":2,"a":3},"y":{"deep":null}})",
       R"({"x":{"deep":2},"y":{"deep":null}})",
       R"({"secret name":{"a":1},"other":"#","x":{"deep":"#","a":3},"y":{"deep":"#"}})",
       "the names of those that have it, and no others"},
      {{"/l/*/m/*/s"},
       R"({"l":[{"m":[{"t":1},{"s":1}]},{"m":[{"t":2}]},{"m":[]},{},{"m":[{"s":2},{"t":3}]}]})",
       R"({"l":[{"m":[{"s":1}]},{"m":[{"s":2}]}]})",
       R"({"l":[{"m":[{"t":1},{"s":"#"}]},{"m":[{"t":2}]},{"m":[]},{},{"m":[{"s":"#"},{"t":3}]}]})",
       "how many items have none does not show"},
      {{"/l/*"}, R"({"l":[]})", R"({})", R"({"l":[]})", "of no items"},
      {{"/l"}, R"({"l":[]})", R"({"l":[]})", R"({"l":"#"})", "an empty one that is the part"},
      {{"/*/s", "/x"},
       R"({"x":{"s":1,"t":1},"y":{"s":2}})",
       R"({"x":{"s":1,"t":1},"y":{"s":2}})",
       R"({"x":"#","y":{"s":"#"}})",
       "the whole of one that has others in it"},
      {{""}, R"({"a":1})", R"({"a":1})", R"("#")", "everything"},
      {{"/a~1b", "/~0"},
       R"({"a/b":1,"~":2,"a":3})",
       R"({"a/b":1,"~":2})",
       R"({"a/b":"#","~":"#","a":3})",
       "escaped names"},
      {{"/"}, R"({"":1,"a":2})", R"({"":1})", R"({"":"#","a":2})", "the empty name"},
      {{}, R"({"a":1})", R"({})", R"({"a":1})", "no parts"},
  };
  for (const auto& row : kRows) {
    const Parts parts = PartsOf(row.pointers);
    const json::Document value = json::MustParse(row.value);
    EXPECT_EQ(json::Dump(parts.Only(value.root()).root()), row.only) << row.why;
    const json::Document replaced = parts.Replaced(
        value.root(),
        [](json::Builder& builder, const std::string&, json::Value) { builder.String("#"); });
    EXPECT_EQ(json::Dump(replaced.root()), row.replaced) << row.why;
    EXPECT_EQ(parts.AnyIn(value.root()), std::string(row.replaced) != row.value) << row.why;
  }
}

TEST(Parts, NamesWithinAPartAreItsOwn) {
  const Parts parts = PartsOf({"/a/*/s", "/b"});
  const struct {
    const char* pointer;
    const char* outermost;
  } kRows[] = {
      {"/a/0/s", "/a/0/s"}, {"/a/0/s/x/y", "/a/0/s"}, {"/b/name", "/b"}, {"/b", "/b"},
      {"/a/0", "/a/0"},     {"/c/d", "/c/d"},         {"", ""},          {"/b~1c", "/b~1c"}};
  for (const auto& row : kRows) EXPECT_EQ(parts.Outermost(row.pointer), row.outermost);
  EXPECT_EQ(PartsOf({""}).Outermost("/a/b"), "");
}

TEST(Parts, TouchesWhatIsWithinAndAround) {
  const Parts parts = PartsOf({"/a/*/s"});
  for (const char* near : {"", "/a", "/a/0", "/a/0/s", "/a/0/s/deep"}) {
    EXPECT_TRUE(parts.Touch(near)) << near;
  }
  for (const char* far : {"/b", "/a/0/t", "/ab"}) EXPECT_FALSE(parts.Touch(far)) << far;
  EXPECT_FALSE(Parts().Touch(""));
}

}  // namespace
}  // namespace tipstaff::policy
