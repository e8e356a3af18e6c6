#include "mediator/run/withhold.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "mediator/base/digest.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"

namespace tipstaff::run {
namespace {

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
  for (const auto& parts : {PartsOf({}), PartsOf({"/token", "/c/b"})}) {
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
      {R"({"content":[],"structuredContent":{"code":"hunter22","note":"code hunter22 it is"}})",
       true, "", "a member beside that repeats it"},
      {R"({"content":[],"structuredContent":["hunter22"]})", true, "", "no object"},
  };
  for (const ResultRow& row : kRows) {
    const Kept kept = KeepResult(PartsOf({"/code"}), row.result, Secrets(), kKey);
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
    const Kept kept = KeepResult(PartsOf({"/code"}), result, Secrets(), kKey);
    EXPECT_EQ(kept.text, result);
    EXPECT_TRUE(kept.withheld.empty());
  }
}

TEST(KeepResult, AnEchoOfTheArgumentsIsNotKept) {
  const json::Document arguments =
      json::MustParse(R"({"token":{"name-x":"hunt\"er","n":123456},"to":"dana"})");
  Secrets secrets;
  secrets.AddFrom(PartsOf({"/token"}), arguments.root());
  const struct {
    const char* result;
    bool kept;
  } kRows[] = {
      {R"({"content":[],"structuredContent":{"n":"hunt\"er"}})", false},
      {R"({"content":[],"structuredContent":{"n":"\u0068unt\"er"}})", false},
      {R"({"content":[{"type":"text","text":"{\"n\":\"hunt\\\"er\"}"}]})", false},
      {R"({"content":[],"structuredContent":{"n":123456}})", false},
      {R"({"content":[],"structuredContent":{"m":"dana"}})", true},
  };
  for (const auto& row : kRows) {
    const Kept kept = KeepResult(PartsOf({}), row.result, secrets, kKey);
    EXPECT_EQ(kept.withheld.empty(), row.kept) << row.result;
    EXPECT_EQ(kept.text == row.result, row.kept) << row.result;
  }
}

TEST(Secrets, MayBeAnywhereWhereLookingIsInVain) {
  Secrets none;
  EXPECT_FALSE(none.In("anything"));
  Secrets of_a_pin;
  of_a_pin.AddFrom(PartsOf({"/pin"}), json::MustParse(R"({"pin":"739"})").root());
  EXPECT_TRUE(of_a_pin.In("anything")) << "three digits are in everything";
  EXPECT_FALSE(of_a_pin.In("")) << "but in nothing";
  Secrets forgotten;
  forgotten.Forget();
  EXPECT_TRUE(forgotten.In("anything"));
  Secrets long_ones;
  long_ones.AddFrom(PartsOf({"/a"}),
                    json::MustParse(R"({"a":["", "secret-1", "secret-2"]})").root());
  EXPECT_FALSE(long_ones.In("anything"));
  EXPECT_TRUE(long_ones.In("with secret-2 in it"));
  EXPECT_TRUE(long_ones.In(std::string(200 << 20, 'x'))) << "too long to look through";
}

TEST(KeepArguments, CoversWhatIsInAnotherForm) {
  const struct {
    const char* arguments;
    const char* why;
  } kRows[] = {
      {R"({"card":"{\"pin\":\"hunter22\"}"})", "an object as a text"},
      {R"({"card":[{"pin":"hunter22"}]})", "in a list"},
      {R"({"card":{"pin":{"value":"hunter22"}}})", "within"},
  };
  for (const auto& row : kRows) {
    const Kept kept =
        KeepArguments(PartsOf({"/card/pin"}), json::MustParse(row.arguments).root(), kKey);
    EXPECT_THAT(kept.text, Not(HasSubstr("hunter22"))) << row.why;
    EXPECT_EQ(kept.withheld.size(), 1) << row.why;
  }
}

}  // namespace
}  // namespace tipstaff::run
