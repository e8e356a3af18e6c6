// The text of a signed note (mediator/keys/signed_note.h), without its signatures.
#pragma once

#include "absl/strings/string_view.h"

namespace tipstaff::base {

// Up to the blank line; all of it where there is none.
inline absl::string_view TextOfNote(absl::string_view note) {
  const size_t blank = note.rfind("\n\n");
  return blank == absl::string_view::npos ? note : note.substr(0, blank + 1);
}

}  // namespace tipstaff::base
