// Access to a ledger's file behind the ledger's back: for tests.
#pragma once

#include <string>

namespace tipstaff::ledger {

// Runs SQL on the file with a connection of its own that may do anything. Returns the first column
// of the first row, or the error's text.
std::string RawSql(const std::string& path, const std::string& sql);

}  // namespace tipstaff::ledger
