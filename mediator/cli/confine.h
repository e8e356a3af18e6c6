// Running an agent's command under bubblewrap with nothing but what it needs for tipstaff-guest.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "mediator/cli/run_command.h"

namespace tipstaff::cli {

struct Confinement {
  std::string socket, token_file;  // on the host
  std::string guest_program;       // tipstaff-guest, on the host; made available on PATH
  std::string work_folder;         // readable and writable, seen as /work
  bool network = false;            // share the host's network
};

// Where the command finds them; also what tipstaff-guest looks for by default.
inline constexpr char kConfinedSocket[] = "/run/tipstaff/guest.sock";
inline constexpr char kConfinedToken[] = "/run/tipstaff/token";

// Bubblewrap, running `command`. The view is that of mediator/confine/view.h, an empty home, and
// what is named in `confinement`: no home, ledger, key, secret or other socket. A command that is
// not there exits with 127, as in a shell. NotFound when bubblewrap is not installed.
absl::StatusOr<Command> Confined(const Confinement& confinement,
                                 const std::vector<std::string>& command);

// FailedPrecondition when `folder` holds one of `secrets` (paths), or lies inside one.
absl::Status CheckWorkFolder(const std::string& folder, const std::vector<std::string>& secrets);

}  // namespace tipstaff::cli
