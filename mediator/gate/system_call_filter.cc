#include "mediator/gate/system_call_filter.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <vector>

#include "absl/strings/str_cat.h"
#include "mediator/base/file.h"

namespace tipstaff::gate {
namespace {

#if defined(__x86_64__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
constexpr uint32_t kArchitecture = 0;
#endif

// What glibc, gRPC 1.51 and this program call while they serve, and what newer ones may.
constexpr int kAllowed[] = {
    SYS_accept4,
    SYS_brk,
    SYS_clock_getres,
    SYS_clock_gettime,
    SYS_clock_nanosleep,
    SYS_close,
    SYS_dup,
    SYS_epoll_create1,
    SYS_epoll_ctl,
    SYS_epoll_pwait,
    SYS_eventfd2,
    SYS_exit,
    SYS_exit_group,
    SYS_fcntl,
    SYS_fstat,
    SYS_futex,
    SYS_getcpu,
    SYS_getpeername,
    SYS_getpid,
    SYS_getrandom,
    SYS_getrusage,
    SYS_getsockname,
    SYS_getsockopt,
    SYS_gettid,
    SYS_gettimeofday,
    SYS_lseek,
    SYS_madvise,
    SYS_membarrier,
    SYS_mremap,
    SYS_munmap,
    SYS_nanosleep,
    SYS_newfstatat,
    SYS_pipe2,
    SYS_ppoll,
    SYS_pread64,
    SYS_read,
    SYS_readv,
    SYS_recvfrom,
    SYS_recvmsg,
    SYS_restart_syscall,
    SYS_rseq,
    SYS_rt_sigaction,
    SYS_rt_sigprocmask,
    SYS_rt_sigreturn,
    SYS_sched_get_priority_max,
    SYS_sched_get_priority_min,
    SYS_sched_getaffinity,
    SYS_sched_getparam,
    SYS_sched_getscheduler,
    SYS_sched_yield,
    SYS_sendmsg,
    SYS_sendto,
    SYS_set_robust_list,
    SYS_setsockopt,
    SYS_shutdown,
    SYS_sigaltstack,
    SYS_sysinfo,
    SYS_tgkill,
    SYS_timerfd_create,
    SYS_timerfd_settime,
    SYS_uname,
    SYS_write,
    SYS_writev,
#ifdef __x86_64__
    // Older calls that the 64-bit Arm kernel never had.
    SYS_arch_prctl,
    SYS_epoll_wait,
    SYS_poll,
    SYS_time,
#endif
};

constexpr int kNoSuchFile[] = {
    SYS_openat, SYS_openat2, SYS_readlinkat, SYS_faccessat, SYS_faccessat2, SYS_statx,
#ifdef __x86_64__
    SYS_open,   SYS_access,  SYS_readlink,   SYS_stat,
#endif
};

class Program {
 public:
  Program() {
    Load(offsetof(seccomp_data, arch));
    Add(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1, 0);
    Return(SECCOMP_RET_KILL_PROCESS);
    Load(offsetof(seccomp_data, nr));
  }

  void Allow(int call) { Answer(call, SECCOMP_RET_ALLOW); }
  void Fail(int call, int error) { Answer(call, SECCOMP_RET_ERRNO | error); }
  // Allows `call` when argument `index` has none (`wanted` 0) or all of `bits`; else `otherwise`.
  void AllowIf(int call, int index, uint32_t bits, uint32_t wanted, uint32_t otherwise) {
    Add(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 5);
    // The low half of the argument: both processors are little-endian.
    Load(offsetof(seccomp_data, args) + 8 * index);
    Add(BPF_ALU | BPF_AND | BPF_K, bits, 0, 0);
    Add(BPF_JMP | BPF_JEQ | BPF_K, wanted, 0, 1);
    Return(SECCOMP_RET_ALLOW);
    Return(otherwise);
  }
  void Kill() { Return(SECCOMP_RET_KILL_PROCESS); }

  sock_fprog program() { return {static_cast<unsigned short>(steps_.size()), steps_.data()}; }

 private:
  void Answer(int call, uint32_t result) {
    Add(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1);
    Return(result);
  }
  void Load(size_t offset) { Add(BPF_LD | BPF_W | BPF_ABS, static_cast<uint32_t>(offset), 0, 0); }
  void Return(uint32_t result) { Add(BPF_RET | BPF_K, result, 0, 0); }
  void Add(int code, uint32_t value, uint8_t if_true, uint8_t if_false) {
    steps_.push_back({static_cast<uint16_t>(code), if_true, if_false, value});
  }

  std::vector<sock_filter> steps_;
};

}  // namespace

absl::Status FilterSystemCalls() {
  if (kArchitecture == 0) {
    return absl::UnimplementedError("there is no system call filter for this processor");
  }
  Program filter;
  for (const int call : kAllowed) filter.Allow(call);
  for (const int call : kNoSuchFile) filter.Fail(call, EACCES);
  filter.Fail(SYS_clone3, ENOSYS);  // its flags are behind a pointer, where a filter cannot look
  filter.Fail(SYS_ioctl, ENOTTY);
  filter.AllowIf(SYS_clone, 0, CLONE_THREAD, CLONE_THREAD, SECCOMP_RET_KILL_PROCESS);
  filter.AllowIf(SYS_mmap, 2, PROT_EXEC, 0, SECCOMP_RET_ERRNO | EPERM);
  filter.AllowIf(SYS_mprotect, 2, PROT_EXEC, 0, SECCOMP_RET_ERRNO | EPERM);
  filter.AllowIf(SYS_prctl, 0, UINT32_MAX, PR_SET_NAME, SECCOMP_RET_ERRNO | EPERM);
  filter.Kill();
  sock_fprog program = filter.program();
  const long result =
      ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
  if (result == 0) return absl::OkStatus();
  if (result > 0) return absl::InternalError("a thread does not take the system call filter");
  return base::ErrnoToStatus(errno, "cannot filter system calls");
}

}  // namespace tipstaff::gate
