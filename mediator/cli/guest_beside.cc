#include "mediator/cli/guest_beside.h"

#include <filesystem>

#include "absl/strings/str_cat.h"

namespace tipstaff::cli {

namespace fs = std::filesystem;

std::string Beside(absl::string_view name) {
  std::error_code ignored;
  const fs::path self = fs::read_symlink("/proc/self/exe", ignored);
  return (self.parent_path() / std::string(name)).string();
}

absl::StatusOr<std::string> GuestBeside() {
  const std::string guest = Beside("tipstaff-guest");
  if (fs::exists(guest)) return guest;
  return absl::NotFoundError(
      absl::StrCat("`tipstaff-guest` is not beside this program (looked for `", guest, "`)"));
}

}  // namespace tipstaff::cli
