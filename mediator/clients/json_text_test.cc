#include "mediator/clients/json_text.h"

#include <gtest/gtest.h>

#include "mediator/json/parse.h"

namespace tipstaff::clients {
namespace {

TEST(ObjectAtTest, FindsMembersWhereTheyStand) {
  constexpr absl::string_view kText =
      " {\n \"a\" : 1 , \"b\":{\"x\":[1,{\"y\":\"}]\\\"\"}]},\"\\u0063\":\"s\", \"d\": -1.5e3\n}";
  const std::optional<ObjectPlace> object = ObjectAt(kText, 0);
  ASSERT_TRUE(object);
  EXPECT_EQ(object->begin, 1u);
  EXPECT_EQ(object->end, kText.size() - 1);
  ASSERT_EQ(object->members.size(), 4u);
  const auto value = [&](size_t i) {
    const MemberPlace& member = object->members[i];
    return std::string(kText.substr(member.value_begin, member.value_end - member.value_begin));
  };
  EXPECT_EQ(value(0), "1");
  EXPECT_EQ(value(1), "{\"x\":[1,{\"y\":\"}]\\\"\"}]}");
  EXPECT_EQ(object->members[2].key, "c") << "unescaped";
  EXPECT_EQ(value(2), "\"s\"");
  EXPECT_EQ(value(3), "-1.5e3");
  const std::optional<ObjectPlace> inner = ObjectAt(kText, object->members[1].value_begin);
  ASSERT_TRUE(inner && inner->members.size() == 1u);
  EXPECT_EQ(inner->members[0].key, "x");
}

TEST(ObjectAtTest, SaysWhatIsNoObject) {
  for (const char* text : {"", "  ", "[1]", "\"{}\"", "null"}) {
    EXPECT_FALSE(ObjectAt(text, 0)) << text;
  }
  EXPECT_TRUE(ObjectAt("{}", 0)->members.empty());
}

TEST(WithoutCommentsTest, KeepsEveryByteInItsPlace) {
  const struct {
    const char *text, *plain, *why;
  } kRows[] = {
      {"{} // x", "{}     ", "a comment to the end"},
      {"{ /* a\n b */ }", "{     \n      }", "line ends stay"},
      {"{\"a\": 1,}", "{\"a\": 1 }", "a trailing comma"},
      {"[1, /* c */ ]", "[1          ]", "with a comment behind it"},
      {"{\"u\": \"http://x\", \"c\": \"/* no */\"}", "{\"u\": \"http://x\", \"c\": \"/* no */\"}",
       "no comments in strings"},
      {"{\"a\": \",}\"}", "{\"a\": \",}\"}", "no commas in strings"},
      {"{,}", "{,}", "a comma behind nothing"},
      {"[1,,]", "[1,,]", "two of them"},
      {"{} /* open", "{}        ", "a comment that does not end"},
      {"\"a\\\"// \"", "\"a\\\"// \"", "an escaped quote"},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(WithoutComments(row.text), row.plain) << row.why;
  }
}

TEST(LineAndColumnTest, CountsCodePoints) {
  EXPECT_EQ(LineAndColumn("", 0), "1:1");
  EXPECT_EQ(LineAndColumn("ab", 1), "1:2");
  EXPECT_EQ(LineAndColumn("a\n\xC3\xA9x", 4), "2:2");
  EXPECT_EQ(LineAndColumn("a\r\nb", 3), "2:1");
  EXPECT_EQ(LineAndColumn("a", 99), "1:2") << "behind the end";
}

}  // namespace
}  // namespace tipstaff::clients
