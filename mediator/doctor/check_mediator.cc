// The mediator's side: does it run, can it write, can it confine.
#include <filesystem>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "mediator/base/escape.h"
#include "mediator/base/units.h"
#include "mediator/doctor/checks.h"

namespace tipstaff::doctor {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kLittle = uint64_t{1} << 30;
constexpr uint64_t kTooLittle = uint64_t{64} << 20;

std::string Shown(const std::string& path) {
  return absl::StrCat("`", base::EscapeAndCut(path, 160), "`");
}

// Whether there is a configuration to judge by.
bool HasConfig(Examination& e) {
  if (!e.subject.config) e.NotChecked("there is no configuration to judge by");
  return e.subject.config.has_value();
}

std::string FolderOf(const std::string& path) {
  const std::string folder = fs::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

// The folder itself, or the nearest one above it that is there.
std::string NearestFolder(Machine& machine, std::string folder) {
  while (!machine.Look(folder).exists() && FolderOf(folder) != folder) folder = FolderOf(folder);
  return folder;
}

}  // namespace

void CheckConfiguration(Examination& e) {
  if (!e.subject.config) {
    return e.Problem(e.subject.config_problem, "mend it, or name another with --config");
  }
  const std::string& path = e.subject.config->path;
  e.Ok(path.empty() ? "built-in defaults: there is no tipstaff.yaml here" : Shown(path));
}

void CheckMediator(Examination& e) {
  if (!HasConfig(e)) return;
  const std::string& socket = e.subject.config->admin_socket;
  const PathFacts facts = e.machine.Look(socket);
  if (!facts.exists()) {
    return e.Warn(absl::StrCat("no mediator runs: ", Shown(socket), " is not there"),
                  "start `tipstaff serve`; `tipstaff exec` needs none");
  }
  const absl::Status connected = e.machine.Connect(socket);
  if (connected.ok()) return e.Ok(absl::StrCat("it listens on ", Shown(socket)));
  if (absl::IsPermissionDenied(connected) || !facts.writable) {
    return e.Problem(absl::StrCat("this user may not connect to ", Shown(socket)),
                     "be the user who started `tipstaff serve` (others: docs/approvals.md)");
  }
  e.Problem(absl::StrCat("nobody listens on ", Shown(socket), ", which a mediator left behind"),
            "start `tipstaff serve` again: it takes up the runs that are open");
}

void CheckLedger(Examination& e) {
  if (!HasConfig(e)) return;
  const std::string& ledger = e.subject.config->ledger;
  const std::string folder = NearestFolder(e.machine, FolderOf(ledger));
  const PathFacts of_folder = e.machine.Look(folder);
  const PathFacts of_file = e.machine.Look(ledger);
  if (of_folder.kind != PathFacts::Kind::kFolder) {
    return e.Problem(absl::StrCat(Shown(folder), " is no folder"), "change `ledger:`");
  }
  if (!of_folder.writable) {
    return e.Problem(absl::StrCat("this user may not write in ", Shown(folder),
                                  ", and SQLite needs files beside the ledger"),
                     absl::StrCat("chown or chmod the folder, or change `ledger:`"));
  }
  if (of_file.exists() && of_file.kind != PathFacts::Kind::kFile) {
    return e.Problem(absl::StrCat(Shown(ledger), " is no file"), "change `ledger:`");
  }
  if (of_file.exists() && !of_file.writable) {
    return e.Problem(absl::StrCat("this user may not write ", Shown(ledger)),
                     "be the user who started `tipstaff serve`, or chown it");
  }
  e.Ok(Shown(ledger));
}

void CheckDisk(Examination& e) {
  if (!HasConfig(e)) return;
  const std::string folder = NearestFolder(e.machine, FolderOf(e.subject.config->ledger));
  const absl::StatusOr<Room> room = e.machine.RoomAt(folder);
  if (!room.ok()) return e.NotChecked(std::string(room.status().message()));
  const std::string left =
      absl::StrCat(base::ShowBytes(room->free_bytes), " of ", base::ShowBytes(room->total_bytes),
                   " are free where the ledger is");
  const std::string fix = "make room: without it no decision can be recorded, so no call is made";
  if (room->free_bytes < kTooLittle) return e.Problem(left, fix);
  if (room->free_bytes < kLittle) return e.Warn(left, fix);
  e.Ok(left);
}

void CheckConfinement(Examination& e) {
  const absl::Status status = e.machine.CanConfine();
  if (status.ok()) return e.Ok("bubblewrap can confine programs");
  // The message is "what: fix".
  const std::string message(status.message());
  const size_t colon =
      message.rfind("): ") != std::string::npos ? message.rfind("): ") + 1 : message.rfind(": ");
  const bool splits = colon != std::string::npos;
  e.Problem(splits ? message.substr(0, colon) : message,
            absl::StrCat(splits ? message.substr(colon + 2) : "see the message",
                         "; else `exec` needs --unconfined \"why\", and a stdio upstream "
                         "`unconfined: \"why\"`"));
}

}  // namespace tipstaff::doctor
