#include "mediator/gate/grpc_log.h"

#include <grpcpp/version_info.h>

// Newer versions log through Abseil, to standard error and for errors only.
#if GRPC_CPP_VERSION_MAJOR == 1 && GRPC_CPP_VERSION_MINOR < 65
#include <grpc/support/log.h>
#define TIPSTAFF_GRPC_LOGS 1
#endif

namespace tipstaff::gate {

#ifdef TIPSTAFF_GRPC_LOGS

namespace {

Tally* grpc_errors = nullptr;  // gRPC's hook is a plain function

void Take(gpr_log_func_args* message) {
  if (message->severity == GPR_LOG_SEVERITY_ERROR) grpc_errors->Count(message->message);
}

}  // namespace

void SendGrpcErrorsTo(const Log& log) {
  static Tally tally(log, "gRPC error");
  grpc_errors = &tally;
  gpr_set_log_function(&Take);
}

#else

void SendGrpcErrorsTo(const Log&) {}

#endif

}  // namespace tipstaff::gate
