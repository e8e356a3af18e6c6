#include "mediator/source/printable.h"

#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"

namespace tipstaff::source {

std::string Printable(absl::string_view text) {
  std::string out;
  for (size_t at = 0;;) {
    const size_t backslash = text.find('\\', at);
    out += base::Escape(text.substr(at, backslash - at));
    if (backslash == absl::string_view::npos) return out;
    out += '\\';
    at = backslash + 1;
  }
}

std::string InTicks(absl::string_view text) {
  return absl::StrCat("`", base::EscapeAndCut(text, 60), "`");
}

}  // namespace tipstaff::source
