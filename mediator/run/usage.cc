#include "mediator/run/usage.h"

namespace tipstaff::run {

template <typename Change>
void Usage::Apply(int permission, Change change) {
  change(facts_.run);
  if (permission >= 0) change(facts_.by_permission[permission]);
}

void Usage::Allowed(int permission, size_t argument_bytes, absl::Time at) {
  Apply(permission, [&](policy::Use& use) {
    ++use.allowed;
    use.argument_bytes += argument_bytes;
    if (rate_) ++use.last_minute;
  });
  if (rate_) recent_.push_back({at, permission});
}

void Usage::Settled(int permission, bool ok, size_t result_bytes) {
  Apply(permission, [&](policy::Use& use) {
    if (ok) ++use.succeeded;
    use.result_bytes += result_bytes;
  });
}

void Usage::Advance(absl::Time now) {
  while (!recent_.empty() && recent_.front().at <= now - absl::Minutes(1)) {
    Apply(recent_.front().permission, [](policy::Use& use) { --use.last_minute; });
    recent_.pop_front();
  }
}

}  // namespace tipstaff::run
