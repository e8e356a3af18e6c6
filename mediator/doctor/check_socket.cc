// The run's socket, as far as it can be judged from here.
#include <sys/un.h>

#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "mediator/doctor/checks.h"

namespace tipstaff::doctor {
namespace {

constexpr size_t kMostBytes = sizeof(sockaddr_un::sun_path) - 1;

// Why there is no path to look at.
void SayNone(Examination& e) {
  if (e.is_vsock) {
    return e.NotChecked("tipstaff-guest goes by vsock, which is never dialled from here",
                        "in the VM: is /dev/vsock there, and does its host's mediator serve it?");
  }
  if (!e.url.empty()) {
    return e.NotChecked("the client goes by HTTP, so the socket is that of another tipstaff-guest",
                        "name it with --socket, without --client");
  }
  e.NotChecked("no run is named", "add --run RUN, --socket PATH, or --client");
}

}  // namespace

void CheckSocket(Examination& e) {
  if (e.subject.socket.empty() || e.is_vsock) return SayNone(e);
  const std::string& path = e.subject.socket;
  const std::string shown = absl::StrCat("`", base::EscapeAndCut(path, 160), "`");
  if (path[0] != '/') {
    return e.Problem(absl::StrCat(shown,
                                  " is relative, and a client starts tipstaff-guest in a "
                                  "folder of its own choice"),
                     "write the whole path");
  }
  if (path.size() > kMostBytes) {
    return e.Problem(
        absl::StrCat(shown, " has ", path.size(), " bytes, and the kernel takes ", kMostBytes),
        "choose a shorter folder for `channels: runs:`, or mount it elsewhere");
  }
  const PathFacts facts = e.machine.Look(path);
  if (facts.kind == PathFacts::Kind::kHidden) {
    return e.Problem(absl::StrCat("this user may not look into the folder of ", shown),
                     "start the client as the user who opened the run");
  }
  if (!facts.exists()) {
    return e.Problem(absl::StrCat(shown, " is not there"),
                     "is the run still open (`tipstaff run list`), and in a container, is the "
                     "socket mounted?");
  }
  if (facts.kind != PathFacts::Kind::kSocket) {
    return e.Problem(absl::StrCat(shown, " is not a socket"),
                     "name the socket that `tipstaff run open` made; a container engine makes a "
                     "folder where it was not there yet");
  }
  if (!facts.writable) {
    return e.Problem(absl::StrCat("this user may not connect to ", shown),
                     "start the client as the user who opened the run");
  }
  if (const absl::Status connected = e.machine.Connect(path); !connected.ok()) {
    return e.Problem(absl::StrCat("nobody listens on ", shown),
                     "start `tipstaff serve`; the run may be closed (`tipstaff run list --all`)");
  }
  e.is_reachable = true;
  e.Ok(absl::StrCat("a mediator listens on ", shown));
}

}  // namespace tipstaff::doctor
