#include "stubs/engine/tables.h"

#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "mediator/base/status.h"
#include "mediator/base/units.h"
#include "mediator/json/builder.h"
#include "mediator/json/write.h"
#include "stubs/engine/definition.h"
#include "stubs/engine/limits.h"

namespace tipstaff::engine {
namespace {

std::string Show(absl::string_view key) { return base::EscapeAndCut(key, 80); }

absl::StatusOr<json::Document> Merge(json::Value row, json::Value changes) {
  json::Builder builder;
  builder.StartObject();
  for (const json::Member& member : row.members()) {
    const json::Value change = changes.Find(member.key);
    builder.Field(member.key, change.exists() ? change : member.value);
  }
  for (const json::Member& member : changes.members()) {
    if (!row.Find(member.key).exists()) builder.Field(member.key, member.value);
  }
  builder.EndObject();
  return std::move(builder).Build();
}

}  // namespace

Tables::Tables(const std::vector<TableDefinition>& definitions) : definitions_(definitions) {
  for (const TableDefinition& definition : definitions) {
    tables_.push_back({definition.rows, std::nullopt});
    for (const auto& [key, row] : definition.rows) bytes_ += row.bytes;
  }
}

const json::Document* Tables::Find(size_t table, absl::string_view key) const {
  const auto found = rows(table).find(key);
  return found == rows(table).end() ? nullptr : &found->second.document;
}

bool Tables::HasKey(absl::string_view key) const {
  for (const Table& table : tables_) {
    if (table.rows.find(key) != table.rows.end()) return true;
  }
  return false;
}

// The entries of changes are written here, as the row's canonical form is made anyway.
absl::Status Tables::Put(size_t table, absl::string_view key, absl::string_view operation,
                         json::Document document) {
  const std::string text = json::Canonical(document.root());
  Rows& rows = tables_[table].rows;
  const auto found = rows.find(key);
  const size_t bytes_before = found == rows.end() ? 0 : found->second.bytes;
  if (bytes_ - bytes_before + text.size() > kMaxStateBytes) {
    return absl::ResourceExhaustedError(absl::StrCat("the stub's tables hold ",
                                                     base::ShowBytes(bytes_), "; they may hold ",
                                                     base::ShowBytes(kMaxStateBytes)));
  }
  Change change{table, std::string(key), std::nullopt,
                absl::StrCat(R"({"key":)", json::Quote(key), R"(,"op":")", operation, R"(","row":)",
                             text, "}")};
  bytes_ += text.size() - bytes_before;
  if (found == rows.end()) {
    rows.emplace(change.key, Row{std::move(document), text.size()});
  } else {
    change.before = std::exchange(found->second, Row{std::move(document), text.size()});
  }
  tables_[table].digest.reset();
  journal_.push_back(std::move(change));
  return absl::OkStatus();
}

absl::Status Tables::Insert(size_t table, json::Document row) {
  TIPSTAFF_ASSIGN_OR_RETURN(const absl::string_view key,
                            KeyOf(row.root(), definitions_[table].key));
  if (Find(table, key) != nullptr) {
    return absl::AlreadyExistsError(
        absl::StrCat("there is a row `", Show(key), "` in `", definitions_[table].name, "`"));
  }
  return Put(table, key, "insert", row);
}

absl::Status Tables::CheckChangeable(size_t table, absl::string_view key) const {
  if (definitions_[table].capture) {
    return absl::FailedPreconditionError(absl::StrCat(
        "table `", definitions_[table].name, "` captures: its rows cannot be changed or deleted"));
  }
  if (Find(table, key) == nullptr) {
    return absl::NotFoundError(
        absl::StrCat("there is no row `", Show(key), "` in `", definitions_[table].name, "`"));
  }
  return absl::OkStatus();
}

absl::StatusOr<json::Document> Tables::Update(size_t table, absl::string_view key,
                                              json::Value changes) {
  TIPSTAFF_RETURN_IF_ERROR(CheckChangeable(table, key));
  if (!changes.is_object()) {
    return absl::InvalidArgumentError(
        absl::StrCat("changes must be an object, not ", json::KindName(changes.kind())));
  }
  TIPSTAFF_ASSIGN_OR_RETURN(json::Document row, Merge(Find(table, key)->root(), changes));
  TIPSTAFF_ASSIGN_OR_RETURN(const absl::string_view new_key,
                            KeyOf(row.root(), definitions_[table].key));
  if (new_key != key) {
    return absl::InvalidArgumentError(
        absl::StrCat("the key of row `", Show(key), "` cannot be changed"));
  }
  TIPSTAFF_RETURN_IF_ERROR(Put(table, key, "update", row));
  return row;
}

absl::Status Tables::Delete(size_t table, absl::string_view key) {
  TIPSTAFF_RETURN_IF_ERROR(CheckChangeable(table, key));
  Rows& rows = tables_[table].rows;
  const auto found = rows.find(key);
  bytes_ -= found->second.bytes;
  journal_.push_back({table, std::string(key), std::move(found->second),
                      absl::StrCat(R"({"key":)", json::Quote(key), R"(,"op":"delete"})")});
  rows.erase(found);
  tables_[table].digest.reset();
  return absl::OkStatus();
}

std::string Tables::Changes() const {
  if (journal_.empty()) return "";
  std::map<absl::string_view, std::vector<const Change*>> by_table;
  size_t bytes = 0;
  for (const Change& change : journal_) {
    by_table[definitions_[change.table].name].push_back(&change);
    bytes += change.entry.size() + 1;
  }
  std::string text;
  text.reserve(bytes + 200);  // with the names of a few tables
  for (const auto& [table, changes] : by_table) {
    absl::StrAppend(&text, text.empty() ? "{" : ",", json::Quote(table), ":[");
    for (const Change* change : changes) {
      if (change != changes.front()) text += ',';
      text += change->entry;
    }
    text += ']';
  }
  text += "}";
  return text;
}

void Tables::Rollback() {
  while (!journal_.empty()) {
    Change change = std::move(journal_.back());
    journal_.pop_back();
    Rows& rows = tables_[change.table].rows;
    tables_[change.table].digest.reset();
    if (const auto found = rows.find(change.key); found != rows.end()) {
      bytes_ -= found->second.bytes;
      rows.erase(found);
    }
    if (change.before) {
      bytes_ += change.before->bytes;
      rows.emplace(change.key, *std::move(change.before));
    }
  }
}

base::Digest Tables::DigestOf(size_t table) const {
  std::optional<base::Digest>& digest = tables_[table].digest;
  if (!digest) {
    std::string text;
    for (const auto& [key, row] : rows(table)) {
      absl::StrAppend(&text, json::Canonical(row.document.root()), "\n");
    }
    digest = base::DigestOf(text);
  }
  return *digest;
}

}  // namespace tipstaff::engine
