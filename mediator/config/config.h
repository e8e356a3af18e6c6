// tipstaff.yaml: the mediator's configuration.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "mediator/source/diagnostic.h"

namespace tipstaff::config {

struct Firecracker {
  std::string dir;  // <dir>/<vm>/v.sock_<port>
  uint32_t port = 0;
};

struct Person {
  std::string name;
  std::string user;  // a Unix user name, "" for none
  std::string key;   // a path, "" for none
  std::vector<std::string> groups;
};

// `upstreams: NAME: {test_system: ...}`: a program for tests of Tipstaff, which stands in for a
// real system (docs/test-systems.md).
struct TestSystem {
  std::string name;
  std::vector<std::string> command;  // the program and its arguments, as written
  std::string folder;                // that it is started in: the file's; "" for the working folder
  std::string tools;                 // the path of the file that declares its tools
  std::string stop;                  // one of kStops (shape.h)
  absl::Duration timeout;            // what its answer to a call may take
};

inline constexpr uint64_t kDefaultRunBudget = 256 << 20;

// Paths are absolute or relative to the process's folder; relative ones in the file were taken
// relative to the file.
struct Config {
  std::string path;      // of the file; "" when there is none and defaults hold
  std::string text;      // of the file, as pinned by runs
  std::string runs_dir;  // channels.runs: <runs_dir>/<run>/guest.sock
  std::optional<Firecracker> firecracker;
  std::optional<uint32_t> vsock_port;  // off unless written
  std::string admin_socket;
  std::string ledger;
  std::string keys_dir;
  std::vector<std::string> policies;  // folders of skill folders
  std::vector<std::string> stubs;     // folders of stub folders
  // Folders of those that come with Tipstaff, for names that the ones above do not have; "": none.
  std::string shipped_policies;
  std::string shipped_stubs;
  std::vector<Person> people;
  uint64_t run_budget = kDefaultRunBudget;  // bytes of the ledger that one run may fill
  std::vector<TestSystem> test_systems;     // sorted by name
};

// Reads `path`. Nothing when there was an error. Unknown keys are errors with a suggestion.
std::optional<Config> Load(const std::string& path, source::Diagnostics& diagnostics);

// Without a file: state below `state_dir`, `policies` and `stubs` of the working folder where they
// are, and for other names those of `share_dir` (an installed build's).
Config Defaults(const std::string& state_dir, const std::string& share_dir);

}  // namespace tipstaff::config
