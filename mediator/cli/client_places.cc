#include "mediator/cli/client_places.h"

#include <cstdlib>
#include <filesystem>

#include "absl/strings/str_cat.h"

namespace tipstaff::cli {

clients::Places ClientPlaces() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value != nullptr && value[0] == '/' ? value : "");
  };
  clients::Places places;
  std::error_code ignored;
  places.folder = std::filesystem::current_path(ignored).string();
  places.home = variable("HOME");
  places.config_home = variable("XDG_CONFIG_HOME");
  if (places.config_home.empty()) places.config_home = absl::StrCat(places.home, "/.config");
  return places;
}

}  // namespace tipstaff::cli
