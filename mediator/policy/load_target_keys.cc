// Whether a permission or a test says what it is about, before that is read.
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "mediator/policy/codes.h"
#include "mediator/policy/loader.h"

namespace tipstaff::policy::internal {

bool Loader::SaysTarget(json::Value node, absl::string_view what) {
  std::vector<absl::string_view> keys;
  for (const call::Kind kind : call::kKinds) {
    keys.push_back(call::KindName(kind));
    if (node.Find(keys.back()).exists()) return true;
  }
  reader_.MissingOneOf(
      node, keys, absl::StrCat("`tool`, `resource`, `prompt` or `completion` is missing in ", what),
      "add for instance `tool: alias.name`");
  return false;
}

bool Loader::NamesOneTarget(json::Value node) {
  for (const call::Kind kind : {call::Kind::kTool, call::Kind::kPrompt, call::Kind::kCompletion}) {
    const json::Value at = node.Find(call::KindName(kind));
    if (!at.is_string() || !absl::StrContains(at.string(), '*')) continue;
    reader_.Error(at, kUnusableTool,
                  absl::StrCat("a permission is for one ", call::KindName(kind), ", and `*` in ",
                               Shown(at.string()), " stands for several"),
                  absl::StrCat("write a permission for each ", call::KindName(kind)));
    return false;
  }
  return true;
}

}  // namespace tipstaff::policy::internal
