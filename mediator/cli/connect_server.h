// What `tipstaff connect` and `tipstaff doctor` are told about a run, and what tipstaff-guest
// needs.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "mediator/clients/entry.h"
#include "mediator/config/config.h"

namespace tipstaff::cli {

// Options as they are given; "": not given.
struct ConnectWay {
  std::string run;                 // on this machine
  std::string socket, token_file;  // as the client sees them
  std::string vsock;               // CID:PORT, from within a VM; never dialled here
  std::string http, token_variable;
  std::string guest;  // tipstaff-guest, as the client sees it
};

struct RunPlaces {
  std::string socket, token_file;  // absolute
};

// The socket and token file of a run that this mediator opened. InvalidArgument for what is no
// run's id, NotFound where no such run is open, FailedPrecondition for one without a socket.
absl::StatusOr<RunPlaces> PlacesOf(const config::Config& config, const std::string& run);

// InvalidArgument where options exclude each other or one is missing or wrong.
absl::Status CheckWay(const ConnectWay& way);

// `places` are those of `way.run`, where that is given. `guest_beside` is used where `way.guest` is
// "". Without any way, what `exec` and images have by default. InvalidArgument as CheckWay().
absl::StatusOr<clients::Server> ServerOf(const ConnectWay& way, const RunPlaces& places,
                                         const std::string& guest_beside);

}  // namespace tipstaff::cli
