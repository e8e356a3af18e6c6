#include "guest-agent/retry.h"

#include <algorithm>

namespace tipstaff::guest_agent {
namespace {

constexpr absl::Duration kFirstWait = absl::Milliseconds(100);
constexpr absl::Duration kLongestWait = absl::Seconds(2);
// A session that the mediator forgot takes one new Hello; more than a few say that it is no use.
constexpr int kMaxRefusedSessions = 3;

}  // namespace

bool IsWorthAnotherTry(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kUnavailable:
    case absl::StatusCode::kUnauthenticated:    // the session is not known: say Hello again
    case absl::StatusCode::kResourceExhausted:  // too many calls in flight
    case absl::StatusCode::kDeadlineExceeded:   // a Hello or a list that nobody answered
    // What gRPC makes of a connection that broke at an unlucky moment:
    case absl::StatusCode::kCancelled:
    case absl::StatusCode::kAborted:
    case absl::StatusCode::kInternal:
    case absl::StatusCode::kUnknown:
      return true;
    default:
      return false;
  }
}

std::optional<absl::Duration> Retry::After(const absl::Status& status, bool went_well,
                                           absl::Time now) {
  if (!IsWorthAnotherTry(status)) return std::nullopt;
  if (went_well || !failing_since_) {
    failing_since_ = now;
    failures_ = 0;
  }
  refused_sessions_ =
      status.code() == absl::StatusCode::kUnauthenticated ? refused_sessions_ + 1 : 0;
  if (refused_sessions_ > kMaxRefusedSessions) return std::nullopt;
  const absl::Duration left = *failing_since_ + patience_ - now;
  if (left <= absl::ZeroDuration()) return std::nullopt;
  // The first time the connection may just have been closed for being idle: no wait.
  const int doublings = std::min(failures_ - 1, 10);
  const absl::Duration wait =
      failures_ == 0 ? absl::ZeroDuration() : std::min(kFirstWait * (1 << doublings), kLongestWait);
  ++failures_;
  return std::min(wait, left);
}

}  // namespace tipstaff::guest_agent
