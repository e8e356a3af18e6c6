#include "stubs/engine/call_scope.h"

#include "absl/strings/str_cat.h"
#include "mediator/base/utf8.h"
#include "stubs/engine/limits.h"

namespace tipstaff::engine {

absl::StatusOr<std::string> CallScope::NextId(size_t index) {
  const IdDefinition& id = definition_.ids[index];
  for (int tries = 0; tries < kMaxIdTries; ++tries) {
    std::string next = id.format.Format(++sequences_[index], random_);
    if (!tables_.HasKey(next)) return next;
  }
  return absl::ResourceExhaustedError(
      absl::StrCat("no unused id of `", id.name, "` was found: give its format more characters"));
}

std::string CallScope::now() const {
  return absl::FormatTime("%Y-%m-%d%ET%H:%M:%E*SZ", now_, absl::UTCTimeZone());
}

void CallScope::Log(absl::string_view line) {
  if (log_.size() < kMaxLogLines) log_.emplace_back(base::CutUtf8(line, kMaxLogLineBytes));
}

}  // namespace tipstaff::engine
