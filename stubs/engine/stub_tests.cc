#include "stubs/engine/stub_tests.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "mediator/base/file.h"
#include "mediator/json/builder.h"
#include "mediator/source/document.h"
#include "mediator/source/read.h"
#include "stubs/engine/codes.h"
#include "stubs/engine/difference.h"
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
    if (!fields_.IsMapping(test, "a test",
                           {"name", "seed", "bindings", "calls", "unchanged", "captured"},
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
    CheckCaptured(test.Find("captured"));
    if (!fields_.IsSequence(test.Find("calls"), "`calls`")) return;
    if (test.Find("calls").size() == 0) {
      fields_.Error(test.Find("calls"), kValueCode, "a test without a call tests nothing");
    }
    for (json::Value call : test.Find("calls").items()) CheckTestCall(call, fields_);
  }

  void CheckCaptured(json::Value captured) {
    if (!captured.exists() || !fields_.IsObject(captured, "`captured`")) return;
    for (const json::Member& table : captured.members()) {
      fields_.IsSequence(table.value, absl::StrCat("`", base::Escape(table.key), "`"));
    }
  }

  Fields fields_;
};

json::Document CopyOf(json::Value value) {
  json::Builder builder;
  builder.Copy(value);
  return std::move(builder).Build().value_or(json::Document());
}

std::string CheckUnchanged(json::Value tables, const State& fresh, const State& state) {
  for (json::Value table : tables.items()) {
    const absl::StatusOr<json::Document> after = state.Table(table.string());
    if (!after.ok()) return std::string(after.status().message());
    const absl::StatusOr<json::Document> before = fresh.Table(table.string());
    if (!json::Equal(before->root(), after->root())) {
      return absl::StrCat("table `", table.string(), "` was changed");
    }
  }
  return "";
}

std::string CheckCaptured(json::Value tables, const State& state) {
  const std::vector<std::string> captured = state.CapturedTables();
  for (const json::Member& table : tables.members()) {
    const absl::StatusOr<json::Document> rows = state.Table(table.key);
    if (!rows.ok()) return std::string(rows.status().message());
    if (std::find(captured.begin(), captured.end(), table.key) == captured.end()) {
      return absl::StrCat("table `", table.key,
                          "` does not capture: give it `capture: true`, or look at `changes`");
    }
    if (const auto difference = FirstDifference(table.value, rows->root())) {
      return absl::StrCat("captured in `", table.key, "` differs at ", *difference);
    }
  }
  return "";
}

// The tests of one stub, one after the other.
class Runner {
 public:
  Runner(std::shared_ptr<const Stub> stub, absl::string_view only, const base::Clock& clock)
      : stub_(std::move(stub)), only_(only), clock_(clock), coverage_(stub_) {}

  // `name`: of the file, as results show it.
  void RunFile(const std::string& path, const std::string& name);
  TestRun Take() { return {std::move(results_), coverage_.parts()}; }
  void Refuse(const std::string& path, std::string why) {
    results_.push_back({base::Escape(path), false, std::move(why)});
  }

 private:
  // What went wrong in `test`, or "".
  std::string Run(json::Value file, json::Value test);
  std::string Call(uint64_t number, json::Value call, State& state);

  const std::shared_ptr<const Stub> stub_;
  const absl::string_view only_;
  const base::Clock& clock_;
  StubCoverage coverage_;
  std::vector<std::pair<std::string, Reply>> replies_;  // of the test that runs, by tool
  std::vector<TestResult> results_;
};

std::string Runner::Call(uint64_t number, json::Value call, State& state) {
  const std::string tool(call.StringOr("tool", ""));
  const std::string problem = RunTestCall(
      number, call, state, [&](const Reply& reply) { replies_.emplace_back(tool, reply); });
  return problem.empty() ? "" : absl::StrCat("call ", number, ", ", tool, ": ", problem);
}

std::string Runner::Run(json::Value file, json::Value test) {
  const json::Value bindings =
      test.Find("bindings").exists() ? test.Find("bindings") : file.Find("bindings");
  const absl::string_view seed = test.StringOr("seed", file.StringOr("seed", kTestSeed));
  const StateOptions options{std::string(seed), kTestBackend, CopyOf(bindings), true};
  absl::StatusOr<std::unique_ptr<State>> state = State::Create(stub_, options);
  const absl::StatusOr<std::unique_ptr<State>> fresh = State::Create(stub_, options);
  if (!state.ok()) return std::string(state.status().message());
  replies_.clear();
  uint64_t number = 0;
  for (json::Value call : test.Find("calls").items()) {
    std::string problem = Call(++number, call, **state);
    if (!problem.empty()) return problem;
  }
  std::string problem = CheckUnchanged(test.Find("unchanged"), **fresh, **state);
  if (problem.empty()) problem = CheckCaptured(test.Find("captured"), **state);
  if (problem.empty()) {
    for (const auto& [tool, reply] : replies_) coverage_.Add(tool, reply);
  }
  return problem;
}

void Runner::RunFile(const std::string& path, const std::string& name) {
  source::Diagnostics diagnostics;
  std::shared_ptr<const source::File> file = source::ReadSource(path, diagnostics);
  std::optional<source::Document> document;
  if (file != nullptr) document = source::ParseYaml(std::move(file), diagnostics);
  if (document) TestFile(*document, diagnostics).Check();
  if (!document || source::HasErrors(diagnostics)) {
    results_.push_back({name, false, source::RenderText(diagnostics)});
    return;
  }
  for (json::Value test : document->root().Find("tests").items()) {
    const std::string full = absl::StrCat(name, ": ", base::Escape(test.StringOr("name", "")));
    if (!absl::StrContains(full, only_)) continue;
    const absl::Time begun = clock_.Now();
    std::string problem = Run(document->root(), test);
    results_.push_back({full, problem.empty(), std::move(problem), clock_.Now() - begun});
  }
}

// What lies in tests/ and holds no tests, though somebody may think so: by path.
std::vector<std::string> NoTestFiles(const std::string& folder) {
  namespace fs = std::filesystem;
  std::vector<std::string> paths;
  std::error_code error;
  for (fs::recursive_directory_iterator it(folder + "/tests", error), end; !error && it != end;
       it.increment(error)) {
    const fs::path name = it->path().filename();
    const fs::file_type type = it->symlink_status(error).type();
    if (name.string().starts_with(".") || type == fs::file_type::directory) continue;
    if (type == fs::file_type::regular && name.extension() == ".yaml") continue;
    paths.push_back(it->path().lexically_relative(folder).string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

TestRun Failed(std::string name, std::string message) {
  return {{{std::move(name), false, std::move(message)}}, {}};
}

}  // namespace

TestRun RunTestsOf(const std::string& folder, absl::string_view only, const base::Clock& clock) {
  absl::StatusOr<StubFiles> files = ReadStubFiles(folder);
  if (!files.ok()) return Failed("stub.yaml", std::string(files.status().message()));
  source::Diagnostics diagnostics;
  const std::shared_ptr<const Stub> stub = Stub::Load(*std::move(files), diagnostics);
  if (stub == nullptr) return Failed("stub.yaml", source::RenderText(diagnostics));
  const absl::StatusOr<std::vector<std::string>> paths = base::ListFiles(folder);
  if (!paths.ok()) return Failed("tests", std::string(paths.status().message()));
  Runner runner(stub, only, clock);
  for (const std::string& path : NoTestFiles(folder)) {
    runner.Refuse(path, "no file of tests: those are regular files that end in .yaml");
  }
  for (const std::string& path : *paths) {
    if (absl::StartsWith(path, "tests/") && absl::EndsWith(path, ".yaml")) {
      runner.RunFile(absl::StrCat(folder, "/", path), path);
    }
  }
  return runner.Take();
}

std::vector<TestResult> RunTests(const std::string& folder, const base::Clock& clock) {
  return RunTestsOf(folder, "", clock).results;
}

}  // namespace tipstaff::engine
