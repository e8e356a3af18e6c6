#include "mediator/ledger/migrations.h"

#include <map>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "mediator/base/status.h"

namespace tipstaff::ledger {
namespace {

using Schema = std::map<std::string, std::string>;  // type and name -> SQL

absl::StatusOr<int> AskNumber(Database& database, absl::string_view sql) {
  TIPSTAFF_ASSIGN_OR_RETURN(const std::string text, database.Ask(sql));
  int number = 0;
  if (!absl::SimpleAtoi(text, &number)) {
    return absl::InternalError(absl::StrCat("sqlite answered `", text, "` to `", sql, "`"));
  }
  return number;
}

absl::Status NotALedger(const std::string& path, absl::string_view why) {
  return absl::DataLossError(absl::StrCat("`", path, "` is not a ledger: ", why));
}

// Stops after `most` objects: nothing that is longer can be equal.
absl::StatusOr<Schema> ReadSchema(Database& database, Objects objects, size_t most) {
  TIPSTAFF_ASSIGN_OR_RETURN(
      Statement statement,
      database.Prepare(
          "SELECT type, name, coalesce(sql, '') FROM sqlite_schema "
          "WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND (?1 OR type <> 'trigger')"));
  statement.BindInteger(1, objects == Objects::kAll);
  Schema schema;
  while (schema.size() <= most) {
    TIPSTAFF_ASSIGN_OR_RETURN(const bool row, statement.Step());
    if (!row) break;
    schema[absl::StrCat(statement.Bytes(0), " ", statement.Bytes(1))] =
        std::string(statement.Bytes(2));
  }
  return schema;
}

absl::StatusOr<Schema> ExpectedSchema(absl::Span<const Migration> migrations, Objects objects) {
  TIPSTAFF_ASSIGN_OR_RETURN(const std::unique_ptr<Database> model,
                            Database::Open("", Database::Mode::kMemory, absl::ZeroDuration()));
  for (const Migration& migration : migrations) {
    TIPSTAFF_RETURN_IF_ERROR(model->Execute(migration.sql));
  }
  return ReadSchema(*model, objects, SIZE_MAX - 1);
}

}  // namespace

absl::StatusOr<int> LedgerVersion(Database& database, absl::Span<const Migration> migrations,
                                  const std::string& path) {
  const absl::StatusOr<int> application = AskNumber(database, "PRAGMA application_id");
  if (absl::IsDataLoss(application.status())) {
    return NotALedger(path, "sqlite cannot read it");
  }
  TIPSTAFF_RETURN_IF_ERROR(application.status());
  TIPSTAFF_ASSIGN_OR_RETURN(const int version, AskNumber(database, "PRAGMA user_version"));
  if (*application == 0 && version == 0) {
    TIPSTAFF_ASSIGN_OR_RETURN(const int objects,
                              AskNumber(database, "SELECT count(*) FROM sqlite_schema"));
    if (objects == 0) return 0;
  }
  if (*application != kApplicationId || version < 1) {
    return NotALedger(path, "it is another program's database");
  }
  const int newest = migrations.back().version;
  if (version > newest) {
    return absl::FailedPreconditionError(absl::StrCat("ledger `", path, "` has format ", version,
                                                      ", this program knows up to ", newest,
                                                      ": use a newer tipstaff"));
  }
  return version;
}

absl::Status Migrate(Database& database, absl::Span<const Migration> migrations,
                     const std::string& path) {
  TIPSTAFF_ASSIGN_OR_RETURN(const int version, LedgerVersion(database, migrations, path));
  if (version == migrations.back().version) return absl::OkStatus();
  std::string script = "BEGIN IMMEDIATE;\n";
  for (const Migration& migration : migrations) {
    if (migration.version > version) absl::StrAppend(&script, migration.sql);
  }
  absl::StrAppend(&script, "PRAGMA application_id = ", kApplicationId, ";\n",
                  "PRAGMA user_version = ", migrations.back().version, ";\nCOMMIT;\n");
  absl::Status status = database.Execute(script);
  if (database.in_transaction()) status.Update(database.Execute("ROLLBACK"));
  return status;
}

absl::Status CheckSchema(Database& database, absl::Span<const Migration> migrations,
                         Objects objects, const std::string& path) {
  TIPSTAFF_ASSIGN_OR_RETURN(const Schema expected, ExpectedSchema(migrations, objects));
  TIPSTAFF_ASSIGN_OR_RETURN(const Schema found, ReadSchema(database, objects, expected.size()));
  for (const auto& [object, sql] : expected) {
    const auto it = found.find(object);
    if (it == found.end()) return NotALedger(path, absl::StrCat("it has no ", object));
    if (it->second != sql) return NotALedger(path, absl::StrCat("its ", object, " is different"));
  }
  for (const auto& [object, sql] : found) {
    if (!expected.contains(object)) {
      return NotALedger(path, absl::StrCat("it has a ", base::EscapeAndCut(object, 80)));
    }
  }
  return absl::OkStatus();
}

}  // namespace tipstaff::ledger
