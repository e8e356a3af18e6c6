// Permissions whose calls wait for a person.
#include <algorithm>
#include <optional>
#include <vector>

#include "absl/strings/str_cat.h"
#include "mediator/base/units.h"
#include "mediator/policy/codes.h"
#include "mediator/policy/loader.h"

namespace tipstaff::policy::internal {
namespace {

constexpr absl::Duration kUsualTime = absl::Minutes(15);

}  // namespace

void Loader::ReadApproval(json::Value node, Permission& permission) {
  const json::Value approval = node.Find("approval");
  if (!approval.exists()) return;
  if (!reader_.CheckMapping(approval, "an approval", {"by", "expires"})) return;
  permission.approval = Approval{.by = ReadLabels(approval, "by"), .expires = kUsualTime};
  if (permission.approval->by.empty() && !reader_.failed()) {
    reader_.MissingKey(approval, "by",
                       "`by` is missing in an approval: list names or groups of `people:`");
  }
  WarnOfNobody(approval);
  const json::Value expires = approval.Find("expires");
  if (!expires.exists()) return;
  const auto duration = expires.is_string() ? base::ParseDuration(expires.string())
                                            : absl::InvalidArgumentError("no text");
  if (duration.ok() && *duration > absl::ZeroDuration()) {
    permission.approval->expires = *duration;
  } else {
    reader_.Error(expires, kBadLimit, "`expires` takes a duration over 0 such as `15m`",
                  "units are ms, s, m, h and d");
  }
}

void Loader::WarnOfNobody(json::Value approval) {
  const std::optional<std::vector<std::string>> approvers = catalog_.Approvers();
  if (!approvers.has_value()) return;
  for (json::Value name : approval.Find("by").items()) {
    if (!name.is_string() ||
        std::find(approvers->begin(), approvers->end(), name.string()) != approvers->end()) {
      continue;
    }
    reader_.Warn(name, kNobody,
                 absl::StrCat(Shown(name.string()), " is no person and no group of `people:`"),
                 Reader::Suggestion(name.string(), *approvers));
  }
}

}  // namespace tipstaff::policy::internal
