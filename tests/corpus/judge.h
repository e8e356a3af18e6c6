// What the loader and the JSON Schema for editors say of one file.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "mediator/schema/program.h"
#include "mediator/source/document.h"

namespace tipstaff::corpus {

enum class Kind { kSkill, kStub, kConfig };

struct Verdicts {
  bool is_yaml = false;        // in the strict subset; what is not has no other verdicts
  source::Diagnostics errors;  // of the loader
  std::optional<schema::Failure> failure;  // of the schema

  bool loads() const { return errors.empty(); }
  bool schema_accepts() const { return !failure.has_value(); }
};

class Judge {
 public:
  // Throws when the schema cannot be read, or has a part that cannot be checked.
  explicit Judge(Kind kind);

  // Of a stub, `folder` has the files beside stub.yaml.
  Verdicts Of(const std::string& text, const std::string& folder = "") const;

 private:
  source::Diagnostics Load(const std::string& text, const std::string& folder) const;

  const Kind kind_;
  std::optional<schema::Program> schema_;
};

}  // namespace tipstaff::corpus
