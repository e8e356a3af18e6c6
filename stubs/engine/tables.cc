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
    for (const auto& [key, row] : definition.rows) bytes_ += row.bytes();
  }
}

const json::Document* Tables::Find(size_t table, absl::string_view key) const {
  const auto found = rows(table).find(key);
  return found == rows(table).end() ? nullptr : &found->second;
}

bool Tables::HasKey(absl::string_view key) const {
  for (const Table& table : tables_) {
    if (table.rows.find(key) != table.rows.end()) return true;
  }
  return false;
}

absl::Status Tables::CheckColumns(size_t table, absl::string_view key, json::Value row) const {
  const std::optional<Columns>& columns = definitions_[table].columns;
  const auto misfit = columns ? columns->Check(row) : std::nullopt;
  if (!misfit) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("table `", definitions_[table].name, "`, row `",
                                                 Show(key), "`, ", ShowMisfit(*misfit)));
}

absl::Status Tables::Put(size_t table, absl::string_view key, absl::string_view operation,
                         json::Document row) {
  TIPSTAFF_RETURN_IF_ERROR(CheckColumns(table, key, row.root()));
  Rows& rows = tables_[table].rows;
  const auto found = rows.find(key);
  const size_t bytes_before = found == rows.end() ? 0 : found->second.bytes();
  if (bytes_ - bytes_before + row.bytes() > kMaxStateBytes) {
    return absl::ResourceExhaustedError(absl::StrCat("the stub's tables hold ",
                                                     base::ShowBytes(bytes_), "; they may hold ",
                                                     base::ShowBytes(kMaxStateBytes)));
  }
  if (journal_bytes_ + row.bytes() > kMaxCallBytes) {
    return absl::ResourceExhaustedError(absl::StrCat(
        "the rows that this call makes are larger than ", base::ShowBytes(kMaxCallBytes)));
  }
  journal_bytes_ += row.bytes();
  bytes_ += row.bytes() - bytes_before;
  Entry entry{table, std::string(key), operation, std::nullopt, row};
  if (found == rows.end()) {
    rows.emplace(key, std::move(row));
  } else {
    entry.before = std::exchange(found->second, std::move(row));
  }
  tables_[table].digest.reset();
  journal_.push_back(std::move(entry));
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
  bytes_ -= found->second.bytes();
  journal_.push_back({table, std::string(key), "delete", std::move(found->second), std::nullopt});
  rows.erase(found);
  tables_[table].digest.reset();
  return absl::OkStatus();
}

std::vector<Change> Tables::Changes() const {
  std::vector<Change> changes;
  changes.reserve(journal_.size());
  for (const Entry& entry : journal_) {
    changes.push_back({definitions_[entry.table].name, entry.key, entry.operation,
                       entry.after.value_or(json::Document()),
                       entry.before.value_or(json::Document())});
  }
  return changes;
}

void Tables::Rollback() {
  journal_bytes_ = 0;
  while (!journal_.empty()) {
    const Entry entry = std::move(journal_.back());
    journal_.pop_back();
    Rows& rows = tables_[entry.table].rows;
    tables_[entry.table].digest.reset();
    if (entry.after) bytes_ -= entry.after->bytes();
    if (entry.before) {
      bytes_ += entry.before->bytes();
      rows[entry.key] = *entry.before;
    } else {
      rows.erase(entry.key);
    }
  }
}

base::Digest Tables::DigestOf(size_t table) const {
  std::optional<base::Digest>& digest = tables_[table].digest;
  if (!digest) {
    std::string text;
    for (const auto& [key, row] : rows(table)) {
      absl::StrAppend(&text, json::Canonical(row.root()), "\n");
    }
    digest = base::DigestOf(text);
  }
  return *digest;
}

}  // namespace tipstaff::engine
