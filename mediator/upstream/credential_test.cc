#include "mediator/upstream/credential.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <fstream>

#include "mediator/base/testing/temp_folder.h"

namespace tipstaff::upstream {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(ReadSecret, FromAVariableOrAFile) {
  ::setenv("TIPSTAFF_TEST_SECRET", "abc def", 1);
  const auto from_variable = ReadSecret({"T", "Bearer {}", {"TIPSTAFF_TEST_SECRET", ""}});
  ASSERT_TRUE(from_variable.ok()) << from_variable.status();
  EXPECT_EQ(from_variable->value, "Bearer abc def");
  base::TempFolder folder;
  const std::string path = folder.Path("token");
  std::ofstream(path) << "from a file\r\n";
  ::chmod(path.c_str(), 0600);
  EXPECT_EQ(ReadSecret({"T", "{}", {"", path}})->value, "from a file");
}

TEST(ReadSecret, SaysWhatIsWrongAndNeverTheSecret) {
  base::TempFolder folder;
  const auto file = [&](const char* name, const std::string& text, mode_t mode) {
    std::ofstream(folder.Path(name)) << text;
    ::chmod(folder.Path(name).c_str(), mode);
    return config::SecretSource{"", folder.Path(name)};
  };
  ::unsetenv("TIPSTAFF_TEST_SECRET");
  const struct {
    config::SecretSource from;
    const char* says;
  } kRows[] = {
      {{"TIPSTAFF_TEST_SECRET", ""}, "`TIPSTAFF_TEST_SECRET` is not set"},
      {{"", folder.Path("absent")}, "absent"},
      {file("open", "hunter2hunter2", 0644), "chmod 600"},
      {file("empty", "\n", 0600), "empty` is empty"},
      {file("lines", "hunter2hunter2\nX-Evil: 1", 0600), "control character"},
  };
  for (const auto& row : kRows) {
    const absl::Status status = ReadSecret({"T", "{}", row.from}).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition) << row.says;
    EXPECT_THAT(std::string(status.message()), HasSubstr(row.says));
    EXPECT_THAT(std::string(status.message()), Not(HasSubstr("hunter2")));
  }
}

}  // namespace
}  // namespace tipstaff::upstream
