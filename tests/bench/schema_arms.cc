#include "tests/bench/schema_arms.h"

#include <filesystem>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "mediator/base/file.h"
#include "mediator/base/status.h"
#include "mediator/json/parse.h"
#include "mediator/schema/program.h"
#include "tests/bench/process.h"

namespace tipstaff::bench {
namespace {

constexpr int kRoundsAtOnce = 20;

absl::Status Disagrees(absl::string_view arm, const SchemaCase& one, const Sample& sample) {
  return absl::InternalError(absl::StrCat(arm, " and the corpus do not agree on a value of `",
                                          one.name, "`: ", sample.text.substr(0, 200)));
}

class Tipstaff final : public SchemaArm {
 public:
  explicit Tipstaff(const std::vector<SchemaCase>& cases) : cases_(cases) {
    for (const SchemaCase& one : cases) {
      programs_.push_back(
          schema::Program::Compile(one.schema.root(), schema::Dialect::kTool).value());
      values_ += one.samples.size();
    }
  }
  std::string name() const override { return "tipstaff"; }
  absl::StatusOr<double> Measure(absl::Duration time) override {
    size_t rounds = 0;
    const absl::Time start = absl::Now();
    do {
      for (int i = 0; i < kRoundsAtOnce; ++i) TIPSTAFF_RETURN_IF_ERROR(Once());
      rounds += kRoundsAtOnce;
    } while (absl::Now() - start < time);
    return absl::ToDoubleNanoseconds(absl::Now() - start) / rounds / values_;
  }

 private:
  absl::Status Once() {
    for (size_t i = 0; i < cases_.size(); ++i) {
      for (const Sample& sample : cases_[i].samples) {
        if (programs_[i].Accepts(sample.value.root()) != sample.valid) {
          return Disagrees(name(), cases_[i], sample);
        }
      }
    }
    return absl::OkStatus();
  }

  const std::vector<SchemaCase>& cases_;
  std::vector<schema::Program> programs_;
  size_t values_ = 0;
};

class Ajv final : public SchemaArm {
 public:
  Ajv(const std::vector<SchemaCase>& cases, std::string folder, std::string script)
      : cases_(cases), folder_(std::move(folder)), script_(std::move(script)) {}
  std::string name() const override { return "ajv"; }
  absl::StatusOr<double> Measure(absl::Duration time) override {
    const std::string corpus =
        (std::filesystem::temp_directory_path() / absl::StrCat("tipstaff-corpus-", ::getpid()))
            .string();
    TIPSTAFF_RETURN_IF_ERROR(base::WriteFile(corpus, ToJson(cases_)));
    const absl::StatusOr<std::string> output =
        OutputOf({"/usr/bin/env", "node", script_, std::filesystem::absolute(folder_).string(),
                  corpus, absl::StrCat(absl::ToInt64Milliseconds(time))});
    std::filesystem::remove(corpus);
    if (!output.ok()) return output.status();
    TIPSTAFF_ASSIGN_OR_RETURN(const json::Document report, json::Parse(*output));
    TIPSTAFF_RETURN_IF_ERROR(CheckVerdicts(report.root().Find("verdicts")));
    return report.root().Find("nanoseconds").number();
  }

 private:
  absl::Status CheckVerdicts(json::Value verdicts) const {
    for (size_t i = 0; i < cases_.size(); ++i) {
      for (size_t j = 0; j < cases_[i].samples.size(); ++j) {
        const Sample& sample = cases_[i].samples[j];
        if (verdicts.At(i).At(j).boolean() != sample.valid) {
          return Disagrees(name(), cases_[i], sample);
        }
      }
    }
    return absl::OkStatus();
  }

  const std::vector<SchemaCase>& cases_;
  const std::string folder_, script_;
};

}  // namespace

std::unique_ptr<SchemaArm> TipstaffArm(const std::vector<SchemaCase>& cases) {
  return std::make_unique<Tipstaff>(cases);
}

std::unique_ptr<SchemaArm> AjvArm(const std::vector<SchemaCase>& cases, std::string ajv_folder,
                                  std::string script) {
  return std::make_unique<Ajv>(cases, std::move(ajv_folder), std::move(script));
}

}  // namespace tipstaff::bench
