// The stubs and skills that only these tests use check, and their own tests pass: what a client
// test then finds is not a mistake in them. So does the skill that the page on skills shows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "mediator/backend/catalog.h"
#include "mediator/base/clock.h"
#include "mediator/base/file.h"
#include "mediator/policy/skill_tests.h"
#include "mediator/source/read.h"
#include "stubs/engine/stub_tests.h"

namespace tipstaff::e2e {
namespace {

constexpr char kTests[] = TIPSTAFF_SOURCE_DIR "/tests/e2e";

// RunTests of a library: every test passed, and there was one.
template <typename Results>
void ExpectAllPass(const Results& results) {
  EXPECT_FALSE(results.empty());
  for (const auto& result : results) EXPECT_TRUE(result.passed) << result.name << result.message;
}

// A skill checks without a warning against the stubs below `root`, and its tests pass.
void ExpectSkillIsGood(std::shared_ptr<const source::File> file, const std::string& root,
                       std::vector<std::string> stubs) {
  const backend::Catalog catalog(
      [root](const std::string& name) {
        return engine::ReadStubFiles(absl::StrCat(root, "/stubs/", name));
      },
      std::move(stubs));
  source::Diagnostics diagnostics;
  const auto skill = policy::LoadSkill(std::move(file), catalog, diagnostics);
  EXPECT_EQ(source::RenderText(diagnostics), "");
  ASSERT_NE(skill, nullptr);
  ExpectAllPass(policy::RunTests(skill, catalog, base::SystemClock()));
}

TEST(FilesTest, StubsDoWhatTheirTestsSay) {
  for (const char* stub : {"slow", "receiver"}) {
    SCOPED_TRACE(stub);
    ExpectAllPass(engine::RunTests(absl::StrCat(kTests, "/stubs/", stub), base::SystemClock()));
  }
}

TEST(FilesTest, SkillsDoWhatTheirTestsSay) {
  for (const auto& [skill, stub] :
       {std::pair("slow-work", "slow"), std::pair("keyed-result", "receiver")}) {
    SCOPED_TRACE(skill);
    source::Diagnostics diagnostics;
    const auto file =
        source::ReadSource(absl::StrCat(kTests, "/policies/", skill, "/skill.yaml"), diagnostics);
    ASSERT_NE(file, nullptr) << source::RenderText(diagnostics);
    ExpectSkillIsGood(file, kTests, {stub});
  }
}

TEST(FilesTest, ThePageOnSkillsShowsOneThatChecks) {
  const std::string path = TIPSTAFF_SOURCE_DIR "/docs/policy-language.md";
  const auto page = base::ReadFile(path);
  ASSERT_TRUE(page.ok()) << page.status();
  const std::string open = "```yaml\n";
  const size_t begin = page->find(open);
  ASSERT_NE(begin, std::string::npos) << "no block of YAML in " << path;
  const size_t end = page->find("```\n", begin + open.size());
  ASSERT_NE(end, std::string::npos) << "an open block in " << path;
  const std::string text = page->substr(begin + open.size(), end - begin - open.size());
  ExpectSkillIsGood(std::make_shared<source::File>(source::File{path, text}), TIPSTAFF_SOURCE_DIR,
                    {"mailbox", "reports"});
}

}  // namespace
}  // namespace tipstaff::e2e
