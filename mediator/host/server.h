// A mediator that runs: everything built from a configuration, and the event loop.
//
//   TIPSTAFF_ASSIGN_OR_RETURN(auto server, host::Server::Create(config, {}));
//   server->Run();  // until Stop(), from any thread or a signal handler's thread
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "mediator/config/config.h"

namespace tipstaff::host {

struct ServerOptions {
  // The path of tipstaff-gate; "" : beside this program.
  std::string gate_program;
  // End on SIGINT and SIGTERM. Not for a server embedded in another command.
  bool handle_signals = true;
};

class Server {
 public:
  virtual ~Server() = default;

  // Takes the ledger, restores open runs, listens on the admin socket. Errors say what to do:
  // no folder for the ledger, another mediator on it, a socket path in use, no gate program.
  static absl::StatusOr<std::unique_ptr<Server>> Create(config::Config config,
                                                        const ServerOptions& options);
  // Serves until Stop(). Open runs stay open for the next server.
  virtual void Run() = 0;
  // Thread-safe.
  virtual void Stop() = 0;
};

}  // namespace tipstaff::host
