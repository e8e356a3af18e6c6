#include "mediator/gate/confine.h"

#include <malloc.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include <cerrno>

#include "absl/strings/str_cat.h"
#include "mediator/base/file.h"
#include "mediator/base/status.h"
#include "mediator/gate/limits.h"
#include "mediator/gate/system_call_filter.h"

namespace tipstaff::gate {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

absl::Status SetLimit(int resource, const char* name, rlim_t value) {
  rlimit limit{};
  if (::getrlimit(static_cast<__rlimit_resource_t>(resource), &limit) == 0) {
    // Never more than what was left to us.
    if (limit.rlim_max != RLIM_INFINITY && limit.rlim_max < value) value = limit.rlim_max;
    limit.rlim_cur = limit.rlim_max = value;
    if (::setrlimit(static_cast<__rlimit_resource_t>(resource), &limit) == 0) {
      return absl::OkStatus();
    }
  }
  return base::ErrnoToStatus(errno, absl::StrCat("cannot limit ", name));
}

}  // namespace

bool ConfinesFully() { return !kSanitized; }

void KeepMemorySmall() {
  if (kSanitized) return;
  ::mallopt(M_ARENA_MAX, 2);
  pthread_attr_t attributes;
  if (::pthread_attr_init(&attributes) != 0) return;
  ::pthread_attr_setstacksize(&attributes, kThreadStackBytes);
  ::pthread_setattr_default_np(&attributes);
  ::pthread_attr_destroy(&attributes);
}

absl::Status Confine() {
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
    return base::ErrnoToStatus(errno, "cannot give up new privileges");
  }
  TIPSTAFF_RETURN_IF_ERROR(SetLimit(RLIMIT_CORE, "core dumps", 0));
  TIPSTAFF_RETURN_IF_ERROR(SetLimit(RLIMIT_NOFILE, "descriptors", kMaxDescriptors));
  if (kSanitized) return absl::OkStatus();
  TIPSTAFF_RETURN_IF_ERROR(SetLimit(RLIMIT_DATA, "memory", kMaxDataBytes));
  return FilterSystemCalls();
}

}  // namespace tipstaff::gate
