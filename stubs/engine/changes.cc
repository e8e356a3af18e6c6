#include "stubs/engine/changes.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <vector>

#include "absl/strings/str_cat.h"
#include "mediator/base/digest.h"
#include "mediator/json/write.h"

namespace tipstaff::engine {
namespace {

constexpr size_t kLongestInRecord = 128;
constexpr size_t kNoLimit = std::numeric_limits<size_t>::max();

// The bytes of a column's value when they are more than `longest`.
std::optional<std::string> LongBytes(json::Value value, size_t longest) {
  std::string bytes;
  if (value.is_string()) {
    if (value.string().size() <= longest) return std::nullopt;
    bytes.assign(value.string().data(), value.string().size());
  } else if (value.is_array() || value.is_object()) {
    bytes = json::Canonical(value);
  }
  if (bytes.size() <= longest) return std::nullopt;
  return bytes;
}

// Written by hand, with the members in their order: key, long, op, row.
void AppendChange(const Change& change, size_t longest, std::string& out) {
  const json::Value row = change.row.root();
  std::vector<json::Member> columns;
  columns.reserve(row.size());
  for (const json::Member& column : row.members()) columns.push_back(column);
  std::sort(columns.begin(), columns.end(),
            [](const json::Member& a, const json::Member& b) { return a.key < b.key; });
  std::string long_columns, short_columns;
  for (const json::Member& column : columns) {
    const std::optional<std::string> bytes = LongBytes(column.value, longest);
    std::string& members = bytes ? long_columns : short_columns;
    if (!members.empty()) members += ',';
    json::AppendQuoted(column.key, members);
    members += ':';
    if (bytes) {
      absl::StrAppend(&members, R"({"digest":")", base::ToHex(base::DigestOf(*bytes)),
                      R"(","size":)", bytes->size(), "}");
    } else {
      members += json::Canonical(column.value);
    }
  }
  out += R"({"key":)";
  json::AppendQuoted(change.key, out);
  if (!long_columns.empty()) absl::StrAppend(&out, R"(,"long":{)", long_columns, "}");
  absl::StrAppend(&out, R"(,"op":")", change.operation, "\"");
  if (row.is_object()) absl::StrAppend(&out, R"(,"row":{)", short_columns, "}");
  out += '}';
}

std::string Write(absl::Span<const Change> changes, size_t longest) {
  if (changes.empty()) return "";
  std::map<absl::string_view, std::string> by_table;
  for (const Change& change : changes) {
    std::string& entries = by_table[change.table];
    entries += entries.empty() ? '[' : ',';
    AppendChange(change, longest, entries);
  }
  std::string text;
  for (const auto& [table, entries] : by_table) {
    absl::StrAppend(&text, text.empty() ? "{" : ",", json::Quote(table), ":", entries, "]");
  }
  return text + "}";
}

}  // namespace

std::string ChangesInFull(absl::Span<const Change> changes) { return Write(changes, kNoLimit); }

std::string ChangesForRecord(absl::Span<const Change> changes) {
  return Write(changes, kLongestInRecord);
}

}  // namespace tipstaff::engine
