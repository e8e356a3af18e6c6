// Comma-separated values (RFC 4180), record by record, with the place of every cell.
//
// Debian's libcsv reads them too, but does not say where in the file a cell stands, nor where the
// mistake is in one that it refuses.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace tipstaff::engine {

struct CsvCell {
  std::string text;  // without the quotes around it, "" inside as one quote
  bool quoted = false;
  size_t begin = 0, end = 0;  // bytes of the file, with the quotes
};

struct CsvProblem {
  size_t begin = 0, end = 0;
  std::string message;
  std::string label;
};

// Lines end with LF or CRLF; those that are empty are passed over. Spaces are part of a cell. A
// quoted cell may hold commas, line ends and doubled quotes. `text` must outlive it.
class CsvReader {
 public:
  explicit CsvReader(absl::string_view text) : text_(text) {}

  // The next record, which has at least one cell; nothing at the end or at a problem.
  std::optional<std::vector<CsvCell>> Next();
  const std::optional<CsvProblem>& problem() const { return problem_; }

 private:
  bool ReadCell(CsvCell& cell);
  bool ReadQuoted(CsvCell& cell);
  // Moves past the end of a line and says whether there was one.
  bool SkipLineEnd();
  bool Fail(size_t begin, size_t end, std::string message, std::string label);

  const absl::string_view text_;
  size_t at_ = 0;
  std::optional<CsvProblem> problem_;
};

}  // namespace tipstaff::engine
