// The stubs that ship with Tipstaff pass their own tests and load without a warning.
#include <gtest/gtest.h>

#include "stubs/engine/stub.h"
#include "stubs/engine/stub_tests.h"

namespace tipstaff::engine {
namespace {

class ShippedStub : public ::testing::TestWithParam<const char*> {
 protected:
  std::string folder() const { return std::string(TIPSTAFF_SOURCE_DIR) + "/stubs/" + GetParam(); }
};

TEST_P(ShippedStub, LoadsWithoutAWarning) {
  absl::StatusOr<StubFiles> files = ReadStubFiles(folder());
  ASSERT_TRUE(files.ok()) << files.status();
  source::Diagnostics diagnostics;
  const std::shared_ptr<const Stub> stub = Stub::Load(*std::move(files), diagnostics);
  EXPECT_EQ(source::RenderText(diagnostics), "");
  ASSERT_NE(stub, nullptr);
  EXPECT_EQ(stub->name(), GetParam());
  for (const call::Tool& tool : stub->tools()) EXPECT_FALSE(tool.description.empty()) << tool.name;
}

TEST_P(ShippedStub, PassesItsTests) {
  const std::vector<TestResult> results = RunTests(folder());
  EXPECT_GE(results.size(), 5u);
  for (const TestResult& result : results) {
    EXPECT_TRUE(result.passed) << result.name << ": " << result.message;
  }
}

INSTANTIATE_TEST_SUITE_P(All, ShippedStub, ::testing::Values("mailbox", "reports", "tickets"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace tipstaff::engine
