// The files of a stub while it is loaded.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "mediator/source/document.h"
#include "stubs/engine/columns.h"
#include "stubs/engine/fields.h"
#include "stubs/engine/stub.h"

namespace tipstaff::engine {

// Keeps parsed documents for as long as it lives, so that values stay valid. `files` and
// `diagnostics` must outlive it.
class StubSources {
 public:
  StubSources(const StubFiles& files, source::Diagnostics& diagnostics)
      : files_(files), diagnostics_(diagnostics) {}

  // The file as diagnostics show it, or null when there is none of that path. It counts as used.
  std::shared_ptr<const source::File> Find(const std::string& path);
  // The file that a value names (`at` must be text); null after adding an error.
  std::shared_ptr<const source::File> Open(json::Value at, Fields& fields);
  // Its content, as JSON where its name ends in .json and else as YAML; null after adding an error.
  const source::Document* Parse(json::Value at, Fields& fields);
  const source::Document* Parse(std::shared_ptr<const source::File> file);
  // The rows of a fixture, by the file's ending: YAML, JSON or CSV, whose cells are what `columns`
  // (may be null) says. Null after adding an error.
  const source::Document* ParseRows(json::Value at, const Columns* columns, Fields& fields);

  // A warning for each file that was not used.
  void WarnOfUnused();

  source::Diagnostics& diagnostics() { return diagnostics_; }

 private:
  const StubFiles& files_;
  source::Diagnostics& diagnostics_;
  std::set<std::string> used_;
  std::map<std::string, std::unique_ptr<source::Document>> parsed_;  // by the file's shown path
  std::vector<std::unique_ptr<source::Document>> rows_;              // of CSV files
};

}  // namespace tipstaff::engine
