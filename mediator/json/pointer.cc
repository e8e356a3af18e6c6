#include "mediator/json/pointer.h"

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"

namespace tipstaff::json {

std::string PointerToken(absl::string_view key) {
  return absl::StrReplaceAll(key, {{"~", "~0"}, {"/", "~1"}});
}

Value ValueAt(Value root, absl::string_view pointer) {
  if (pointer.empty()) return root;
  if (pointer.front() != '/') return Value();
  Value at = root;
  for (const absl::string_view token : absl::StrSplit(pointer.substr(1), '/')) {
    const std::string name = absl::StrReplaceAll(token, {{"~0", "~"}, {"~1", "/"}});
    if (at.is_array()) {
      uint32_t index = 0;
      const bool is_index = absl::SimpleAtoi(name, &index) && absl::StrCat(index) == name;
      at = is_index && index < at.size() ? at.At(index) : Value();
    } else {
      at = at.Find(name);
    }
  }
  return at;
}

}  // namespace tipstaff::json
