#include "mediator/json/pointer.h"

#include "absl/strings/str_replace.h"

namespace tipstaff::json {

std::string PointerToken(absl::string_view key) {
  return absl::StrReplaceAll(key, {{"~", "~0"}, {"/", "~1"}});
}

}  // namespace tipstaff::json
