// The validators that are compared. Each checks every value of the corpus, again and again.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "tests/bench/schema_corpus.h"

namespace tipstaff::bench {

class SchemaArm {
 public:
  virtual ~SchemaArm() = default;
  virtual std::string name() const = 0;
  // Nanoseconds for one value, over at least `time`; an error where it says of a value other than
  // the corpus does.
  virtual absl::StatusOr<double> Measure(absl::Duration time) = 0;
};

// All must not outlive `cases`. The last one takes Node.js and ajv from `ajv_folder`.
std::unique_ptr<SchemaArm> TipstaffArm(const std::vector<SchemaCase>& cases);
std::unique_ptr<SchemaArm> ValijsonArm(const std::vector<SchemaCase>& cases);
std::unique_ptr<SchemaArm> AjvArm(const std::vector<SchemaCase>& cases, std::string ajv_folder,
                                  std::string script);

}  // namespace tipstaff::bench
