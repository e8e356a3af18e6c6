#include "stubs/engine/stub_sources.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "stubs/engine/codes.h"
#include "stubs/engine/csv_file.h"
#include "stubs/engine/json_file.h"

namespace tipstaff::engine {

std::shared_ptr<const source::File> StubSources::Find(const std::string& path) {
  const auto found = files_.files.find(path);
  if (found == files_.files.end()) return nullptr;
  used_.insert(path);
  const std::string shown = files_.folder.empty() ? path : absl::StrCat(files_.folder, "/", path);
  return std::make_shared<const source::File>(source::File{shown, found->second});
}

std::shared_ptr<const source::File> StubSources::Open(json::Value at, Fields& fields) {
  const std::string path(at.string());
  if (std::shared_ptr<const source::File> file = Find(path)) return file;
  std::vector<std::string> names;
  for (const auto& [name, content] : files_.files) names.push_back(name);
  std::string label = Suggest(path, names);
  if (label.empty())
    label = "expected *.lua, schema/*, fixtures/* or replies/* in the stub's folder";
  fields.Error(at, kFileCode, absl::StrCat("no file `", base::Escape(path), "`"), label);
  return nullptr;
}

const source::Document* StubSources::Parse(json::Value at, Fields& fields) {
  std::shared_ptr<const source::File> file = Open(at, fields);
  return file == nullptr ? nullptr : Parse(std::move(file));
}

const source::Document* StubSources::Parse(std::shared_ptr<const source::File> file) {
  const auto found = parsed_.find(file->path);
  if (found != parsed_.end()) return found->second.get();
  const std::string path = file->path;
  std::optional<source::Document> document = absl::EndsWith(path, ".json")
                                                 ? ParseJsonFile(std::move(file), diagnostics_)
                                                 : source::ParseYaml(std::move(file), diagnostics_);
  auto& slot = parsed_[path];
  if (document) slot = std::make_unique<source::Document>(*std::move(document));
  return slot.get();
}

const source::Document* StubSources::ParseRows(json::Value at, const Columns* columns,
                                               Fields& fields) {
  const absl::string_view path = at.string();
  if (absl::EndsWith(path, ".csv")) {
    std::shared_ptr<const source::File> file = Open(at, fields);
    if (file == nullptr) return nullptr;
    std::optional<source::Document> rows = ParseCsvFile(std::move(file), columns, diagnostics_);
    if (!rows) return nullptr;
    return rows_.emplace_back(std::make_unique<source::Document>(*std::move(rows))).get();
  }
  for (const absl::string_view ending : {".yaml", ".yml", ".json"}) {
    if (absl::EndsWith(path, ending)) return Parse(at, fields);
  }
  if (Open(at, fields) != nullptr) {
    fields.Error(at, kFileCode, "a fixture of another kind",
                 "its name ends in .yaml, .yml, .json or .csv");
  }
  return nullptr;
}

void StubSources::WarnOfUnused() {
  for (const auto& [path, content] : files_.files) {
    if (used_.contains(path)) continue;
    source::Diagnostic diagnostic;
    diagnostic.code = kUnusedCode;
    diagnostic.severity = source::Severity::kWarning;
    diagnostic.message = absl::StrCat("nothing in stub.yaml names `", base::Escape(path), "`");
    diagnostic.file = Find(path);
    diagnostics_.push_back(std::move(diagnostic));
  }
}

}  // namespace tipstaff::engine
