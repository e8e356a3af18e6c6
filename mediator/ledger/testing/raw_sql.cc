#include "mediator/ledger/testing/raw_sql.h"

#include <sqlite3.h>

namespace tipstaff::ledger {

std::string RawSql(const std::string& path, const std::string& sql) {
  sqlite3* connection = nullptr;
  std::string answer;
  char* error = nullptr;
  if (sqlite3_open(path.c_str(), &connection) != SQLITE_OK) {
    answer = sqlite3_errmsg(connection);
  } else {
    sqlite3_exec(
        connection, sql.c_str(),
        [](void* out, int, char** values, char**) {
          auto& text = *static_cast<std::string*>(out);
          if (text.empty() && values[0] != nullptr) text = values[0];
          return 0;
        },
        &answer, &error);
    if (error != nullptr) answer = error;
  }
  sqlite3_free(error);
  sqlite3_close(connection);
  return answer;
}

}  // namespace tipstaff::ledger
