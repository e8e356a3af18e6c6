// The schemas that editors read and the loaders that decide say the same of a file.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "mediator/base/file.h"
#include "mediator/json/parse.h"
#include "tests/corpus/beyond.h"
#include "tests/corpus/judge.h"
#include "tests/corpus/mutate.h"

namespace tipstaff::corpus {
namespace {

namespace fs = std::filesystem;

constexpr char kRoot[] = TIPSTAFF_SOURCE_DIR;
constexpr char kMailbox[] = TIPSTAFF_SOURCE_DIR "/stubs/mailbox";

std::string TextOf(const std::string& path) {
  const absl::StatusOr<std::string> text = base::ReadFile(absl::StrCat(kRoot, "/", path));
  EXPECT_TRUE(text.ok()) << text.status();
  return text.value_or("");
}

// The two agree, but where the loader knows more.
void ExpectAgreement(const Verdicts& verdicts, const std::string& what) {
  if (!verdicts.is_yaml) return;
  if (verdicts.loads()) {
    EXPECT_TRUE(verdicts.schema_accepts())
        << what << ": the loader takes it and the schema refuses it: " << verdicts.failure->pointer
        << " fails " << verdicts.failure->keyword;
  } else if (verdicts.schema_accepts()) {
    const bool beyond =
        std::any_of(verdicts.errors.begin(), verdicts.errors.end(),
                    [](const source::Diagnostic& error) { return !BeyondSchema(error).empty(); });
    EXPECT_TRUE(beyond) << what << ": the schema takes it and the loader does not:\n"
                        << source::RenderText(verdicts.errors[0]);
  }
}

void ExpectGood(const Verdicts& verdicts, const std::string& what) {
  EXPECT_TRUE(verdicts.is_yaml) << what;
  EXPECT_TRUE(verdicts.loads()) << what << ":\n" << source::RenderText(verdicts.errors);
  EXPECT_TRUE(verdicts.schema_accepts())
      << what << ": " << verdicts.failure->pointer << " fails " << verdicts.failure->keyword;
}

TEST(Corpus, ShippedFilesAreGood) {
  const Judge skills(Kind::kSkill), stubs(Kind::kStub), configs(Kind::kConfig);
  for (const char* path :
       {"policies/report-triage/skill.yaml", "policies/support-reply/skill.yaml",
        "tests/e2e/policies/slow-work/skill.yaml", "tests/e2e/policies/steady-work/skill.yaml"}) {
    ExpectGood(skills.Of(TextOf(path)), path);
  }
  for (const std::string folder : {"stubs/flaky", "stubs/mailbox", "stubs/reports", "stubs/tickets",
                                   "stubs/web", "tests/e2e/stubs/slow"}) {
    ExpectGood(stubs.Of(TextOf(folder + "/stub.yaml"), absl::StrCat(kRoot, "/", folder)), folder);
  }
  ExpectGood(configs.Of(TextOf("mediator/cli/templates/tipstaff.yaml.in")), "init's configuration");
}

TEST(Corpus, MistakesThatUsersMake) {
  const Judge judge(Kind::kSkill);
  int judged = 0;
  for (const auto& entry : fs::directory_iterator(absl::StrCat(kRoot, "/tests/golden/skills"))) {
    if (entry.path().extension() != ".yaml") continue;
    const Verdicts verdicts =
        judge.Of(TextOf(absl::StrCat("tests/golden/skills/", entry.path().filename().string())));
    ExpectAgreement(verdicts, entry.path().filename().string());
    judged += verdicts.is_yaml ? 1 : 0;
  }
  EXPECT_GT(judged, 80);
}

// The names under every `properties` of a schema.
void CollectKeys(json::Value schema, bool names, std::set<std::string>& keys) {
  for (json::Value item : schema.items()) CollectKeys(item, false, keys);
  for (const json::Member& member : schema.members()) {
    if (names) keys.emplace(member.key);
    CollectKeys(member.value, !names && member.key == "properties", keys);
  }
}

void CollectMembers(json::Value value, std::set<std::string>& keys) {
  for (json::Value item : value.items()) CollectMembers(item, keys);
  for (const json::Member& member : value.members()) {
    keys.emplace(member.key);
    CollectMembers(member.value, keys);
  }
}

TEST(Corpus, HasEveryKeyOfTheSchemas) {
  for (const std::string kind : {"skill", "stub", "config"}) {
    const auto schema = json::Parse(TextOf(absl::StrCat("schemas/json/", kind, ".schema.json")));
    ASSERT_TRUE(schema.ok()) << schema.status();
    std::set<std::string> known, used;
    CollectKeys(schema->root(), false, known);
    const std::string path = absl::StrCat("tests/corpus/every_", kind, ".yaml");
    source::Diagnostics none;
    const auto document =
        source::ParseYaml(std::make_shared<source::File>(source::File{path, TextOf(path)}), none);
    ASSERT_TRUE(document.has_value()) << path;
    CollectMembers(document->root(), used);
    // No file with it is good as long as there are no upstreams.
    used.insert("upstream");
    for (const std::string& key : known) EXPECT_TRUE(used.contains(key)) << path << ": " << key;
  }
}

void ExpectMutationsAgree(Kind kind, const std::string& file, size_t least) {
  const Judge judge(kind);
  const std::string text = TextOf(file);
  ExpectGood(judge.Of(text, kMailbox), file);
  source::Diagnostics none;
  const auto document =
      source::ParseYaml(std::make_shared<source::File>(source::File{file, text}), none);
  ASSERT_TRUE(document.has_value());
  size_t refused = 0;
  const std::vector<Mutation> mutations = MutationsOf(document->root());
  EXPECT_GE(mutations.size(), least);
  for (const Mutation& mutation : mutations) {
    const Verdicts verdicts = judge.Of(mutation.text, kMailbox);
    EXPECT_TRUE(verdicts.is_yaml) << mutation.what;
    ExpectAgreement(verdicts, mutation.what);
    refused += verdicts.loads() ? 0 : 1;
  }
  EXPECT_GT(refused, least / 2) << "changes that nobody minds show nothing";
}

TEST(Corpus, EachChangeOfASkill) {
  ExpectMutationsAgree(Kind::kSkill, "tests/corpus/every_skill.yaml", 1500);
}
TEST(Corpus, EachChangeOfAStub) {
  ExpectMutationsAgree(Kind::kStub, "tests/corpus/every_stub.yaml", 800);
}
TEST(Corpus, EachChangeOfAConfiguration) {
  ExpectMutationsAgree(Kind::kConfig, "tests/corpus/every_config.yaml", 150);
}

}  // namespace
}  // namespace tipstaff::corpus
