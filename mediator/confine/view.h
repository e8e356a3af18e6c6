// The part of bubblewrap's options that every confined program has.
//
// Its view of the files has /usr, the linker's and TLS files (read-only), /proc of its own process
// namespace, a minimal /dev and an empty /tmp. It has its own user, process, IPC, host name and
// (unless `network`) network namespace, no capability, no controlling terminal, no variable of the
// environment, and it ends with the thread that started bubblewrap. What else it is to have, the
// caller adds: nothing else of the host is there. With `network`, abstract Unix sockets of the host
// can be reached too.
#pragma once

#include <string>
#include <vector>

namespace tipstaff::confine {

inline constexpr char kBubblewrap[] = "/usr/bin/bwrap";

// In this order; options that the caller adds come behind them.
std::vector<std::string> ViewOptions(bool network);

// For bubblewrap's `--args FD`: each with its NUL. Bubblewrap is to read its options from a
// descriptor, as the command line of the view's first process, which anyone in the view can read,
// would name places of the host.
std::string OptionBytes(const std::vector<std::string>& options);

}  // namespace tipstaff::confine
