#include "mediator/policy/catalog.h"

#include "absl/strings/str_cat.h"

namespace tipstaff::policy {

std::string BackendRef::ToString() const {
  return absl::StrCat(kind == Kind::kStub ? "stub:" : "upstream:", name);
}

}  // namespace tipstaff::policy
