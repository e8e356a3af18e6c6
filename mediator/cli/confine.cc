#include "mediator/cli/confine.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "absl/strings/str_cat.h"
#include "mediator/confine/places.h"
#include "mediator/confine/view.h"

namespace tipstaff::cli {
namespace {

namespace fs = std::filesystem;

using confine::IsInside;
using confine::Resolved;

// Bubblewrap's options.
std::vector<std::string> Options(const Confinement& confinement) {
  std::vector<std::string> args = confine::ViewOptions(confinement.network);
  const auto add = [&args](std::initializer_list<std::string> more) {
    args.insert(args.end(), more);
  };
  add({"--dir", "/home/agent"});
  add({"--bind", confinement.work_folder, "/work", "--chdir", "/work"});
  add({"--ro-bind", confinement.socket, kConfinedSocket});
  add({"--ro-bind", confinement.token_file, kConfinedToken});
  add({"--ro-bind", confinement.guest_program, "/run/tipstaff/bin/tipstaff-guest"});
  add({"--setenv", "PATH", "/run/tipstaff/bin:/usr/local/bin:/usr/bin:/bin"});
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

absl::StatusOr<Command> Confined(const Confinement& confinement,
                                 const std::vector<std::string>& command) {
  if (::access(confine::kBubblewrap, X_OK) != 0) {
    return absl::NotFoundError(
        "bubblewrap is not installed, so the command cannot be confined: apt-get install "
        "bubblewrap, or say --unconfined \"why\"");
  }
  // The shell is what exits with 127.
  Command result{{confine::kBubblewrap, "--args", "3", "--", "/bin/sh", "-c", "exec \"$@\"", "sh"},
                 {}};
  result.arguments.insert(result.arguments.end(), command.begin(), command.end());
  result.third_descriptor = confine::OptionBytes(Options(confinement));
  return result;
}

}  // namespace tipstaff::cli
