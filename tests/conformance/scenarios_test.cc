#include "tests/conformance/scenarios.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tipstaff::conformance {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr char kFile[] = R"(# a comment
server:
  - ping
  - tools-list:shape # a reason

client:
  - initialize # another

not_scored:
  - scenario: extra
    leg: server
)";

TEST(RequiredScenarios, AreThoseOfTheSide) {
  const auto client =
      RequiredScenarios("server:\n  - ping\n\nclient:\n  - a\n  - auth/b\n", Side::kClient);
  ASSERT_TRUE(client.ok()) << client.status();
  EXPECT_THAT(*client, ElementsAre("a", "auth/b"));
  EXPECT_EQ(RequiredScenarios("server:\n  - ping\n", Side::kClient).status().code(),
            absl::StatusCode::kNotFound);
}

TEST(ExpectedFailuresOfAFile, EachHasAReason) {
  const auto client = ReadExpectedFailures(kFile, Side::kClient);
  ASSERT_TRUE(client.ok()) << client.status();
  EXPECT_THAT(*client, ElementsAre("initialize"));
  const auto server = ReadExpectedFailures(kFile, Side::kServer);
  EXPECT_EQ(server.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(server.status().message(), HasSubstr("`ping`: say why"));
}

TEST(ReadChecksOfAScenario, TheWorstOfOneNameCounts) {
  const auto checks = ReadChecks(R"([{"id":"a","status":"SUCCESS"},{"id":"a","status":"WARNING"},
    {"id":"b","status":"SUCCESS"},{"id":"c","status":"INFO"},{"id":"d","status":"SKIPPED"}])");
  ASSERT_TRUE(checks.ok()) << checks.status();
  EXPECT_EQ(*checks, (Checks{{"a", false}, {"b", true}}));
  EXPECT_EQ(ReadChecks("{}").status().code(), absl::StatusCode::kInvalidArgument);
}

struct Row {
  const char* name;
  std::vector<std::string> expected;
  std::map<std::string, Checks> results;
  const char* finding;  // "": none
};

// In the tests' names.
void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

class JudgeTest : public ::testing::TestWithParam<Row> {};

TEST_P(JudgeTest, Finds) {
  const Row& row = GetParam();
  const std::vector<std::string> findings = Judge({"one"}, row.results, row.expected);
  if (*row.finding == '\0') {
    EXPECT_THAT(findings, IsEmpty());
  } else {
    EXPECT_THAT(findings, ElementsAre(row.finding));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Rows, JudgeTest,
    ::testing::Values(
        Row{"AllPass", {}, {{"one", {{"a", true}}}}, ""},
        Row{"NotRun", {}, {}, "one: required, and has not run"},
        Row{"NothingChecked", {}, {{"one", {}}}, "one: the suite checked nothing"},
        Row{"Fails", {}, {{"one", {{"a", true}, {"b", false}}}}, "one:b: fails"},
        Row{"ScenarioExpected", {"one"}, {{"one", {{"a", true}, {"b", false}}}}, ""},
        Row{"ScenarioPasses",
            {"one"},
            {{"one", {{"a", true}}}},
            "one: passes, and is listed as an expected failure"},
        Row{"CheckExpected", {"one:b"}, {{"one", {{"a", true}, {"b", false}}}}, ""},
        Row{"AnotherCheckFails",
            {"one:b"},
            {{"one", {{"a", false}, {"b", false}}}},
            "one:a: fails"},
        Row{"CheckPasses",
            {"one:a"},
            {{"one", {{"a", true}}}},
            "one:a: passes, and is listed as an expected failure"},
        Row{"NoSuchCheck",
            {"one:z"},
            {{"one", {{"a", true}}}},
            "one:z: listed, and there is no such check"},
        Row{"NoSuchScenario", {"two"}, {{"one", {{"a", true}}}}, "two: listed, and not required"},
        Row{"OthersDoNotCount", {}, {{"one", {{"a", true}}}, {"two", {{"a", false}}}}, ""}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace tipstaff::conformance
