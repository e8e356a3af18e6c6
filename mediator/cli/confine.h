// Running an agent's command under bubblewrap with nothing but what it needs for tipstaff-guest.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"

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

// The arguments of bubblewrap, program first, that run `command`. The view has /usr and the
// linker's and TLS files (read-only), /proc, /dev, an empty /tmp and home, and what is named in
// `confinement`: no home, ledger, key, secret or other socket. NotFound when bubblewrap is not
// installed.
absl::StatusOr<std::vector<std::string>> ConfinedCommand(const Confinement& confinement,
                                                         const std::vector<std::string>& command);

// FailedPrecondition when `folder` holds one of `secrets` (paths), or lies inside one.
absl::Status CheckWorkFolder(const std::string& folder, const std::vector<std::string>& secrets);

}  // namespace tipstaff::cli
