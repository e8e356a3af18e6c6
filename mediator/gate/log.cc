#include "mediator/gate/log.h"

#include <unistd.h>

#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"

namespace tipstaff::gate {
namespace {

constexpr size_t kShownColumns = 200;

}  // namespace

void Log::Line(absl::string_view text) const {
  const std::string line = absl::StrCat("tipstaff-gate ", channel_, ": ", text, "\n");
  // A log that cannot be written is no reason to stop.
  [[maybe_unused]] const ssize_t ignored = ::write(STDERR_FILENO, line.data(), line.size());
}

void Tally::Count(absl::string_view what) {
  const uint64_t count = ++count_;
  if ((count & (count - 1)) != 0) return;
  const std::string shown = what.empty() ? "" : ": " + base::EscapeAndCut(what, kShownColumns);
  log_.Line(absl::StrCat(event_, shown, " (", count, " so far)"));
}

}  // namespace tipstaff::gate
