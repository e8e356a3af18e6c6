// Lets the guest's connections in: at most kMaxConnections, and only those that begin as HTTP/2.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "mediator/base/fd.h"
#include "mediator/gate/connections.h"
#include "mediator/gate/log.h"
#include "mediator/gate/options.h"

namespace tipstaff::gate {

// Of one thread, that of Run; Stop is for any.
//
// A connection first waits for its 24 bytes of preface (kHandshakeTime), which are looked at and
// left in the socket. Then it is entered in Connections and given to gRPC, and watched until gRPC
// has let go of it. Connections over the limit, and those that say anything else, are closed.
class Acceptor {
 public:
  // Takes over a connected, non-blocking socket.
  using Serve = std::function<void(base::Fd)>;

  // Owns `source_socket`. `connections` and `log` must outlive this.
  Acceptor(base::Fd source_socket, ConnectionSource source, Connections& connections,
           const Log& log, Serve serve);
  ~Acceptor();

  // Until Stop.
  void Run();
  void Stop();

 private:
  struct Guest;

  std::vector<std::unique_ptr<Guest>> guests_;

  int PollTimeout(Clock::time_point now) const;
  void TakeConnections();
  // The next connection; an empty Fd when there is none now.
  base::Fd Next();
  void Look(Guest& guest, short events, Clock::time_point now);
  void LookAtWaiting(Guest& guest, short events, Clock::time_point now);
  void LookAtServed(Guest& guest, short events, Clock::time_point now);
  void StartServing(Guest& guest);

  base::Fd source_socket_;
  const ConnectionSource source_;
  Connections& connections_;
  const Log& log_;
  const Serve serve_;
  base::Fd wake_;
  Clock::time_point source_rests_until_{};
  Tally over_limit_, no_preface_, silent_, no_descriptor_;
};

}  // namespace tipstaff::gate
