// Looks a machine over.
//
//   HostMachine machine;
//   for (const Finding& finding : Examine(subject, machine)) ...
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "mediator/clients/client.h"
#include "mediator/config/config.h"
#include "mediator/doctor/finding.h"
#include "mediator/doctor/machine.h"

namespace tipstaff::doctor {

// What is looked at.
struct Subject {
  std::optional<config::Config> config;  // nullopt: it cannot be read,
  std::string config_problem;            // which is why
  std::string guest, gate;               // the programs that belong to this tipstaff
  const clients::Client* client = nullptr;
  std::string client_file;
  std::string server_name = "tipstaff";  // in the client's configuration
  // Of a run, absolute; "": not known. What the client's configuration says takes their place.
  std::string socket, token_file;
};

// What the checks before have found out.
struct Examination {
  Subject subject;
  Machine& machine;
  std::vector<Finding> findings;
  absl::string_view check;  // the one that runs

  // How the client starts tipstaff-guest, or would; empty where it cannot be known.
  std::vector<std::string> guest_command = {};
  std::string url = {};       // it goes by HTTP instead
  bool is_vsock = false;      // the guest agent is told to go by vsock, which is not tried
  bool is_reachable = false;  // somebody listens on the socket
  bool has_token = false;     // the token's file is there and has one that is valid now
  std::vector<std::string> tools = {};  // by their published names
  bool has_tools = false;

  void Ok(std::string what);
  void Warn(std::string what, std::string fix);
  void Problem(std::string what, std::string fix);
  void NotChecked(std::string why, std::string fix = "");
};

struct Check {
  absl::string_view name;
  absl::string_view about;  // a clause, for --help and the page
  void (*run)(Examination& examination);
};

// In the order in which they run.
absl::Span<const Check> AllChecks();

// At least one finding a check.
std::vector<Finding> Examine(const Subject& subject, Machine& machine);

}  // namespace tipstaff::doctor
