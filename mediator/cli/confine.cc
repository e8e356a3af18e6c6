#include "mediator/cli/confine.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "absl/strings/str_cat.h"

namespace tipstaff::cli {
namespace {

namespace fs = std::filesystem;

constexpr char kBubblewrap[] = "/usr/bin/bwrap";

bool IsInside(const fs::path& inner, const fs::path& outer) {
  const auto [at_outer, at_inner] =
      std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end());
  return at_outer == outer.end();
}

// Every link resolved; of a path that is not there yet, as far as it is.
fs::path Resolved(const std::string& path) {
  std::error_code error;
  // A relative path whose first part is missing would stay relative.
  const fs::path absolute = fs::absolute(path, error);
  const fs::path whole = fs::weakly_canonical(absolute, error);
  return error ? absolute.lexically_normal() : whole;
}

// Bubblewrap's options.
std::vector<std::string> Options(const Confinement& confinement) {
  std::vector<std::string> args = {"--unshare-user",
                                   "--unshare-ipc",
                                   "--unshare-pid",
                                   "--unshare-uts",
                                   "--unshare-cgroup-try",
                                   "--die-with-parent",
                                   "--new-session",
                                   "--cap-drop",
                                   "ALL",
                                   "--ro-bind",
                                   "/usr",
                                   "/usr",
                                   "--proc",
                                   "/proc",
                                   "--dev",
                                   "/dev",
                                   "--tmpfs",
                                   "/tmp",
                                   "--dir",
                                   "/home/agent"};
  const auto add = [&args](std::initializer_list<std::string> more) {
    args.insert(args.end(), more);
  };
  if (!confinement.network) add({"--unshare-net"});
  for (const char* name : {"bin", "sbin", "lib", "lib32", "lib64", "libx32"}) {
    if (fs::exists(fs::path("/usr") / name)) {
      add({"--symlink", absl::StrCat("usr/", name), absl::StrCat("/", name)});
    }
  }
  for (const char* path : {"/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d",
                           "/etc/alternatives", "/etc/ssl/certs", "/etc/ca-certificates"}) {
    add({"--ro-bind-try", path, path});
  }
  if (confinement.network) {
    for (const char* path : {"/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf"}) {
      add({"--ro-bind-try", path, path});
    }
  }
  add({"--bind", confinement.work_folder, "/work", "--chdir", "/work"});
  add({"--ro-bind", confinement.socket, kConfinedSocket});
  add({"--ro-bind", confinement.token_file, kConfinedToken});
  add({"--ro-bind", confinement.guest_program, "/run/tipstaff/bin/tipstaff-guest"});
  add({"--clearenv", "--setenv", "PATH", "/run/tipstaff/bin:/usr/local/bin:/usr/bin:/bin"});
  add({"--setenv", "HOME", "/home/agent", "--setenv", "LANG", "C.UTF-8"});
  add({"--setenv", "TIPSTAFF_SOCKET", kConfinedSocket});
  add({"--setenv", "TIPSTAFF_TOKEN_FILE", kConfinedToken});
  if (const char* terminal = std::getenv("TERM")) add({"--setenv", "TERM", terminal});
  return args;
}

}  // namespace

absl::Status CheckWorkFolder(const std::string& folder, const std::vector<std::string>& secrets) {
  std::error_code error;
  const fs::path whole = fs::canonical(folder, error);
  if (error || !fs::is_directory(whole)) {
    return absl::InvalidArgumentError(absl::StrCat("--work `", folder, "` is not a folder"));
  }
  for (const std::string& secret : secrets) {
    const fs::path path = Resolved(secret);
    if (IsInside(path, whole) || IsInside(whole, path)) {
      return absl::FailedPreconditionError(
          absl::StrCat("--work `", folder, "` would show `", secret,
                       "` to the command: choose a folder apart from it"));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckHidden(const std::vector<std::string>& secrets) {
  for (const std::string& secret : secrets) {
    if (IsInside(Resolved(secret), "/usr")) {
      return absl::FailedPreconditionError(
          absl::StrCat("the command would see `", secret,
                       "`, as it sees all of /usr: change its place in tipstaff.yaml"));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<Command> Confined(const Confinement& confinement,
                                 const std::vector<std::string>& command) {
  if (::access(kBubblewrap, X_OK) != 0) {
    return absl::NotFoundError(
        "bubblewrap is not installed, so the command cannot be confined: apt-get install "
        "bubblewrap, or say --unconfined \"why\"");
  }
  // The shell is what exits with 127.
  Command result{{kBubblewrap, "--args", "3", "--", "/bin/sh", "-c", "exec \"$@\"", "sh"}, {}};
  result.arguments.insert(result.arguments.end(), command.begin(), command.end());
  result.third_descriptor = std::string();
  for (const std::string& option : Options(confinement)) {
    result.third_descriptor->append(option.c_str(), option.size() + 1);  // each with its NUL
  }
  return result;
}

}  // namespace tipstaff::cli
