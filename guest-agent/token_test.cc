#include "guest-agent/token.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mediator/base/file.h"
#include "mediator/base/testing/temp_folder.h"

namespace tipstaff::guest_agent {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(Token, IsReadWithoutSpaceAroundIt) {
  base::TempFolder folder;
  ASSERT_TRUE(base::WriteFile(folder.Path("t"), " \nabc.DEF-1.x_y\r\n").ok());
  EXPECT_EQ(ReadToken(folder.Path("t")).value(), "abc.DEF-1.x_y");
}

TEST(Token, SaysWhatIsWrongAndNeverTheToken) {
  struct Case {
    const char* reason;
    std::string content;
    absl::StatusCode code;
    const char* message;
  };
  const Case kCases[] = {
      {"a variable", "${SECRET_TOKEN}", absl::StatusCode::kInvalidArgument, "was not expanded"},
      {"a variable after space", "\n ${SECRET_TOKEN}", absl::StatusCode::kInvalidArgument,
       "was not expanded"},
      {"empty", " \n", absl::StatusCode::kInvalidArgument, "is empty"},
      {"two words", "SECRET SECRET", absl::StatusCode::kInvalidArgument, "white space"},
      {"control character", "SECRET\x01", absl::StatusCode::kInvalidArgument, "white space"},
      {"not ASCII", "SECRET\xc3\xa9", absl::StatusCode::kInvalidArgument, "white space"},
      {"large", std::string(20000, 'S'), absl::StatusCode::kFailedPrecondition, "larger than"},
  };
  base::TempFolder folder;
  for (const Case& c : kCases) {
    ASSERT_TRUE(base::WriteFile(folder.Path("t"), c.content).ok());
    const absl::Status status = ReadToken(folder.Path("t")).status();
    EXPECT_EQ(status.code(), c.code) << c.reason << ": " << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr(c.message)) << c.reason;
    EXPECT_THAT(std::string(status.message()), HasSubstr(folder.Path("t"))) << c.reason;
    EXPECT_THAT(std::string(status.message()), Not(HasSubstr("SECRET"))) << c.reason;
  }
  const absl::Status none = ReadToken(folder.Path("none")).status();
  EXPECT_EQ(none.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(none.message()), HasSubstr("--token-file"));
}

}  // namespace
}  // namespace tipstaff::guest_agent
