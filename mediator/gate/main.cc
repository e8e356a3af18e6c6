// tipstaff-gate: see kUsage in options.cc.
#include <unistd.h>

#include <csignal>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "mediator/gate/acceptor.h"
#include "mediator/gate/confine.h"
#include "mediator/gate/grpc_log.h"
#include "mediator/gate/guest_service.h"
#include "mediator/gate/limits.h"
#include "mediator/gate/log.h"
#include "mediator/gate/options.h"

namespace tipstaff::gate {
namespace {

constexpr int kEnded = 0;
constexpr int kWrongUse = 2;
constexpr int kProtocolBroken = 3;
constexpr int kCouldNotRun = 5;

int ExitCode(const absl::Status& end) {
  if (end.ok()) return kEnded;
  return absl::IsInvalidArgument(end) ? kProtocolBroken : kCouldNotRun;
}

// The guest has no say in when the gate ends: should gRPC wait for something, this does not.
void EndBy(std::chrono::milliseconds time, int exit_code) {
  std::thread([time, exit_code] {
    std::this_thread::sleep_for(time);
    ::_exit(exit_code);
  }).detach();
}

int Run(const Options& options, const Log& log) {
  // Debian builds Abseil with its checks for deadlocks: they cost gRPC's every lock.
  absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);
  MediatorLink link{base::Fd(kMediatorFd)};
  StreamTable streams;
  Connections connections;
  Budget rpcs(kMaxRpcs);
  Budget queued_bytes(kMaxQueuedBytes);
  const Mediation mediation{link, streams, connections, rpcs, queued_bytes};
  const std::unique_ptr<GuestServer> server = GuestServer::Start(mediation);
  if (server == nullptr) {
    log.Line("gRPC does not start");
    return kCouldNotRun;
  }
  if (const absl::Status confined = Confine(); !confined.ok()) {
    log.Line(confined.message());
    return kCouldNotRun;
  }
  Acceptor acceptor(base::Fd(kConnectionsFd), options.source, connections, log,
                    [&](base::Fd connection) { server->Serve(std::move(connection)); });
  std::thread accepting([&] { acceptor.Run(); });
  Inbox& inbox = server->inbox();
  const bool closed = link.Read([&](absl::string_view bytes) { inbox.Add(bytes); });
  EndBy(kEndTime, ExitCode(link.why()));
  inbox.Close(closed ? InboxEnd::kClosed : InboxEnd::kBroken);
  const absl::Status end = link.why();
  if (!end.ok()) log.Line(end.message());
  acceptor.Stop();
  accepting.join();
  server->Stop();
  return ExitCode(end);
}

int Main(const std::vector<std::string>& arguments) {
  std::signal(SIGPIPE, SIG_IGN);
  const absl::StatusOr<Options> options = ParseOptions(arguments);
  if (!options.ok()) {
    std::cerr << "tipstaff-gate: " << options.status().message() << "\n";
    return kWrongUse;
  }
  if (options->help) {
    std::cout << kUsage;
    return kEnded;
  }
  // gRPC's threads log until the process is gone.
  static const Log log(options->channel);
  if (const absl::Status ready = PrepareDescriptors(options->source); !ready.ok()) {
    log.Line(ready.message());
    return kWrongUse;
  }
  KeepMemorySmall();
  SendGrpcErrorsTo(log);
  return Run(*options, log);
}

}  // namespace
}  // namespace tipstaff::gate

int main(int argc, char** argv) {
  return tipstaff::gate::Main(std::vector<std::string>(argv + 1, argv + argc));
}
