#include "mediator/cli/new_stub.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "mediator/base/clock.h"
#include "mediator/base/testing/temp_folder.h"
#include "mediator/json/parse.h"
#include "stubs/engine/stub.h"
#include "stubs/engine/stub_tests.h"

namespace tipstaff::cli {
namespace {

using ::testing::HasSubstr;

TEST(MakeStub, PassesItsTestsAndChecksWithoutAWarning) {
  const auto files = MakeStub("orders", "stubs/orders", "");
  ASSERT_TRUE(files.ok()) << files.status();
  for (const NewFile& file : *files) EXPECT_FALSE(absl::StrContains(file.text, '@')) << file.path;
  const base::TempFolder folder;
  ASSERT_TRUE(WriteFiles(folder.path(), *files).ok());
  source::Diagnostics diagnostics;
  const auto stub = engine::Stub::Load(engine::ReadStubFiles(folder.path()).value(), diagnostics);
  EXPECT_EQ(source::RenderText(diagnostics), "");
  ASSERT_NE(stub, nullptr);
  EXPECT_EQ(stub->name(), "orders");
  const engine::TestRun run = engine::RunTestsOf(folder.path(), "", base::SystemClock());
  EXPECT_GE(run.results.size(), 4u);
  for (const engine::TestResult& result : run.results) {
    EXPECT_TRUE(result.passed) << result.name << ": " << result.message;
  }
  EXPECT_FALSE(run.parts.empty());
  for (const engine::StubPart& part : run.parts) EXPECT_TRUE(part.reached) << part.ToString();
}

// What a comment asks the reader to do works.
TEST(MakeStub, TheFaultInTheCommentIsOne) {
  auto files = MakeStub("orders", "stubs/orders", "../../schemas/json/stub.schema.json").value();
  for (NewFile& file : files) {
    if (file.path != "stub.yaml") continue;
    EXPECT_TRUE(absl::StartsWith(file.text, "# yaml-language-server: $schema=../../schemas/"));
    const size_t faults = file.text.find("# faults:");
    ASSERT_NE(faults, std::string::npos);
    file.text =
        file.text.substr(0, faults) +
        absl::StrReplaceAll(file.text.substr(faults), {{"\n# ", "\n"}, {"# faults", "faults"}});
  }
  const base::TempFolder folder;
  ASSERT_TRUE(WriteFiles(folder.path(), files).ok());
  source::Diagnostics diagnostics;
  const auto stub = engine::Stub::Load(engine::ReadStubFiles(folder.path()).value(), diagnostics);
  ASSERT_NE(stub, nullptr) << source::RenderText(diagnostics);
  auto state = engine::State::Create(stub, {"s", "orders", {}}).value();
  const json::Document note = json::MustParse(R"({"item_id":"item_0001","text":"x"})");
  EXPECT_EQ(state->Call(1, "add_note", note).error, "");
  EXPECT_EQ(state->Call(2, "add_note", note).error, "too_busy");
}

TEST(MakeStub, RefusesNamesAndSaysTheNearest) {
  const struct {
    const char* reason;
    std::string name;
    const char* nearest;
  } kCases[] = {
      {"a slash", "a/b", "a-b"},
      {"up", "../orders", "orders"},
      {"blanks and marks", "my orders!", "my-orders"},
      {"a digit first", "3orders", "orders"},
      {"nothing left", "...", "my-stub"},
      {"empty", "", "my-stub"},
      {"other letters", "größe", "gr-e"},
      {"too long", std::string(41, 'a'), "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"},
  };
  for (const auto& c : kCases) {
    const absl::Status status = MakeStub(c.name, "x", "").status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << c.reason;
    EXPECT_THAT(std::string(status.message()),
                HasSubstr(absl::StrCat("for instance `", c.nearest, "`")))
        << c.reason;
    EXPECT_TRUE(MakeStub(NearestStubName(c.name), "x", "").ok()) << c.reason;
  }
}

}  // namespace
}  // namespace tipstaff::cli
