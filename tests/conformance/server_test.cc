// The official suite for servers, against guest agent, mediator and the fixture server.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "mediator/base/testing/temp_folder.h"
#include "mediator/json/write.h"
#include "tests/conformance/revision_name.h"
#include "tests/conformance/suite.h"
#include "tests/harness/http_guest.h"
#include "tests/harness/mediator.h"

namespace tipstaff::conformance {
namespace {

constexpr char kFolder[] = TIPSTAFF_SOURCE_DIR "/tests/conformance";

// All that the skill permits; none of them has an effect outside the fixture.
const std::vector<std::string>& Reads() {
  static const auto& reads = *new std::vector<std::string>{
      "test_simple_text",           "test_image_content",          "test_audio_content",
      "test_embedded_resource",     "test_multiple_content_types", "test_error_handling",
      "test_tool_with_progress",    "test_tool_with_logging",      "test_logging_tool",
      "test_streaming_elicitation", "test_missing_capability",     "test_trigger_tool_change",
      "test_trigger_prompt_change"};
  return reads;
}

class ServerConformance : public ::testing::TestWithParam<const char*> {
 protected:
  absl::StatusOr<std::unique_ptr<harness::Mediator>> StartMediator() {
    const std::string bin = TIPSTAFF_BIN_DIR;
    harness::MediatorOptions options{.bin = bin,
                                     .source = TIPSTAFF_SOURCE_DIR,
                                     .folder = folder_.path(),
                                     .policies = absl::StrCat(kFolder, "/policies")};
    options.servers.push_back(
        {.name = "fixture",
         .how = absl::StrCat("stdio: {command: [", json::Quote(bin + "/tipstaff-test-mcp-server"),
                             "], read: [", json::Quote(bin), "]}"),
         .stop = "killable",
         .reads = Reads()});
    return harness::Mediator::Start(options);
  }

  base::TempFolder folder_;
};

TEST_P(ServerConformance, PassesAllThatItDoesNotDecline) {
  const std::string revision = GetParam();
  const auto packages = FindPackages();
  ASSERT_TRUE(packages.ok()) << packages.status();
  const auto mediator = StartMediator();
  ASSERT_TRUE(mediator.ok()) << mediator.status();
  const auto run = (*mediator)->OpenRun({"--skill", "conformance"});
  ASSERT_TRUE(run.ok()) << run.status();
  const auto guest = harness::HttpGuest::Start(TIPSTAFF_BIN_DIR, *run, folder_.Path("guest.log"));
  ASSERT_TRUE(guest.ok()) << guest.status();

  const Suite suite(*packages, folder_.path());
  const auto required = suite.Required(revision, Side::kServer);
  ASSERT_TRUE(required.ok()) << required.status();
  const auto expected = ExpectedFailures(revision, Side::kServer);
  ASSERT_TRUE(expected.ok()) << expected.status();
  const auto results = suite.TestServer((*guest)->url(), revision);
  ASSERT_TRUE(results.ok()) << results.status();
  const std::vector<std::string> findings = Judge(*required, *results, *expected);
  EXPECT_TRUE(findings.empty()) << absl::StrJoin(findings, "\n");
}

INSTANTIATE_TEST_SUITE_P(Revisions, ServerConformance,
                         ::testing::Values("2025-11-25", "2026-07-28"), RevisionName);

}  // namespace
}  // namespace tipstaff::conformance
