// `tipstaff check` and `tipstaff test`, on this repository's files and on broken ones.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <filesystem>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "mediator/base/file.h"
#include "mediator/json/parse.h"
#include "tests/e2e/fixture.h"

namespace tipstaff::e2e {
namespace {

namespace fs = std::filesystem;

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// No mediator runs: these commands need none.
class CheckTest : public E2eTest {
 protected:
  void SetUp() override {
    Must(base::WriteFile(Path("tipstaff.yaml"),
                         absl::StrCat("policies: [" TIPSTAFF_SOURCE_DIR "/policies]\n",
                                      "stubs: [" TIPSTAFF_SOURCE_DIR "/stubs]\n")));
  }
  // A copy of this repository's file at `path`, with a part of it replaced.
  std::string Broken(const std::string& path, const std::string& part, const std::string& by) {
    const std::string text = Must(base::ReadFile(TIPSTAFF_SOURCE_DIR "/" + path));
    EXPECT_THAT(text, HasSubstr(part));
    const std::string copy = Path("copies/" + path);
    fs::create_directories(fs::path(copy).parent_path());
    Must(base::WriteFile(copy, absl::StrReplaceAll(text, {{part, by}})));
    return copy;
  }
};

constexpr char kSkill[] = "policies/report-triage/skill.yaml";

TEST_F(CheckTest, ThisRepositorysFilesCheckAndTheirTestsPass) {
  const harness::Finished check = Bare({"check"});
  EXPECT_EQ(check.status, 0) << check.out << check.err;
  EXPECT_THAT(check.out, HasSubstr(" 0 errors, 0 warnings"));
  const harness::Finished test = Bare({"test"});
  EXPECT_EQ(test.status, 0) << test.out << test.err;
  EXPECT_THAT(test.out, AllOf(HasSubstr(", 0 failed"), HasSubstr("reads its own report"),
                              HasSubstr("evidence is captured"), Not(HasSubstr("FAIL"))));
}

TEST_F(CheckTest, ABadFileIsNamedWithItsLineAndTheFix) {
  const std::string skill = Broken(kSkill, "maxBytes: 8000}", "maxByte: 8000}");
  const harness::Finished check = Bare({"check", skill});
  EXPECT_EQ(check.status, 1) << check.err;
  EXPECT_THAT(check.out, AllOf(HasSubstr("error[P012]"), HasSubstr(skill + ":"),
                               HasSubstr("maxByte"), HasSubstr("did you mean `maxBytes`?"),
                               HasSubstr("1 file, 1 error, 0 warnings")));
  const harness::Finished as_json = Bare({"check", skill, "--format", "json"});
  EXPECT_EQ(as_json.status, 1);
  const json::Document diagnostics = Must(json::Parse(as_json.out));
  ASSERT_EQ(diagnostics.root().size(), 1u);
  EXPECT_EQ(diagnostics.root().At(0).StringOr("code", ""), "P012");

  const std::string config = Path("copies/tipstaff.yaml");
  Must(base::WriteFile(config, "ledgr: a.db\n"));
  const harness::Finished both = Bare({"check", Path("copies")});
  EXPECT_EQ(both.status, 1);
  EXPECT_THAT(both.out, AllOf(HasSubstr(config + ":1:1"), HasSubstr("2 files, 2 errors")));
}

// A pipe that nobody writes to was waited for.
TEST_F(CheckTest, PipesAreNotWaitedFor) {
  const std::string pipe = Path("tools.yaml");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  Must(base::WriteFile(Path("tipstaff.yaml"),
                       "upstreams: {b: {test_system: {command: [b], tools: tools.yaml, "
                       "stop: none}}}\n"));
  const harness::Finished tools = Bare({"check"});
  EXPECT_EQ(tools.status, 1) << tools.err;
  EXPECT_THAT(tools.out, HasSubstr("tools.yaml` is not a regular file"));
  for (const char* name : {"skill.yaml", "stub.yaml", "tipstaff.yaml"}) {
    fs::create_directories(Path("pipes"));
    const std::string path = Path(absl::StrCat("pipes/", name));
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    const harness::Finished check = Bare({"check", path});
    EXPECT_NE(check.status, 0) << name;
    EXPECT_NE(check.out + check.err, "") << name;
    fs::remove(path);
  }
}

TEST_F(CheckTest, ASkillOfAStubThatDoesNotCheckSaysSo) {
  fs::create_directories(Path("stubs/notes"));
  fs::create_directories(Path("skills/writer"));
  Must(base::WriteFile(Path("stubs/notes/stub.yaml"), "stub: notes\ntoolz: []\n"));
  Must(base::WriteFile(
      Path("skills/writer/skill.yaml"),
      "skill: writer\nbackends: {kept: {stub: notes}}\nfinalize: none\n"
      "permissions:\n  - {id: add, tool: kept.add, args: {}, unscoped: A test.}\n"));
  Must(base::WriteFile(Path("tipstaff.yaml"), "policies: [skills]\nstubs: [stubs]\n"));
  const harness::Finished check = Bare({"check", Path("skills")});
  EXPECT_EQ(check.status, 1);
  EXPECT_THAT(check.out,
              AllOf(HasSubstr("error[P031]: the stub `notes` has 3 errors, the first: S002 at "),
                    HasSubstr("stubs/notes/stub.yaml:2:1: unknown key `toolz`"),
                    HasSubstr("mend it first: `tipstaff check` shows what is wrong with it"),
                    Not(HasSubstr("did you mean `notes`"))));
}

TEST_F(CheckTest, WarningsFailOnlyWhenAsked) {
  const std::string skill = Broken(kSkill, "mail.draft_*", "mail.destroy_*");
  const harness::Finished check = Bare({"check", skill});
  EXPECT_EQ(check.status, 0) << check.err;
  EXPECT_THAT(check.out, AllOf(HasSubstr("warning[P081]"), HasSubstr("0 errors, 1 warning\n")));
  EXPECT_EQ(Bare({"check", "--strict", skill}).status, 1);
  EXPECT_EQ(Bare({"check", "--strict", TIPSTAFF_SOURCE_DIR "/policies"}).status, 0);
}

TEST_F(CheckTest, ABrokenTestFailsAndSaysWhatWasDecided) {
  const std::string skill =
      Broken(kSkill, "expect: {decision: deny, reason: out_of_scope, nearest: read-own-report",
             "expect: {decision: allow, permission: read-own-report");
  const harness::Finished test = Bare({"test", skill, "--junit", "results.xml"});
  EXPECT_EQ(test.status, 1) << test.err;
  EXPECT_THAT(
      test.out,
      AllOf(HasSubstr("FAIL  " + skill + ":"), HasSubstr("another report is refused"),
            HasSubstr("expected allow, permission `read-own-report`"), HasSubstr(" 1 failed")));
  // As `tipstaff why` shows it.
  EXPECT_THAT(
      test.out,
      AllOf(HasSubstr("`read-own-report` of `report-triage` does not permit it: `equals` at "
                      "`/report_id`"),
            HasSubstr("{equals: $report_id}"),
            HasSubstr("^^^^^^ wants `rep_aaaaaaaa` (binding `report_id`)"),
            HasSubstr("found `rep_bbbbbbbb`")));
  const std::string junit = Must(base::ReadFile(Path("results.xml")));
  EXPECT_THAT(junit,
              AllOf(HasSubstr("failures=\"1\""), HasSubstr("name=\"another report is refused"),
                    HasSubstr("wants `rep_aaaaaaaa`")));
  const json::Document results = Must(json::Parse(Bare({"test", skill, "--format", "json"}).out));
  size_t failed = 0;
  for (json::Value result : results.root().Find("tests").items()) {
    if (result.BoolOr("passed", true)) continue;
    ++failed;
    EXPECT_THAT(std::string(result.StringOr("message", "")), HasSubstr("out_of_scope"));
    EXPECT_THAT(std::string(result.StringOr("explanation", "")), HasSubstr("does not permit it"));
  }
  EXPECT_EQ(failed, 1u);
}

TEST_F(CheckTest, WhatNoTestExercisesIsListed) {
  const harness::Finished all = Bare({"test", "--require-coverage=rules"});
  EXPECT_EQ(all.status, 0) << all.err;
  EXPECT_THAT(all.out, HasSubstr("the tests exercise 4 of 4 permissions, 1 of 1 deny rules"));
  const harness::Finished constraints =
      Bare({"test", "--require-coverage", TIPSTAFF_SOURCE_DIR "/policies/report-triage"});
  EXPECT_EQ(constraints.status, 1);
  EXPECT_THAT(constraints.err, HasSubstr("do not exercise 5 of the permissions, deny rules and"));

  // Without the tests for the deny rule and for one permission.
  const std::string skill = Broken(kSkill, "tool: mail.draft_message", "tool: mail.list_messages");
  const harness::Finished without = Bare({"test", skill, "--require-coverage=rules"});
  EXPECT_EQ(without.status, 1);
  EXPECT_THAT(without.err, HasSubstr("do not exercise 1 of the permissions and deny rules"));
  EXPECT_THAT(without.out, HasSubstr(": no test is denied by deny rule `no-drafts`"));
  const json::Document results = Must(json::Parse(Bare({"test", skill, "--format", "json"}).out));
  const json::Value coverage = results.root().Find("coverage").At(0);
  EXPECT_EQ(coverage.StringOr("file", ""), skill);
  EXPECT_EQ(coverage.Find("permissions").IntegerOr("exercised", 0), 4);
  EXPECT_EQ(coverage.Find("deny_rules").IntegerOr("exercised", 1), 0);
  EXPECT_EQ(coverage.Find("not_exercised").size(), 6u);
  ExpectFails(Bare({"test", "--require-coverage=some", skill}), 2, {"--require-coverage"});
}

TEST_F(CheckTest, AFileThatDoesNotCheckIsAnErrorForCi) {
  const std::string skill = Broken(kSkill, "maxBytes: 8000}", "maxByte: 8000}");
  ExpectFails(Bare({"test", skill, "--junit", "results.xml"}), 2, {"its tests cannot run"});
  EXPECT_THAT(Must(base::ReadFile(Path("results.xml"))),
              AllOf(HasSubstr("errors=\"1\""), HasSubstr("unknown keyword `maxByte`")));
  ExpectFails(Bare({"test", "--junit", "nowhere/results.xml"}), 2, {"nowhere/results.xml"});
}

TEST_F(CheckTest, ABrokenStubTestFails) {
  fs::copy(TIPSTAFF_SOURCE_DIR "/stubs/reports", Path("reports"), fs::copy_options::recursive);
  const std::string tests = Path("reports/tests/attach_evidence.yaml");
  const std::string text = Must(base::ReadFile(tests));
  Must(base::WriteFile(
      tests, absl::StrReplaceAll(text, {{"evidence_id: ev_0002", "evidence_id: ev_0003"}})));
  const harness::Finished test = Bare({"test", Path("reports")});
  EXPECT_EQ(test.status, 1) << test.err;
  EXPECT_THAT(test.out, AllOf(HasSubstr("FAIL"), HasSubstr("evidence is captured"),
                              HasSubstr("ev_0002"), HasSubstr("ev_0003")));
}

TEST_F(CheckTest, CodesAreExplained) {
  const harness::Finished known = Bare({"check", "--explain", "P012"});
  EXPECT_EQ(known.status, 0) << known.err;
  EXPECT_THAT(known.out, HasSubstr("P012: an unknown keyword in a schema"));
  ExpectFails(Bare({"check", "--explain", "P999"}), 2, {"no code `P999`", "codes look like"});
}

TEST_F(CheckTest, FilesThatThereAreNotAreSaidSo) {
  Must(base::WriteFile(Path("notes.txt"), "x"));
  fs::create_directory(Path("empty"));
  for (const char* command : {"check", "test"}) {
    SCOPED_TRACE(command);
    ExpectFails(Bare({command, "nowhere"}), 2, {"`nowhere` is not there"});
    ExpectFails(Bare({command, "notes.txt"}), 2, {"`notes.txt` is neither a skill.yaml"});
    ExpectFails(Bare({command, "empty"}), 2, {"no skill.yaml or stub.yaml below `empty`"});
  }
  const std::string skill = Broken(kSkill, "equals: $report_id", "equals: $reprot_id");
  const harness::Finished test = Bare({"test", skill});
  ExpectFails(test, 2, {skill, "$reprot_id", "its tests cannot run"});
}

}  // namespace
}  // namespace tipstaff::e2e
