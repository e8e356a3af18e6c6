// What the RPCs of the guest service work with; all outlive them.
#pragma once

#include "mediator/gate/budget.h"
#include "mediator/gate/connections.h"
#include "mediator/gate/mediator_link.h"
#include "mediator/gate/streams.h"

namespace tipstaff::gate {

struct Mediation {
  MediatorLink& link;
  StreamTable& streams;
  Connections& connections;
  Budget& rpcs;          // one each
  Budget& queued_bytes;  // of events that a guest has yet to read
};

}  // namespace tipstaff::gate
