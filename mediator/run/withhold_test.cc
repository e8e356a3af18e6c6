#include "mediator/run/withhold.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "mediator/base/digest.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"

namespace tipstaff::run {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kKey(32, 'k');

policy::Parts PartsOf(const std::vector<const char*>& pointers) {
  policy::Parts parts;
  for (const char* pointer : pointers) EXPECT_TRUE(parts.Add(pointer)) << pointer;
  return parts;
}

TEST(KeepArguments, PutsAKeyedDigestInThePlaceOfTheValue) {
  const json::Document arguments = json::MustParse(R"({"token":"hunter22","to":["a","b"]})");
  const Kept kept = KeepArguments(PartsOf({"/token"}), arguments.root(), kKey);
  const std::string digest = base::ToHex(base::KeyedDigestOf(kKey, "\"hunter22\""));
  EXPECT_EQ(kept.text, absl::StrCat(R"({"to":["a","b"],"token":{"withheld":")", digest, R"("}})"));
  ASSERT_EQ(kept.withheld.size(), 1);
  EXPECT_EQ(kept.withheld[0].pointer, "/token");
  EXPECT_EQ(kept.withheld[0].size, 10);
  EXPECT_NE(digest, base::ToHex(base::DigestOf("\"hunter22\""))) << "nobody can try values";
  EXPECT_EQ(KeepArguments(PartsOf({"/token"}), arguments.root(), kKey).text, kept.text)
      << "the same call is known again";
  EXPECT_NE(KeepArguments(PartsOf({"/token"}), arguments.root(), std::string(32, 'j')).text,
            kept.text);
  EXPECT_THAT(KeepArguments(PartsOf({"/token"}), arguments.root(), "").text,
              HasSubstr(R"("token":{"withheld":""})"));
}

TEST(KeepArguments, KeepsWhatIsNotSensitive) {
  const json::Document arguments = json::MustParse(R"({"b":1,"a":2})");
  for (const auto& parts : {PartsOf({}), PartsOf({"/token", "/a/b"})}) {
    const Kept kept = KeepArguments(parts, arguments.root(), kKey);
    EXPECT_EQ(kept.text, R"({"a":2,"b":1})");
    EXPECT_TRUE(kept.withheld.empty());
  }
}

TEST(KeepArguments, MayBeAllOfThem) {
  const json::Document arguments = json::MustParse(R"({"token":"hunter22"})");
  const Kept kept = KeepArguments(PartsOf({""}), arguments.root(), kKey);
  EXPECT_THAT(kept.text, Not(HasSubstr("hunter22")));
  ASSERT_EQ(kept.withheld.size(), 1);
  EXPECT_EQ(kept.withheld[0].pointer, "");
}

struct ResultRow {
  const char* result;
  bool whole;  // nothing of it is kept
  const char* kept;
  const char* why;
};

TEST(KeepResult, NeverHoldsWhatIsSensitive) {
  const ResultRow kRows[] = {
      {R"({"content":[{"type":"text","text":"{\"code\":\"hunter22\"}"}],
           "structuredContent":{"code":"hunter22","n":1}})",
       false, R"("n":1)", "a part, and the text beside it"},
      {R"({"content":[{"type":"text","text":"hunter22"}]})", true, "", "no structure"},
      {R"({"content":[{"type":"text","text":"hunter22"}],"structuredContent":{"n":1}})", true, "",
       "a text that says more than the structure"},
      {"hunter22", true, "", "no JSON"},
      {R"({"content":[],"structuredContent":["hunter22"]})", true, "", "no object"},
  };
  for (const ResultRow& row : kRows) {
    const Kept kept = KeepResult(PartsOf({"/code"}), row.result, {}, kKey);
    EXPECT_THAT(kept.text, Not(HasSubstr("hunter22"))) << row.why;
    EXPECT_THAT(kept.text, HasSubstr(row.kept)) << row.why;
    ASSERT_EQ(kept.withheld.size(), 1) << row.why;
    EXPECT_EQ(kept.withheld[0].pointer.empty(), row.whole) << row.why;
  }
}

TEST(KeepResult, IsKeptWhereItHasNone) {
  for (const char* result :
       {R"({"content":[],"structuredContent":{"n":1}})",
        R"({"content":[{"type":"text","text":"{\"n\": 1}"}],"structuredContent":{"n":1}})"}) {
    const Kept kept = KeepResult(PartsOf({"/code"}), result, {}, kKey);
    EXPECT_EQ(kept.text, result);
    EXPECT_TRUE(kept.withheld.empty());
  }
}

TEST(KeepResult, AnEchoOfTheArgumentsIsNotKept) {
  const json::Document arguments =
      json::MustParse(R"({"token":{"a":"hunt\"er","n":123456,"s":"abc"},"to":"dana"})");
  const std::vector<std::string> secrets = SecretsIn(PartsOf({"/token"}), arguments.root());
  EXPECT_THAT(secrets, testing::UnorderedElementsAre("hunt\"er", "123456"))
      << "abc is in everything";
  const struct {
    const char* result;
    bool kept;
  } kRows[] = {
      {R"({"content":[],"structuredContent":{"n":"hunt\"er"}})", false},
      {R"({"content":[],"structuredContent":{"n":"\u0068unt\"er"}})", false},
      {R"({"content":[{"type":"text","text":"{\"n\":\"hunt\\\"er\"}"}]})", false},
      {R"({"content":[],"structuredContent":{"n":123456}})", false},
      {R"({"content":[],"structuredContent":{"n":"abc dana"}})", true},
  };
  for (const auto& row : kRows) {
    const Kept kept = KeepResult(PartsOf({}), row.result, secrets, kKey);
    EXPECT_EQ(kept.withheld.empty(), row.kept) << row.result;
    EXPECT_EQ(kept.text == row.result, row.kept) << row.result;
  }
}

}  // namespace
}  // namespace tipstaff::run
