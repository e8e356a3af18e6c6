// Names of files and folders that some tool runs or obeys because they lie there.
#pragma once

#include "absl/strings/string_view.h"

namespace tipstaff::schema {

// A row of the table in obeyed_names.cc.
struct ObeyedName {
  enum class Match { kWhole, kBeginning, kEnding };

  absl::string_view name;  // lower case
  Match match;
  absl::string_view why;  // who obeys it, for messages: "git runs its hooks"
};

// The row that one part of a path falls under, null when it is none. `folded` is the part after
// FoldName() (characters.h). A part that only begins with a row's name falls under it where the
// table says so.
const ObeyedName* FindObeyedName(absl::string_view folded);

}  // namespace tipstaff::schema
