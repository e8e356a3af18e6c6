// tipstaff.yaml: the mediator's configuration.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "mediator/json/document.h"
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

// Where a secret is read from, when it is needed: one of the two.
struct SecretSource {
  std::string variable;  // of the mediator's environment
  std::string file;      // a path; its text without the line feed at the end
};

// What the mediator adds to be let in by an MCP server.
struct Credential {
  std::string name;    // of a header (http) or of an environment variable (stdio)
  std::string format;  // with `{}` where the secret stands: "Bearer {}"
  SecretSource from;
};

// `upstreams: NAME: {stdio: ...}` or `{http: ...}`: an MCP server (docs/upstreams.md).
struct McpServer {
  std::string name;
  // A process of each run's own; empty for http.
  std::vector<std::string> command;
  std::vector<std::string> read;  // folders that it sees, absolute; the first is where it starts
  std::vector<std::pair<std::string, std::string>> environment;  // by name
  bool network = false;
  std::string unconfined;  // why it is not confined; "": it is
  // Else a server that is there.
  std::string url;
  std::string ca;  // a file of authorities that vouch for it; "": the system's

  std::optional<Credential> credential;
  std::string stop;        // one of kStops (shape.h)
  std::string query_tool;  // queryable only: the tool that tells whether a write took place,
  std::string query_key;   // and the argument that takes the write's key
  absl::Duration timeout;  // without a sign of life
  absl::Duration longest;  // with signs of life
  std::string owner;       // a person: answers for it, and signs
  std::string pins;        // a path
  std::string sign_off;    // a path
};

// All of it but where pins and sign-off are, as canonical JSON: what a sign-off is about, and what
// a run pins. Secrets are in it by where they come from.
std::string Encode(const McpServer& server);
// InvalidArgument for what Encode() did not make.
absl::StatusOr<McpServer> DecodeMcpServer(json::Value encoded);

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
  std::vector<McpServer> mcp_servers;       // likewise
};

// Reads `path`. Nothing when there was an error. Unknown keys are errors with a suggestion.
std::optional<Config> Load(const std::string& path, source::Diagnostics& diagnostics);

// Without a file: state below `state_dir`, `policies` and `stubs` of the working folder where they
// are, and for other names those of `share_dir` (an installed build's).
Config Defaults(const std::string& state_dir, const std::string& share_dir);

}  // namespace tipstaff::config
