// The short run: `./dev fuzz differential` goes on for longer.
#include <gtest/gtest.h>

#include "tests/differential/rounds.h"

namespace tipstaff::differential {
namespace {

TEST(Differential, TheMediatorDecidesAsTheReferenceDoes) {
  const Report report = RunAll({.seed = 20260501, .pairs = 30'000});
  for (const std::string& text : report.disagreements) ADD_FAILURE() << text;
  if (!report.disagreements.empty()) return;
  for (const std::string& text : report.coverage.Missing()) ADD_FAILURE() << text;
  // Random skills are of use only where calls pass as well as fail, and for one clear reason.
  EXPECT_GT(report.coverage.reasons.at(call::Reason::kPermitted), report.coverage.pairs / 10);
  EXPECT_LT(report.coverage.unclear, report.coverage.pairs / 50);
  EXPECT_GT(report.coverage.runs, report.coverage.refused_runs);
}

}  // namespace
}  // namespace tipstaff::differential
