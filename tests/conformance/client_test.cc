// The official suite for clients, against the broker: its servers are upstreams of a mediator.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "mediator/base/testing/temp_folder.h"
#include "tests/conformance/revision_name.h"
#include "tests/conformance/suite.h"

namespace tipstaff::conformance {
namespace {

// The broker is no OAuth client: whoever owns an upstream gives it a credential.
bool IsAboutSigningIn(const std::string& scenario) { return absl::StartsWith(scenario, "auth/"); }

class ClientConformance : public ::testing::TestWithParam<const char*> {};

TEST_P(ClientConformance, PassesAllThatItDoesNotDecline) {
  const std::string revision = GetParam();
  const auto packages = FindPackages();
  ASSERT_TRUE(packages.ok()) << packages.status();
  const base::TempFolder folder;
  const Suite suite(*packages, folder.path());
  auto required = suite.Required(revision, Side::kClient);
  ASSERT_TRUE(required.ok()) << required.status();
  EXPECT_GT(std::erase_if(*required, IsAboutSigningIn), 0);
  const auto expected = ExpectedFailures(revision, Side::kClient);
  ASSERT_TRUE(expected.ok()) << expected.status();

  std::map<std::string, Checks> results;
  for (const std::string& scenario : *required) {
    const auto checks =
        suite.TestClient(TIPSTAFF_BIN_DIR "/tipstaff-conformance-client", scenario, revision);
    ASSERT_TRUE(checks.ok()) << scenario << ": " << checks.status();
    results[scenario] = *checks;
  }
  const std::vector<std::string> findings = Judge(*required, results, *expected);
  EXPECT_TRUE(findings.empty()) << absl::StrJoin(findings, "\n");
}

INSTANTIATE_TEST_SUITE_P(Revisions, ClientConformance,
                         ::testing::Values("2025-11-25", "2026-07-28"), RevisionName);

}  // namespace
}  // namespace tipstaff::conformance
