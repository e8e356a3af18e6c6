// The programs of this installation.
#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "mediator/doctor/checks.h"

namespace tipstaff::doctor {
namespace {

void CheckProgram(Examination& e, const std::string& path) {
  const PathFacts facts = e.machine.Look(path);
  const std::string shown = absl::StrCat("`", base::Escape(path), "`");
  if (!facts.exists()) {
    e.Problem(absl::StrCat(shown, " is not there"),
              "install the programs of Tipstaff into one folder, as `cmake --install` does");
  } else if (facts.kind != PathFacts::Kind::kFile) {
    e.Problem(absl::StrCat(shown, " is no file"), "remove it and install Tipstaff again");
  } else if (!facts.executable) {
    e.Problem(absl::StrCat(shown, " cannot be executed by this user"),
              absl::StrCat("chmod +x ", base::Escape(path),
                           " (and not on a file system that is mounted noexec)"));
  } else {
    e.Ok(shown);
  }
}

}  // namespace

void CheckGuestProgram(Examination& e) { CheckProgram(e, e.subject.guest); }

void CheckGateProgram(Examination& e) { CheckProgram(e, e.subject.gate); }

}  // namespace tipstaff::doctor
