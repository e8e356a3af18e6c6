// The skills that are shipped check without a finding, and their own tests pass, against tools as
// their stubs are agreed to be.
#include <gtest/gtest.h>

#include <set>

#include "mediator/base/clock.h"
#include "mediator/base/file.h"
#include "mediator/policy/coverage.h"
#include "mediator/policy/skill_tests.h"
#include "mediator/policy/testing/skill_text.h"

namespace tipstaff::policy {
namespace {

class ShippedSkill : public testing::TestWithParam<const char*> {};

TEST_P(ShippedSkill, ChecksAndPassesItsTests) {
  const std::string path =
      absl::StrCat(TIPSTAFF_SOURCE_DIR, "/policies/", GetParam(), "/skill.yaml");
  const absl::StatusOr<std::string> text = base::ReadFile(path);
  ASSERT_TRUE(text.ok()) << text.status();
  const FakeCatalog catalog;
  source::Diagnostics diagnostics;
  const auto skill = TryLoad(*text, catalog, diagnostics);
  EXPECT_TRUE(diagnostics.empty()) << source::RenderText(diagnostics);
  ASSERT_NE(skill, nullptr);
  EXPECT_EQ(skill->name(), GetParam());
  const std::vector<TestResult> results = RunTests(skill, catalog, base::SystemClock());
  EXPECT_GE(results.size(), 10);
  for (const Covered& part : CoverageOf(*skill, results)) {
    EXPECT_TRUE(part.exercised || part.kind == Covered::Kind::kConstraint) << part.ToString();
  }
  for (const TestResult& result : results) {
    EXPECT_TRUE(result.passed) << result.name << ": " << result.message;
  }
}

INSTANTIATE_TEST_SUITE_P(All, ShippedSkill, testing::Values("report-triage", "support-reply"),
                         [](const auto& info) {
                           std::string name = info.param;
                           name.erase(name.find('-'), 1);
                           return name;
                         });

}  // namespace
}  // namespace tipstaff::policy
