#include "mediator/ledger/database.h"

#include <sqlite3.h>
#include <sys/stat.h>

#include <cerrno>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "mediator/base/file.h"
#include "mediator/base/status.h"

namespace tipstaff::ledger {
namespace {

absl::StatusCode CodeOf(int extended) {
  if (extended == SQLITE_IOERR_SHMSIZE || extended == SQLITE_IOERR_NOMEM) {
    return absl::StatusCode::kResourceExhausted;
  }
  switch (extended & 0xFF) {
    case SQLITE_FULL:
    case SQLITE_NOMEM:
      return absl::StatusCode::kResourceExhausted;
    case SQLITE_IOERR:
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return absl::StatusCode::kDataLoss;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return absl::StatusCode::kUnavailable;
    case SQLITE_PERM:
    case SQLITE_AUTH:
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
      return absl::StatusCode::kPermissionDenied;
    case SQLITE_TOOBIG:
      return absl::StatusCode::kInvalidArgument;
    default:
      return absl::StatusCode::kInternal;
  }
}

// SQLite takes only ENOSPC for a full disk. What was written in part counts for nothing then
// either; of a sync that fails it does.
bool IsNoRoom(int extended, int system_error) {
  if (extended != SQLITE_IOERR_WRITE && (extended & 0xFF) != SQLITE_CANTOPEN) return false;
  return system_error == EDQUOT || system_error == ENOSPC || system_error == EFBIG;
}

absl::Status ToStatus(int code, sqlite3* connection) {
  const char* path = connection ? sqlite3_db_filename(connection, "main") : nullptr;
  // The connection's text may quote a foreign file's schema.
  const std::string cause =
      base::EscapeAndCut(connection ? sqlite3_errmsg(connection) : sqlite3_errstr(code), 200);
  const bool no_room = connection && IsNoRoom(code, sqlite3_system_errno(connection));
  return absl::Status(
      no_room ? absl::StatusCode::kResourceExhausted : CodeOf(code),
      absl::StrCat("ledger `", path ? path : "", "`: ", cause, " (sqlite ", code, ")"));
}

// A path as a URI: everything but unreserved characters and the slash is escaped.
std::string FileUri(absl::string_view path, absl::string_view query) {
  std::string uri = "file:";
  for (const char c : path) {
    if (absl::ascii_isalnum(c) || c == '/' || c == '.' || c == '-' || c == '_') {
      uri += c;
    } else {
      absl::StrAppend(&uri, "%", absl::Hex(static_cast<unsigned char>(c), absl::kZeroPad2));
    }
  }
  absl::StrAppend(&uri, query);
  return uri;
}

// A ledger may come from somebody else: its schema is not trusted, its cells are checked.
void Harden(sqlite3* connection) {
  sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, nullptr);
  sqlite3_limit(connection, SQLITE_LIMIT_ATTACHED, 0);
  sqlite3_exec(connection, "PRAGMA cell_size_check = ON", nullptr, nullptr, nullptr);
}

int CountPages(void* pages, sqlite3*, const char*, int in_wal) {
  *static_cast<int*>(pages) = in_wal;
  return SQLITE_OK;
}

}  // namespace

Statement::~Statement() { sqlite3_finalize(statement_); }

Statement& Statement::BindInteger(int parameter, int64_t value) {
  const int code = sqlite3_bind_int64(statement_, parameter, value);
  if (bound_ == SQLITE_OK) bound_ = code;
  return *this;
}

Statement& Statement::BindText(int parameter, absl::string_view text) {
  // A view of nothing may have a null pointer, which would bind NULL.
  const char* bytes = text.empty() ? "" : text.data();
  const int code =
      sqlite3_bind_text64(statement_, parameter, bytes, text.size(), SQLITE_STATIC, SQLITE_UTF8);
  if (bound_ == SQLITE_OK) bound_ = code;
  return *this;
}

Statement& Statement::BindBlob(int parameter, absl::string_view bytes) {
  const char* data = bytes.empty() ? "" : bytes.data();
  const int code = sqlite3_bind_blob64(statement_, parameter, data, bytes.size(), SQLITE_STATIC);
  if (bound_ == SQLITE_OK) bound_ = code;
  return *this;
}

Statement& Statement::BindNull(int parameter) {
  const int code = sqlite3_bind_null(statement_, parameter);
  if (bound_ == SQLITE_OK) bound_ = code;
  return *this;
}

absl::StatusOr<bool> Statement::Step() {
  sqlite3* const connection = sqlite3_db_handle(statement_);
  if (bound_ != SQLITE_OK) return ToStatus(bound_, connection);
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return ToStatus(sqlite3_extended_errcode(connection), connection);
}

void Statement::Reset() {
  sqlite3_reset(statement_);
  sqlite3_clear_bindings(statement_);
  bound_ = SQLITE_OK;
}

absl::Status Statement::Run() {
  const Resetting resetting(*this);
  for (;;) {
    TIPSTAFF_ASSIGN_OR_RETURN(const bool row, Step());
    if (!row) return absl::OkStatus();
  }
}

int64_t Statement::Integer(int column) const { return sqlite3_column_int64(statement_, column); }

absl::string_view Statement::Bytes(int column) const {
  const void* bytes = sqlite3_column_blob(statement_, column);
  if (bytes == nullptr) return {};
  return {static_cast<const char*>(bytes),
          static_cast<size_t>(sqlite3_column_bytes(statement_, column))};
}

absl::StatusOr<std::unique_ptr<Database>> Database::Open(const std::string& path, Mode mode,
                                                         absl::Duration lock_timeout) {
  int flags = SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX;
  std::string name;
  switch (mode) {
    case Mode::kWrite:
      flags |= SQLITE_OPEN_READWRITE;
      name = FileUri(path, "?mode=rw");
      break;
    case Mode::kRead:
      flags |= SQLITE_OPEN_READONLY;
      name = FileUri(path, "?mode=ro");
      break;
    case Mode::kImmutable:
      flags |= SQLITE_OPEN_READONLY;
      name = FileUri(path, "?mode=ro&immutable=1");
      break;
    case Mode::kMemory:
      flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY;
      name = "file::memory:";
      break;
  }
  sqlite3* connection = nullptr;
  const int code = sqlite3_open_v2(name.c_str(), &connection, flags, nullptr);
  if (code != SQLITE_OK) {
    const absl::Status status =
        ToStatus(connection ? sqlite3_extended_errcode(connection) : code, connection);
    sqlite3_close(connection);
    return status;
  }
  auto database = std::unique_ptr<Database>(new Database(connection, path));
  sqlite3_extended_result_codes(connection, 1);
  sqlite3_busy_timeout(connection, static_cast<int>(absl::ToInt64Milliseconds(lock_timeout)));
  sqlite3_wal_hook(connection, CountPages, &database->wal_pages_);  // and no automatic checkpoint
  Harden(connection);
  return database;
}

Database::~Database() { sqlite3_close(connection_); }

absl::StatusOr<Statement> Database::Prepare(absl::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v3(connection_, sql.data(), static_cast<int>(sql.size()),
                                      SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
  if (code != SQLITE_OK) return ToStatus(code, connection_);
  return Statement(statement);
}

absl::Status Database::Execute(const std::string& sql) {
  const int code = sqlite3_exec(connection_, sql.c_str(), nullptr, nullptr, nullptr);
  return code == SQLITE_OK ? absl::OkStatus() : ToStatus(code, connection_);
}

absl::StatusOr<std::string> Database::Ask(absl::string_view sql) {
  TIPSTAFF_ASSIGN_OR_RETURN(Statement statement, Prepare(sql));
  TIPSTAFF_ASSIGN_OR_RETURN(const bool row, statement.Step());
  return row ? std::string(statement.Bytes(0)) : std::string();
}

bool Database::in_transaction() const { return sqlite3_get_autocommit(connection_) == 0; }

absl::Status Database::Checkpoint() {
  int in_log = -1, copied = -1;
  const int code =
      sqlite3_wal_checkpoint_v2(connection_, "main", SQLITE_CHECKPOINT_PASSIVE, &in_log, &copied);
  if (code != SQLITE_OK) return ToStatus(code, connection_);
  if (in_log >= 0 && copied == in_log) wal_pages_ = 0;
  return absl::OkStatus();
}

absl::StatusOr<uint64_t> Database::GrowthByCheckpoint() {
  uint64_t product = 1;
  for (const char* factor : {"PRAGMA page_count", "PRAGMA page_size"}) {
    TIPSTAFF_ASSIGN_OR_RETURN(Statement statement, Prepare(factor));
    TIPSTAFF_ASSIGN_OR_RETURN(const bool row, statement.Step());
    product *= row ? static_cast<uint64_t>(statement.Integer(0)) : 0;
  }
  struct stat info {};
  if (::stat(path_.c_str(), &info) != 0) {
    return base::ErrnoToStatus(errno, absl::StrCat("ledger `", path_, "`"));
  }
  const auto size = static_cast<uint64_t>(info.st_size);
  return product > size ? product - size : 0;
}

bool Database::StillThere() const {
  int moved = 0;
  const int code = sqlite3_file_control(connection_, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
  return code == SQLITE_OK && moved == 0;
}

}  // namespace tipstaff::ledger
