#include "tests/differential/case.h"

#include "absl/strings/str_cat.h"

namespace tipstaff::differential {

std::string Case::Show() const {
  std::string out;
  for (const Tree& skill : skills) absl::StrAppend(&out, "skill: ", skill.ToJson(), "\n");
  absl::StrAppend(&out, "bindings: ", bindings.ToJson(), "\n");
  for (const std::string& canary : canaries) absl::StrAppend(&out, "canary: ", canary, "\n");
  for (const reference::EarlierCall& one : earlier) {
    absl::StrAppend(&out, "earlier: ", one.skill, "/", one.permission, " at ", one.at, " ms, ",
                    one.argument_bytes, " bytes",
                    one.settled ? (one.ok ? ", ok, " : ", failed, ") : ", in flight, ",
                    one.result_bytes, " bytes\n");
  }
  return absl::StrCat(out, "call: ", tool, " ", arguments.ToJson(), " at ", at, " ms\n");
}

}  // namespace tipstaff::differential
