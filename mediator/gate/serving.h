// What the serving thread's RPCs share. Included by sources only.
#pragma once

#include <grpcpp/grpcpp.h>

#include "mediator/gate/mediation.h"
#include "tipstaff/guest/v1/guest.grpc.pb.h"

namespace tipstaff::gate {

struct Serving {
  const Mediation& mediation;
  guest::v1::Guest::AsyncService service;
  std::unique_ptr<grpc::ServerCompletionQueue> queue;
  // Those that wait for a guest too. The queue may be shut down when there are none left.
  size_t rpcs = 0;
};

}  // namespace tipstaff::gate
