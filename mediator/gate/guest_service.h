// The guest service of schemas/proto/tipstaff/guest/v1/guest.proto, and the server that offers it.
#pragma once

#include <memory>

#include "mediator/base/fd.h"
#include "mediator/gate/inbox.h"
#include "mediator/gate/mediation.h"

namespace tipstaff::gate {

// A gRPC server with no address: connections are given to it. Nothing but the guest service is
// there: no reflection, health or channelz.
//
// One thread of its own does all the work: it takes RPCs, writes to the guest, and sends to the
// mediator. gRPC's callback threads would pass the poller's role on by futex at each event.
class GuestServer {
 public:
  // Null when gRPC cannot start. `mediation` must outlive the server.
  static std::unique_ptr<GuestServer> Start(const Mediation& mediation);
  virtual ~GuestServer() = default;

  // Takes over a connected, non-blocking socket. Not after Stop.
  virtual void Serve(base::Fd connection) = 0;
  // Where what the mediator sends goes. Its end ends all streams.
  virtual Inbox& inbox() = 0;
  // After the inbox's end. Ends all RPCs, at once those that are not finished by kDrainTime, and
  // waits for them.
  virtual void Stop() = 0;
};

}  // namespace tipstaff::gate
