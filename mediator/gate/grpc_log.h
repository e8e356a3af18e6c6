// Where gRPC's own words go.
#pragma once

#include "mediator/gate/log.h"

namespace tipstaff::gate {

// gRPC's error messages, which a guest can cause without end, are counted by a Tally from now on.
// `log` must outlive gRPC. Once per process.
void SendGrpcErrorsTo(const Log& log);

}  // namespace tipstaff::gate
