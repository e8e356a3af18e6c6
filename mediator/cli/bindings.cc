#include "mediator/cli/bindings.h"

#include <set>

#include "absl/strings/str_cat.h"
#include "mediator/json/builder.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"

namespace tipstaff::cli {

absl::StatusOr<std::string> BindingsJson(const std::vector<std::string>& options) {
  json::Builder b;
  b.StartObject();
  std::set<std::string> seen;
  for (const std::string& option : options) {
    const size_t equals = option.find('=');
    const bool is_json = equals != std::string::npos && equals > 0 && option[equals - 1] == ':';
    const std::string name = option.substr(0, is_json ? equals - 1 : equals);
    if (equals == std::string::npos || name.empty()) {
      return absl::InvalidArgumentError(
          absl::StrCat("--bind `", option, "` is not of the form name=text or name:=JSON"));
    }
    if (!seen.insert(name).second) {
      return absl::InvalidArgumentError(absl::StrCat("--bind gives `", name, "` twice"));
    }
    const std::string text = option.substr(equals + 1);
    if (!is_json) {
      b.Field(name, text);
      continue;
    }
    const absl::StatusOr<json::Document> value = json::Parse(text);
    if (!value.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat("--bind `", name, "` is not JSON: ", value.status().message()));
    }
    b.Field(name, value->root());
  }
  b.EndObject();
  const absl::StatusOr<json::Document> bindings = std::move(b).Build();
  if (!bindings.ok()) return bindings.status();
  return json::Canonical(bindings->root());
}

}  // namespace tipstaff::cli
