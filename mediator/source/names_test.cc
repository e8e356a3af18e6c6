#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mediator/source/codes.h"
#include "mediator/source/diagnostic.h"

namespace tipstaff::source {
namespace {

struct Case {
  const char* reason;
  std::string text;
  const char* nearest;
};

TEST(NearestName, FindsWhatWasMeantAndNothingElse) {
  const std::vector<std::string> names = {"maxBytes", "maxItems", "minBytes",
                                          "in",       "items",    "type"};
  const Case kCases[] = {
      {"a letter missing", "maxByte", "maxBytes"},
      {"a letter too many", "iitems", "items"},
      {"another letter", "minbytes", "minBytes"},
      {"swapped neighbours count once", "tyep", "type"},
      {"the name itself", "type", "type"},
      {"a short name with one mistake", "im", "in"},
      {"the first of equals", "mxBytes", "maxBytes"},
      {"nothing near", "severity", ""},
      {"a short word far from all", "xyz", ""},
      {"empty", "", ""},
      {"much too long to be a name", std::string(100000, 'm'), ""},
  };
  for (const Case& c : kCases) EXPECT_EQ(NearestName(c.text, names), c.nearest) << c.reason;
  EXPECT_EQ(NearestName("type", std::vector<std::string>{}), "");
}

TEST(Explanation, IsFoundInAnyTable) {
  static constexpr Explanation kOther[] = {{"C001", "title", "one two"}};
  const ExplanationTable tables[] = {YamlExplanations(), kOther};
  ASSERT_NE(FindExplanation("c001", tables), nullptr);
  EXPECT_EQ(FindExplanation("c001", tables)->title, "title");
  ASSERT_NE(FindExplanation(kDuplicateKey, tables), nullptr);
  EXPECT_EQ(FindExplanation("Y999", tables), nullptr);
  EXPECT_EQ(FindExplanation("", tables), nullptr);
}

TEST(Explanation, IsWrappedForATerminal) {
  EXPECT_EQ(RenderExplanation({"C001", "a title", "one two"}), "C001: a title\n\none two\n");
  for (const Explanation& explanation : YamlExplanations()) {
    EXPECT_FALSE(explanation.title.empty());
    EXPECT_GT(explanation.text.size(), 20u) << explanation.code;
    const std::string text = RenderExplanation(explanation);
    for (size_t at = 0, end; at < text.size(); at = end + 1) {
      end = text.find('\n', at);
      ASSERT_NE(end, std::string::npos);
      EXPECT_LE(end - at, 80u) << explanation.code;
    }
  }
}

TEST(YamlExplanations, AreInOrder) {
  const ExplanationTable table = YamlExplanations();
  for (size_t i = 0; i < table.size(); ++i) {
    char code[8];
    snprintf(code, sizeof code, "Y%03d", static_cast<int>(i + 1));
    EXPECT_EQ(table[i].code, code);
  }
}

}  // namespace
}  // namespace tipstaff::source
