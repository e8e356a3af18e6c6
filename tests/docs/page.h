// A page of the documentation as something that can be followed: what it has a reader write into
// files, and what it has him run.
//
//   ```lua stubs/orders/close.lua      a file, as a whole
//   ```console                         commands after `$ `, each with what it prints
//
// Any other block is for reading only.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace tipstaff::docs {

struct Step {
  enum class Kind { kFile, kCommand };
  Kind kind = Kind::kCommand;
  int line = 0;         // of the page
  std::string subject;  // the file's path, or the command
  std::string text;     // its content, or what is printed; lines end with LF
};

// InvalidArgument: a block that is never closed, or output before a command.
absl::StatusOr<std::vector<Step>> ReadPage(const std::string& text);

// Whether `found` is what the page shows. `…` in a shown line stands for any text within it, a line
// that is only `…` for any lines, also none. "" if so, else the first line that differs.
std::string Differs(const std::string& shown, const std::string& found);

}  // namespace tipstaff::docs
