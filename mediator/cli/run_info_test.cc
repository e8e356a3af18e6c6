#include "mediator/cli/run_info.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mediator/json/write.h"
#include "tipstaff/admin/v1/admin.pb.h"

namespace tipstaff::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

admin::v1::RunInfo Info(const std::string& access, const std::string& result) {
  admin::v1::RunInfo info;
  info.set_run("run_abcdefghijkl");
  info.set_access(access);
  info.set_result(result);
  info.add_may_still_act(3);
  return info;
}
std::string Json(const admin::v1::RunInfo& info) {
  json::Builder b;
  AddInfo(b, info);
  return json::Dump(std::move(b).Build()->root());
}

TEST(NextSteps, AreForWhatNothingWillComeOfByItself) {
  struct Row {
    const char* access;
    const char* result;
    std::vector<const char*> as;
  };
  for (const Row& row :
       {Row{"open", "none", {}}, Row{"read_only", "sealing", {}},
        Row{"read_only", "submitting", {}}, Row{"read_only", "accepted", {}},
        Row{"read_only", "refused", {}}, Row{"read_only", "held", {"over", "abandoned"}},
        Row{"read_only", "unknown", {"accepted", "refused"}}, Row{"closed", "held", {}},
        Row{"closed", "unknown", {}}}) {
    SCOPED_TRACE(row.result);
    const std::vector<NextStep> steps = NextSteps(Info(row.access, row.result));
    ASSERT_EQ(steps.size(), row.as.size());
    for (size_t i = 0; i < steps.size(); ++i) {
      EXPECT_EQ(steps[i].command, std::string("tipstaff run resolve run_abcdefghijkl --as ") +
                                      row.as[i] + " --why TEXT");
    }
  }
}

TEST(RunInfo, HasTheWritesThatMayStillAct) {
  EXPECT_THAT(Json(Info("read_only", "held")),
              AllOf(HasSubstr(R"("may_still_act":["run_abcdefghijkl#3"])"),
                    HasSubstr("--as over --why TEXT")));
  EXPECT_THAT(Json(Info("read_only", "accepted")), HasSubstr(R"("next":[])"));
  testing::internal::CaptureStdout();
  PrintInfo({}, Info("read_only", "held"));
  EXPECT_THAT(testing::internal::GetCapturedStdout(),
              AllOf(HasSubstr("result      held"), HasSubstr("may act     run_abcdefghijkl#3"),
                    HasSubstr("--as abandoned"), Not(HasSubstr("--as accepted"))));
}

}  // namespace
}  // namespace tipstaff::cli
