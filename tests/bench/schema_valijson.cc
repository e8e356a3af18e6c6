// Apart, as its headers are heavy.
#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "tests/bench/schema_arms.h"

namespace tipstaff::bench {
namespace {

using Adapter = valijson::adapters::NlohmannJsonAdapter;

class Valijson final : public SchemaArm {
 public:
  explicit Valijson(const std::vector<SchemaCase>& cases) : cases_(cases) {
    for (const SchemaCase& one : cases) {
      auto schema = std::make_unique<valijson::Schema>();
      documents_.push_back(nlohmann::json::parse(one.text));
      valijson::SchemaParser().populateSchema(Adapter(documents_.back()), *schema);
      schemas_.push_back(std::move(schema));
      std::vector<nlohmann::json> values;
      for (const Sample& sample : one.samples) values.push_back(nlohmann::json::parse(sample.text));
      count_ += values.size();
      values_.push_back(std::move(values));
    }
  }
  std::string name() const override { return "valijson"; }
  absl::StatusOr<double> Measure(absl::Duration time) override {
    size_t rounds = 0;
    const absl::Time start = absl::Now();
    do {
      for (size_t i = 0; i < schemas_.size(); ++i) {
        for (size_t j = 0; j < values_[i].size(); ++j) {
          const bool valid = validator_.validate(*schemas_[i], Adapter(values_[i][j]), nullptr);
          if (valid == cases_[i].samples[j].valid) continue;
          return absl::InternalError(
              absl::StrCat("valijson and the corpus do not agree on a value of `", cases_[i].name,
                           "`: ", cases_[i].samples[j].text.substr(0, 200)));
        }
      }
      ++rounds;
    } while (absl::Now() - start < time);
    return absl::ToDoubleNanoseconds(absl::Now() - start) / rounds / count_;
  }

 private:
  const std::vector<SchemaCase>& cases_;
  std::vector<nlohmann::json> documents_;
  std::vector<std::unique_ptr<valijson::Schema>> schemas_;
  std::vector<std::vector<nlohmann::json>> values_;
  valijson::Validator validator_;
  size_t count_ = 0;
};

}  // namespace

std::unique_ptr<SchemaArm> ValijsonArm(const std::vector<SchemaCase>& cases) {
  return std::make_unique<Valijson>(cases);
}

}  // namespace tipstaff::bench
