// Dana, who owns the MCP servers of a mediator under test and approves what is held: her keys, and
// what an owner does before agents can use a server.
#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "tests/harness/mediator.h"

namespace tipstaff::harness {

// In a mediator's working folder: the keys, made where they are missing; and the configuration that
// makes her known.
std::string KeysOfDana(const std::string& folder);
absl::StatusOr<std::string> ConfigOfDana(const std::string& folder);

// What an owner writes beside a tool in the file of pins.
struct Effect {
  std::string tool;
  std::string effect;    // "read", "write", "finalize"
  std::string key = "";  // `idempotency_key`; "": none
};

// `upstream pin`.
absl::Status Pin(const Mediator& mediator, const std::string& server);
// In the file of pins.
absl::Status SetEffects(const Mediator& mediator, const std::string& server,
                        const std::vector<Effect>& effects);
// `upstream approve`, for a month.
absl::Status Approve(const Mediator& mediator, const std::string& server);
// A sign-off that ends sooner than a day, as `upstream approve` gives none. In whole seconds.
absl::Status ApproveUntil(const Mediator& mediator, const std::string& server, absl::Time until);

// All of it: pin, effects, approve.
absl::Status MakeUsable(const Mediator& mediator, const std::string& server,
                        const std::vector<Effect>& effects);

std::string PinsFile(const Mediator& mediator, const std::string& server);
std::string SignOffFile(const Mediator& mediator, const std::string& server);

}  // namespace tipstaff::harness
