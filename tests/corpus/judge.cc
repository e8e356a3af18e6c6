#include "tests/corpus/judge.h"

#include <algorithm>
#include <stdexcept>

#include "absl/strings/str_cat.h"
#include "mediator/backend/catalog.h"
#include "mediator/base/file.h"
#include "mediator/base/testing/temp_folder.h"
#include "mediator/config/config.h"
#include "mediator/json/parse.h"
#include "mediator/policy/skill.h"
#include "stubs/engine/stub.h"

namespace tipstaff::corpus {
namespace {

constexpr const char* kSchemas[] = {"skill", "stub", "config"};

template <typename T>
T Must(absl::StatusOr<T> value) {
  if (!value.ok()) throw std::runtime_error(value.status().ToString());
  return *std::move(value);
}

// The stubs that are shipped, and the one of the end-to-end tests; beside them a backend with a
// resource and a prompt.
class Backends final : public policy::Catalog {
 public:
  absl::StatusOr<std::vector<call::Tool>> ToolsOf(
      const policy::BackendRef& backend) const override {
    if (backend.kind == policy::BackendRef::Kind::kStub) return stubs_.ToolsOf(backend);
    if (backend.name != "docs") return absl::NotFoundError("there is no such upstream");
    return std::vector<call::Tool>{
        {.name = "page", .kind = call::Kind::kResource, .effect = call::Effect::kRead},
        {.name = "guide", .kind = call::Kind::kPrompt, .effect = call::Effect::kRead},
        {.name = "guide", .kind = call::Kind::kCompletion, .effect = call::Effect::kRead}};
  }
  std::vector<std::string> NamesOf(policy::BackendRef::Kind kind) const override {
    if (kind == policy::BackendRef::Kind::kStub) return stubs_.NamesOf(kind);
    return {"docs"};
  }

 private:
  const backend::Catalog stubs_{
      [](const std::string& name) {
        const char* below = name == "slow" ? "/tests/e2e/stubs/" : "/stubs/";
        return engine::ReadStubFiles(absl::StrCat(TIPSTAFF_SOURCE_DIR, below, name));
      },
      {"mailbox", "reports", "slow", "tickets"}};
};

const Backends& Known() {
  static const auto* catalog = new Backends();
  return *catalog;
}

}  // namespace

Judge::Judge(Kind kind) : kind_(kind) {
  const std::string text = Must(base::ReadFile(absl::StrCat(
      TIPSTAFF_SOURCE_DIR, "/schemas/json/", kSchemas[static_cast<int>(kind)], ".schema.json")));
  schema_ = Must(schema::Program::Compile(Must(json::Parse(text)).root(), schema::Dialect::kTool));
  if (!schema_->unchecked().empty()) throw std::runtime_error(schema_->unchecked()[0]);
}

source::Diagnostics Judge::Load(const std::string& text, const std::string& folder) const {
  source::Diagnostics found;
  if (kind_ == Kind::kSkill) {
    policy::LoadSkill(std::make_shared<source::File>(source::File{"skill.yaml", text}), Known(),
                      found);
  } else if (kind_ == Kind::kStub) {
    engine::StubFiles files = Must(engine::ReadStubFiles(folder));
    files.files["stub.yaml"] = text;
    engine::Stub::Load(std::move(files), found);
  } else {
    const base::TempFolder temp;
    const absl::Status written = base::WriteFile(temp.Path("tipstaff.yaml"), text);
    if (!written.ok()) throw std::runtime_error(written.ToString());
    config::Load(temp.Path("tipstaff.yaml"), found);
  }
  found.erase(std::remove_if(found.begin(), found.end(),
                             [](const source::Diagnostic& one) {
                               return one.severity != source::Severity::kError;
                             }),
              found.end());
  return found;
}

Verdicts Judge::Of(const std::string& text, const std::string& folder) const {
  Verdicts verdicts;
  source::Diagnostics syntax;
  const auto document =
      source::ParseYaml(std::make_shared<source::File>(source::File{"file.yaml", text}), syntax);
  verdicts.is_yaml = document.has_value();
  if (!verdicts.is_yaml) return verdicts;
  verdicts.failure = schema_->Check(document->root());
  verdicts.errors = Load(text, folder);
  return verdicts;
}

}  // namespace tipstaff::corpus
