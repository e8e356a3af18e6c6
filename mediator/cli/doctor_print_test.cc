#include "mediator/cli/doctor_print.h"

#include <gtest/gtest.h>

#include "mediator/json/write.h"

namespace tipstaff::cli {
namespace {

using doctor::Finding;
using doctor::Level;

const std::vector<Finding> kFindings = {
    {"socket", Level::kOk, "it listens", ""},
    {"token", Level::kProblem, "it is gone", "open a run"},
    {"disk", Level::kNotChecked, "no idea", ""},
};

TEST(DoctorPrintTest, Text) {
  EXPECT_EQ(FindingsText(kFindings),
            "ok           socket          it listens\n"
            "problem      token           it is gone\n"
            "                             -> open a run\n"
            "not checked  disk            no idea\n"
            "\n1 problem, 0 warnings, 1 not checked\n");
}

TEST(DoctorPrintTest, Json) {
  const absl::StatusOr<json::Document> document = FindingsJson(kFindings).Build();
  ASSERT_TRUE(document.ok()) << document.status();
  EXPECT_EQ(json::Dump(document->root()),
            R"({"findings":[{"check":"socket","level":"ok","what":"it listens"},)"
            R"({"check":"token","level":"problem","what":"it is gone","fix":"open a run"},)"
            R"({"check":"disk","level":"not_checked","what":"no idea"}],)"
            R"("problems":1,"warnings":0})");
}

}  // namespace
}  // namespace tipstaff::cli
