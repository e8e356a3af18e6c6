#include "mediator/confine/can_confine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "mediator/base/file.h"
#include "mediator/base/testing/temp_folder.h"

namespace tipstaff::confine {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(TryBubblewrap, SaysWhatToInstall) {
  base::TempFolder folder;
  const absl::Status status = TryBubblewrap(folder.Path("bwrap"));
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(status.message()), HasSubstr("apt-get install bubblewrap"));
}

TEST(TryBubblewrap, PassesOnWhyItCannotWork) {
  base::TempFolder folder;
  const std::string script = folder.Path("bwrap");
  ASSERT_TRUE(
      base::WriteFile(script,
                      "#!/bin/sh\nprintf 'bwrap: no \\033[1mpermission\\nmore' >&2\nexit 1\n", 0755)
          .ok());
  const absl::Status status = TryBubblewrap(script);
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()), HasSubstr("(bwrap: no \\x1b[1mpermission)"));
  EXPECT_THAT(std::string(status.message()), HasSubstr("user namespaces"));
  EXPECT_THAT(std::string(status.message()), Not(HasSubstr("more"))) << "one line";
}

TEST(TryBubblewrap, IsContentWithOneThatWorks) {
  base::TempFolder folder;
  const std::string script = folder.Path("bwrap");
  // It has to get the options, and be asked for a program.
  ASSERT_TRUE(base::WriteFile(script,
                              "#!/bin/sh\n[ \"$1 $2 $3 $4\" = '--args 3 -- /bin/true' ] || exit 1\n"
                              "grep -q -- --unshare-user <&3\n",
                              0755)
                  .ok());
  EXPECT_TRUE(TryBubblewrap(script).ok()) << TryBubblewrap(script);
}

TEST(CanConfine, AnswersTheSameEachTime) { EXPECT_EQ(CanConfine(), CanConfine()); }

}  // namespace
}  // namespace tipstaff::confine
