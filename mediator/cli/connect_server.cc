#include "mediator/cli/connect_server.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <limits>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "mediator/base/escape.h"
#include "mediator/base/ids.h"
#include "mediator/base/status.h"
#include "mediator/cli/confine.h"

namespace tipstaff::cli {
namespace {

namespace fs = std::filesystem;

constexpr size_t kShownColumns = 100;

std::string Shown(absl::string_view text) { return base::EscapeAndCut(text, kShownColumns); }

absl::Status Invalid(absl::string_view message) { return absl::InvalidArgumentError(message); }

bool IsWord(absl::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(),
                                      [](char c) { return absl::ascii_isalnum(c) || c == '_'; });
}

bool IsVsock(absl::string_view text) {
  const std::vector<absl::string_view> parts = absl::StrSplit(text, ':');
  constexpr uint32_t kAny = std::numeric_limits<uint32_t>::max();
  return parts.size() == 2 && std::all_of(parts.begin(), parts.end(), [](absl::string_view part) {
           uint32_t number = kAny;
           return !part.empty() && std::all_of(part.begin(), part.end(), absl::ascii_isdigit) &&
                  absl::SimpleAtoi(part, &number) && number != kAny;
         });
}

// A client starts the guest agent in a folder of its own choice.
std::string Absolute(const std::string& path) {
  return fs::absolute(path).lexically_normal().string();
}

absl::Status CheckPath(absl::string_view option, absl::string_view path) {
  if (path.empty()) return absl::OkStatus();
  if (absl::StartsWith(path, "~") || absl::StrContains(path, "$") || absl::StartsWith(path, "%")) {
    return Invalid(absl::StrCat(option, " `", Shown(path),
                                "`: no client replaces that, nor does tipstaff-guest; write the "
                                "path itself"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<RunPlaces> PlacesOf(const config::Config& config, const std::string& run) {
  if (!base::IsRunId(run)) {
    return Invalid(
        absl::StrCat("--run `", Shown(run), "` is no run's id: `tipstaff run list` shows them"));
  }
  const std::string folder = Absolute(absl::StrCat(config.runs_dir, "/", run));
  std::error_code ignored;
  if (!fs::exists(absl::StrCat(folder, "/token"), ignored)) {
    return absl::NotFoundError(
        absl::StrCat("no run `", run, "` is open here (looked for `", base::Escape(folder),
                     "/token`): `tipstaff run list` shows those that are, with the same --config"));
  }
  RunPlaces places{absl::StrCat(folder, "/guest.sock"), absl::StrCat(folder, "/token")};
  if (!fs::exists(places.socket, ignored)) {
    return absl::FailedPreconditionError(
        absl::StrCat("run `", run,
                     "` has no socket on this machine: its agent is in a VM, where its client is "
                     "told --vsock CID:PORT and --token-file"));
  }
  return places;
}

absl::Status CheckWay(const ConnectWay& way) {
  const int ways = !way.run.empty() + !way.socket.empty() + !way.vsock.empty() + !way.http.empty();
  if (ways > 1) return Invalid("--run, --socket, --vsock and --http exclude each other");
  if (!way.token_file.empty() && (!way.run.empty() || !way.http.empty())) {
    return Invalid("--token-file goes with --socket or --vsock");
  }
  if (way.token_file.empty() && (!way.socket.empty() || !way.vsock.empty())) {
    return Invalid("--token-file is missing: the file that `tipstaff run open` names");
  }
  if (!way.token_variable.empty() && way.http.empty()) {
    return Invalid("--http-token-variable goes with --http");
  }
  if (!way.token_variable.empty() &&
      (!IsWord(way.token_variable) || absl::ascii_isdigit(way.token_variable[0]))) {
    return Invalid(absl::StrCat("--http-token-variable `", Shown(way.token_variable),
                                "` is no name of a variable: letters, digits and `_`"));
  }
  if (!way.http.empty() && !way.guest.empty()) {
    return Invalid("--guest goes with a client that starts it, not with --http");
  }
  if (!way.vsock.empty() && !IsVsock(way.vsock)) {
    return Invalid(absl::StrCat("--vsock `", Shown(way.vsock),
                                "` is not CID:PORT, two numbers (the host of a VM is CID 2)"));
  }
  if (!way.guest.empty() && way.guest[0] != '/') {
    return Invalid(absl::StrCat("--guest `", Shown(way.guest),
                                "` is not absolute: a client's PATH and folder are not ours"));
  }
  TIPSTAFF_RETURN_IF_ERROR(CheckPath("--socket", way.socket));
  TIPSTAFF_RETURN_IF_ERROR(CheckPath("--token-file", way.token_file));
  return CheckPath("--guest", way.guest);
}

absl::StatusOr<clients::Server> ServerOf(const ConnectWay& way, const RunPlaces& places,
                                         const std::string& guest_beside) {
  TIPSTAFF_RETURN_IF_ERROR(CheckWay(way));
  clients::Server server;
  if (!way.http.empty()) {
    TIPSTAFF_RETURN_IF_ERROR(clients::CheckUrl(way.http));
    server.url = way.http;
    server.token_variable = way.token_variable;
    return server;
  }
  server.command = way.guest.empty() ? guest_beside : way.guest;
  std::string socket = kConfinedSocket, token = kConfinedToken;
  if (!way.run.empty()) {
    socket = places.socket;
    token = places.token_file;
  } else if (!way.token_file.empty()) {
    socket = way.socket.empty() ? "" : Absolute(way.socket);
    token = Absolute(way.token_file);
  }
  if (way.vsock.empty()) {
    server.arguments = {"--connect", socket};
  } else {
    server.arguments = {"--vsock", way.vsock};
  }
  server.arguments.insert(server.arguments.end(), {"--token-file", token});
  return server;
}

}  // namespace tipstaff::cli
