#include "mediator/policy/name.h"

#include <algorithm>

#include "absl/strings/ascii.h"

namespace tipstaff::policy {
namespace {

constexpr size_t kMaxNameBytes = 64;

}  // namespace

bool IsName(absl::string_view name) {
  return !name.empty() && name.size() <= kMaxNameBytes && absl::ascii_isalpha(name.front()) &&
         std::all_of(name.begin(), name.end(), [](unsigned char c) {
           return absl::ascii_isalnum(c) || c == '-' || c == '_';
         });
}

}  // namespace tipstaff::policy
