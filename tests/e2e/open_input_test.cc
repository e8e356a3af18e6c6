// What can be wrong when a run is opened: it is not, and other runs go on.
#include <gmock/gmock.h>

#include <filesystem>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "mediator/base/file.h"
#include "tests/e2e/fixture.h"

namespace tipstaff::e2e {
namespace {

namespace fs = std::filesystem;

using ::testing::HasSubstr;

class OpenInputTest : public E2eTest {
 protected:
  void SetUp() override {
    fs::create_directories(Path("skills"));
    harness::MediatorOptions options;
    options.policies = Path("skills");
    Start(options);
    const harness::OpenedRun run = OpenTriage();
    bystander_ = std::make_unique<Bystander>(run, StartAgent(run));
    entries_ = Entries();
  }
  void TearDown() override {
    bystander_->ExpectUndisturbed();
    EXPECT_EQ(Entries(), entries_) << "a run that was not opened left something behind";
    const json::Document list = Must(mediator().TipstaffJson({"run", "list"}));
    EXPECT_EQ(list.root().size(), 1u);
  }
  size_t Entries() const {
    return std::distance(fs::directory_iterator(Path("run")), fs::directory_iterator());
  }
  harness::Finished TryOpen(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"run", "open"});
    return Tipstaff(std::move(arguments));
  }
  // The skill report-triage under another name, with a part of it replaced.
  void AddSkill(const std::string& name, const std::string& part, const std::string& by) {
    std::string text =
        Must(base::ReadFile(TIPSTAFF_SOURCE_DIR "/policies/report-triage/skill.yaml"));
    ASSERT_THAT(text, HasSubstr(part));
    text = absl::StrReplaceAll(text, {{"skill: report-triage", "skill: " + name}, {part, by}});
    fs::create_directories(Path("skills/" + name));
    Must(base::WriteFile(Path("skills/" + name + "/skill.yaml"), text));
  }

  std::unique_ptr<Bystander> bystander_;
  size_t entries_ = 0;
};

TEST_F(OpenInputTest, BadOptionsNameTheOption) {
  const std::string skill = "report-triage", report = "report_id=rep_demo0001";
  struct Row {
    const char* name;
    std::vector<std::string> arguments;
    int status;
    std::vector<std::string> says;
  };
  const Row rows[] = {
      {"no skill", {"--bind", report}, 2, {"--skill", "required"}},
      {"a skill that there is not",
       {"--skill", "report-triag"},
       2,
       {"no skill `report-triag`", "did you mean `report-triage`?"}},
      {"a skill by a path", {"--skill", "../report-triage"}, 2, {"../report-triage"}},
      {"a binding is missing",
       {"--skill", skill, "--bind", report},
       2,
       {"error[P101]", "report-triage/skill.yaml:7:3", "the binding `tenant` is not given"}},
      {"a binding that there is not",
       {"--skill", skill, "--bind", report, "--bind", "tenant=acme", "--bind", "tennant=acme"},
       2,
       {"`tennant`"}},
      {"a binding out of its schema",
       {"--skill", skill, "--bind", "report_id=../x", "--bind", "tenant=acme"},
       2,
       {"`report_id`"}},
      {"a binding of another type",
       {"--skill", skill, "--bind", report, "--bind", "tenant:=5"},
       2,
       {"`tenant`"}},
      {"a binding twice",
       {"--skill", skill, "--bind", report, "--bind", report},
       2,
       {"--bind gives `report_id` twice"}},
      {"a binding without a value",
       {"--skill", skill, "--bind", "tenant"},
       2,
       {"--bind `tenant` is not of the form name=text or name:=JSON"}},
      {"a binding that is no JSON",
       {"--skill", skill, "--bind", "reviewers:=[1"},
       2,
       {"--bind `reviewers` is not JSON"}},
      {"a time that is none", {"--skill", skill, "--time", "soon"}, 2, {"`soon`"}},
      {"a time beyond a week",
       {"--skill", skill, "--bind", report, "--bind", "tenant=acme", "--time", "8d"},
       2,
       {"between 1s and 7d"}},
      {"a fact without a name", {"--skill", skill, "--fact", "=x"}, 2, {"--fact `=x`"}},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    ExpectFails(TryOpen(row.arguments), row.status, row.says);
  }
}

TEST_F(OpenInputTest, ASkillThatDoesNotCheckNamesItsPlace) {
  struct Row {
    const char* name;
    const char* part;
    const char* by;
    std::vector<std::string> says;
  };
  const Row rows[] = {
      {"broken-yaml", "scope: [report_id, reviewers]", "scope: [report_id, reviewers", {"error[Y"}},
      {"unknown-keyword", "maxBytes: 8000}", "maxByte: 8000}", {"error[P012]", "maxBytes"}},
      {"unknown-binding", "{equals: $report_id}", "{equals: $reprot_id}", {"$reprot_id"}},
      {"unknown-tool", "tool: reports.get_report", "tool: reports.get_reprot", {"get_reprot"}},
      {"effect-lowered", "effect: finalize", "effect: read", {"effect"}},
      {"unknown-stub", "{stub: mailbox}", "{stub: mailbx}", {"mailbx"}},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    AddSkill(row.name, row.part, row.by);
    std::vector<std::string> says = row.says;
    says.push_back(absl::StrCat(Path("skills"), "/", row.name, "/skill.yaml:"));
    says.push_back("; see above");
    const harness::Finished opened =
        TryOpen({"--skill", row.name, "--bind", "report_id=rep_demo0001", "--bind", "tenant=acme"});
    ExpectFails(opened, 2, says);
    EXPECT_THAT(opened.err,
                testing::ContainsRegex("tipstaff: refused for [0-9]+ errors?; see above"))
        << "not what was said above";
    bystander_->ExpectUndisturbed();
  }
}

TEST_F(OpenInputTest, ASkillInTwoFoldersIsNeither) {
  AddSkill("report-triage", "calls: 200", "calls: 2000");
  ExpectFails(TryOpen({"--skill", "report-triage", "--bind", "report_id=rep_demo0001", "--bind",
                       "tenant=acme"}),
              2, {"`report-triage`", Path("skills"), TIPSTAFF_SOURCE_DIR "/policies"});
}

}  // namespace
}  // namespace tipstaff::e2e
