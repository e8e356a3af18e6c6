#include "mediator/cli/tested_file.h"

#include <algorithm>
#include <filesystem>
#include <memory>

#include "absl/strings/str_cat.h"
#include "mediator/base/file.h"
#include "mediator/base/status.h"
#include "mediator/cli/explanation.h"
#include "mediator/host/granting.h"
#include "mediator/policy/skill_tests.h"
#include "stubs/engine/stub_tests.h"

namespace tipstaff::cli {
namespace {

std::string NameOf(const UserFile& file) {
  const std::filesystem::path folder = std::filesystem::absolute(file.folder()).lexically_normal();
  const std::string name =
      (folder.has_filename() ? folder : folder.parent_path()).filename().string();
  return absl::StrCat(file.kind == UserFile::Kind::kSkill ? "skill." : "stub.", name);
}

absl::StatusOr<TestedFile> TestSkill(const UserFile& file, const policy::Catalog& catalog,
                                     const base::Clock& clock) {
  TestedFile tested{.file = file, .name = NameOf(file)};
  TIPSTAFF_ASSIGN_OR_RETURN(std::string text, base::ReadFile(file.path));
  source::Diagnostics diagnostics;
  const auto skill =
      policy::LoadSkill(std::make_shared<source::File>(source::File{file.path, std::move(text)}),
                        catalog, diagnostics);
  if (skill == nullptr) {
    tested.error = source::RenderText(diagnostics);
    return tested;
  }
  const std::vector<policy::TestResult> results = policy::RunTests(skill, catalog, clock);
  for (const policy::TestResult& result : results) {
    Tested test{.name = result.name,
                .place = absl::StrCat(result.file, ":", result.line),
                .line = result.line,
                .message = result.message,
                .took = result.took};
    if (!result.passed && result.grant != nullptr) {
      test.explanation = RenderTrace(*result.grant, result.trace);
    }
    tested.tests.push_back(std::move(test));
  }
  tested.parts = policy::CoverageOf(*skill, results);
  return tested;
}

TestedFile TestStub(const UserFile& file, absl::string_view only, const base::Clock& clock) {
  TestedFile tested{.file = file, .name = NameOf(file)};
  engine::TestRun run = engine::RunTestsOf(file.folder(), only, clock);
  // Of some of the tests nobody asks that they reach everything.
  if (only.empty()) tested.stub_parts = std::move(run.parts);
  for (engine::TestResult& result : run.results) {
    // A stub's test that says nothing of its failure must not count as passed.
    if (!result.passed && result.message.empty()) result.message = "it failed";
    tested.tests.push_back({.name = std::move(result.name),
                            .place = file.folder(),
                            .message = result.passed ? "" : std::move(result.message),
                            .took = result.took});
  }
  return tested;
}

bool IsDemanded(const policy::Covered& part, Demand demand) {
  return demand == Demand::kAll ||
         (demand == Demand::kRules && part.kind != policy::Covered::Kind::kConstraint);
}

}  // namespace

absl::StatusOr<std::vector<TestedFile>> RunTests(const config::Config& config,
                                                 const std::vector<UserFile>& files,
                                                 absl::string_view only, const base::Clock& clock) {
  const backend::Catalog catalog = host::DiskCatalog(config);
  std::vector<TestedFile> all;
  for (const UserFile& file : files) {
    if (file.kind == UserFile::Kind::kStub) all.push_back(TestStub(file, only, clock));
    if (file.kind != UserFile::Kind::kSkill) continue;
    TIPSTAFF_ASSIGN_OR_RETURN(TestedFile tested, TestSkill(file, catalog, clock));
    all.push_back(std::move(tested));
  }
  return all;
}

size_t CountIdle(const std::vector<TestedFile>& files, Demand demand) {
  size_t idle = 0;
  for (const TestedFile& file : files) {
    idle += std::count_if(file.parts.begin(), file.parts.end(), [demand](const auto& part) {
      return !part.exercised && IsDemanded(part, demand);
    });
    if (demand != Demand::kAll) continue;
    idle += std::count_if(file.stub_parts.begin(), file.stub_parts.end(),
                          [](const auto& part) { return !part.reached; });
  }
  return idle;
}

}  // namespace tipstaff::cli
