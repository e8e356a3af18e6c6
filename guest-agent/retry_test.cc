#include "guest-agent/retry.h"

#include <gtest/gtest.h>

namespace tipstaff::guest_agent {
namespace {

const absl::Time kStart = absl::FromUnixSeconds(1'000'000);
const absl::Status kGone = absl::UnavailableError("gone");

TEST(Retry, JudgesByCode) {
  struct Case {
    absl::StatusCode code;
    bool again;
  };
  const Case kCases[] = {
      {absl::StatusCode::kUnavailable, true},       {absl::StatusCode::kUnauthenticated, true},
      {absl::StatusCode::kResourceExhausted, true}, {absl::StatusCode::kDeadlineExceeded, true},
      {absl::StatusCode::kCancelled, true},         {absl::StatusCode::kAborted, true},
      {absl::StatusCode::kInternal, true},          {absl::StatusCode::kUnknown, true},
      {absl::StatusCode::kPermissionDenied, false}, {absl::StatusCode::kInvalidArgument, false},
      {absl::StatusCode::kUnimplemented, false},    {absl::StatusCode::kFailedPrecondition, false},
      {absl::StatusCode::kNotFound, false},         {absl::StatusCode::kOutOfRange, false},
  };
  for (const Case& c : kCases) {
    Retry retry(kCallPatience);
    EXPECT_EQ(retry.After(absl::Status(c.code, ""), false, kStart).has_value(), c.again)
        << absl::StatusCodeToString(c.code);
  }
}

TEST(Retry, WaitsLongerEachTimeAndGivesUpInTime) {
  Retry retry(absl::Seconds(30));
  absl::Time now = kStart;
  std::vector<absl::Duration> waits;
  while (const std::optional<absl::Duration> wait = retry.After(kGone, false, now)) {
    waits.push_back(*wait);
    now += *wait;
    ASSERT_LT(waits.size(), 100u) << "gives up at some time";
  }
  EXPECT_EQ(now - kStart, absl::Seconds(30)) << "the last wait ends with the patience";
  ASSERT_GE(waits.size(), 8u);
  EXPECT_EQ(waits[0], absl::ZeroDuration()) << "an idle connection may just have been closed";
  EXPECT_EQ(waits[1], absl::Milliseconds(100));
  EXPECT_EQ(waits[2], absl::Milliseconds(200));
  EXPECT_EQ(waits[5], absl::Milliseconds(1600));
  EXPECT_EQ(waits[6], absl::Seconds(2));
  EXPECT_EQ(waits[7], absl::Seconds(2));
}

TEST(Retry, CountsOnlyFailuresInARow) {
  Retry retry(absl::Seconds(30));
  ASSERT_TRUE(retry.After(kGone, false, kStart).has_value());
  EXPECT_TRUE(retry.After(kGone, true, kStart + absl::Minutes(5)).has_value())
      << "it worked for five minutes in between";
  EXPECT_EQ(retry.After(kGone, false, kStart + absl::Minutes(5) + absl::Seconds(29)),
            absl::Milliseconds(100));
  EXPECT_FALSE(retry.After(kGone, false, kStart + absl::Minutes(5) + absl::Seconds(30)));
}

TEST(Retry, StopsWhereEverySessionIsRefused) {
  Retry retry(absl::Seconds(30));
  const absl::Status unknown = absl::UnauthenticatedError("session unknown");
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(retry.After(unknown, false, kStart).has_value()) << i;
  }
  EXPECT_FALSE(retry.After(unknown, false, kStart).has_value());
}

}  // namespace
}  // namespace tipstaff::guest_agent
