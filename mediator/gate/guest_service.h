// The guest service of schemas/proto/tipstaff/guest/v1/guest.proto, and the server that offers it.
#pragma once

#include <memory>

#include "mediator/base/fd.h"
#include "mediator/gate/rpc.h"

namespace tipstaff::gate {

// A gRPC server with no address: connections are given to it. Nothing but the guest service is
// there: no reflection, health or channelz.
class GuestServer {
 public:
  // Null when gRPC cannot start. `mediation` must outlive the server.
  static std::unique_ptr<GuestServer> Start(const Mediation& mediation);
  virtual ~GuestServer() = default;

  // Takes over a connected, non-blocking socket. Not after Stop.
  virtual void Serve(base::Fd connection) = 0;
  // Ends all RPCs, at once those that are not finished by kDrainTime, and waits for them.
  virtual void Stop() = 0;
};

}  // namespace tipstaff::gate
