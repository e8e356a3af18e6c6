#include "stubs/engine/stub_tests.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "mediator/base/file.h"
#include "mediator/json/builder.h"
#include "mediator/source/document.h"
#include "mediator/source/read.h"
#include "stubs/engine/codes.h"
#include "stubs/engine/fields.h"
#include "stubs/engine/stub.h"
#include "stubs/engine/test_call.h"

namespace tipstaff::engine {
namespace {

// Checks the shape of a test file, so that a key that nothing reads cannot make a test pass.
class TestFile {
 public:
  TestFile(const source::Document& document, source::Diagnostics& diagnostics)
      : fields_(document, diagnostics) {}

  void Check() {
    const json::Value root = fields_.document().root();
    if (!fields_.IsMapping(root, "a test file", {"seed", "bindings", "tests"}, {"tests"})) return;
    CheckSetUp(root);
    if (!fields_.IsSequence(root.Find("tests"), "`tests`")) return;
    if (root.Find("tests").size() == 0) {
      fields_.Error(root.Find("tests"), kValueCode, "`tests` without a test");
    }
    for (json::Value test : root.Find("tests").items()) CheckTest(test);
  }

 private:
  void CheckSetUp(json::Value value) {
    const json::Value seed = value.Find("seed"), bindings = value.Find("bindings");
    if (seed.exists()) fields_.IsText(seed, "`seed`");
    if (bindings.exists()) fields_.IsObject(bindings, "`bindings`");
  }

  void CheckTest(json::Value test) {
    if (!fields_.IsMapping(test, "a test", {"name", "seed", "bindings", "calls", "unchanged"},
                           {"name", "calls"})) {
      return;
    }
    CheckSetUp(test);
    fields_.IsText(test.Find("name"), "`name`");
    if (const json::Value unchanged = test.Find("unchanged"); unchanged.exists()) {
      if (fields_.IsSequence(unchanged, "`unchanged`")) {
        for (json::Value table : unchanged.items()) fields_.IsText(table, "a table's name");
      }
    }
    if (!fields_.IsSequence(test.Find("calls"), "`calls`")) return;
    if (test.Find("calls").size() == 0) {
      fields_.Error(test.Find("calls"), kValueCode, "a test without a call tests nothing");
    }
    for (json::Value call : test.Find("calls").items()) CheckTestCall(call, fields_);
  }

  Fields fields_;
};

json::Document CopyOf(json::Value value) {
  json::Builder builder;
  builder.Copy(value);
  return std::move(builder).Build().value_or(json::Document());
}

// What went wrong in `test`, or "".
std::string RunTest(std::shared_ptr<const Stub> stub, json::Value file, json::Value test) {
  const json::Value bindings =
      test.Find("bindings").exists() ? test.Find("bindings") : file.Find("bindings");
  const absl::string_view seed = test.StringOr("seed", file.StringOr("seed", "test"));
  const StateOptions options{std::string(seed), "test", CopyOf(bindings)};
  absl::StatusOr<std::unique_ptr<State>> state = State::Create(stub, options);
  const absl::StatusOr<std::unique_ptr<State>> fresh = State::Create(stub, options);
  if (!state.ok()) return std::string(state.status().message());
  uint64_t number = 0;
  for (json::Value call : test.Find("calls").items()) {
    const std::string problem = RunTestCall(++number, call, **state);
    if (!problem.empty()) {
      return absl::StrCat("call ", number, ", ", call.StringOr("tool", ""), ": ", problem);
    }
  }
  for (json::Value table : test.Find("unchanged").items()) {
    const absl::StatusOr<json::Document> after = (*state)->Table(table.string());
    if (!after.ok()) return std::string(after.status().message());
    const absl::StatusOr<json::Document> before = (*fresh)->Table(table.string());
    if (!json::Equal(before->root(), after->root())) {
      return absl::StrCat("table `", table.string(), "` was changed");
    }
  }
  return "";
}

void RunFile(std::shared_ptr<const Stub> stub, const std::string& path, const std::string& name,
             const base::Clock& clock, std::vector<TestResult>& results) {
  source::Diagnostics diagnostics;
  std::shared_ptr<const source::File> file = source::ReadSource(path, diagnostics);
  std::optional<source::Document> document;
  if (file != nullptr) document = source::ParseYaml(std::move(file), diagnostics);
  if (document) TestFile(*document, diagnostics).Check();
  if (!document || source::HasErrors(diagnostics)) {
    results.push_back({name, false, source::RenderText(diagnostics)});
    return;
  }
  for (json::Value test : document->root().Find("tests").items()) {
    const absl::Time begun = clock.Now();
    std::string problem = RunTest(stub, document->root(), test);
    results.push_back({absl::StrCat(name, ": ", base::Escape(test.StringOr("name", ""))),
                       problem.empty(), std::move(problem), clock.Now() - begun});
  }
}

}  // namespace

std::vector<TestResult> RunTests(const std::string& folder, const base::Clock& clock) {
  absl::StatusOr<StubFiles> files = ReadStubFiles(folder);
  if (!files.ok()) return {{"stub.yaml", false, std::string(files.status().message())}};
  source::Diagnostics diagnostics;
  const std::shared_ptr<const Stub> stub = Stub::Load(*std::move(files), diagnostics);
  if (stub == nullptr) return {{"stub.yaml", false, source::RenderText(diagnostics)}};
  const absl::StatusOr<std::vector<std::string>> paths = base::ListFiles(folder);
  if (!paths.ok()) return {{"tests", false, std::string(paths.status().message())}};
  std::vector<TestResult> results;
  for (const std::string& path : *paths) {
    if (absl::StartsWith(path, "tests/") && absl::EndsWith(path, ".yaml")) {
      RunFile(stub, absl::StrCat(folder, "/", path), path, clock, results);
    }
  }
  return results;
}

}  // namespace tipstaff::engine
