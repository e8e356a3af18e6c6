#include "stubs/engine/call_scope.h"

#include "absl/strings/str_cat.h"
#include "mediator/base/utf8.h"
#include "stubs/engine/limits.h"
#include "stubs/engine/near_miss.h"

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

void CallScope::Missed(size_t table, absl::string_view key) {
  if (misses_.size() < kMaxMisses) misses_.push_back({table, std::string(key)});
}

void CallScope::Missed(size_t table, RowFilter filter) {
  if (misses_.size() < kMaxMisses) misses_.push_back({table, std::move(filter)});
}

std::string CallScope::NearMisses() const {
  std::string text;
  for (const Miss& miss : misses_) {
    const TableDefinition& table = definition_.tables[miss.table];
    const Rows& rows = tables_.rows(miss.table);
    const std::string* key = std::get_if<std::string>(&miss.wanted);
    const std::string note = key != nullptr
                                 ? KeyNote(table, rows, *key)
                                 : RowNote(table, rows, std::get<RowFilter>(miss.wanted));
    if (!note.empty()) absl::StrAppend(&text, text.empty() ? "" : "; ", note);
  }
  return text;
}

}  // namespace tipstaff::engine
