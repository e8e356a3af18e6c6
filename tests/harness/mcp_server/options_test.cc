#include "tests/harness/mcp_server/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tipstaff::mcp_server {
namespace {

using ::testing::HasSubstr;

TEST(ParseOptions, SetsWhatEachFlagSays) {
  const absl::StatusOr<Options> options =
      ParseOptions({"--generation", "legacy", "--paged", "3", "--http", "127.0.0.1:0", "--banner",
                    "--leave-child", "f", "--ask-roots"});
  ASSERT_TRUE(options.ok()) << options.status();
  EXPECT_EQ(options->generations, Generations::kLegacy);
  EXPECT_EQ(options->paged, 3u);
  EXPECT_EQ(options->http, "127.0.0.1:0");
  EXPECT_EQ(options->leave_child, "f");
  EXPECT_EQ(options->ask, "roots/list");
  EXPECT_TRUE(options->banner);
  EXPECT_FALSE(options->drift);
  EXPECT_EQ(ParseOptions({})->generations, Generations::kBoth);
}

TEST(ParseOptions, SaysWhatIsWrong) {
  const std::pair<std::vector<std::string>, const char*> kCases[] = {
      {{"--nonsense"}, "`--nonsense`: no such flag"},
      {{"--paged"}, "`--paged`: its argument is missing"},
      {{"--paged", "x"}, "`--paged x`: a number from 1 is due"},
      {{"--die-after", "0"}, "`--die-after 0`: a number from 1 is due"},
      {{"--generation", "old"}, "one of legacy, modern, both is due"},
      {{"--banner", "1"}, "`1`: no such flag"},
  };
  for (const auto& [arguments, message] : kCases) {
    const absl::Status status = ParseOptions(arguments).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << message;
    EXPECT_THAT(std::string(status.message()), HasSubstr(message));
  }
}

TEST(Usage, NamesTheFlags) {
  for (const char* flag : {"--generation", "--http", "--swap-answers", "--session-gone-after N"}) {
    EXPECT_THAT(Usage(), HasSubstr(flag));
  }
}

}  // namespace
}  // namespace tipstaff::mcp_server
