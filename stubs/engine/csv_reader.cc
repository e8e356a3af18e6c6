#include "stubs/engine/csv_reader.h"

#include <algorithm>

namespace tipstaff::engine {

bool CsvReader::Fail(size_t begin, size_t end, std::string message, std::string label) {
  problem_ = CsvProblem{begin, end, std::move(message), std::move(label)};
  return false;
}

bool CsvReader::SkipLineEnd() {
  if (text_.substr(at_, 2) == "\r\n") {
    at_ += 2;
  } else if (text_.substr(at_, 1) == "\n") {
    ++at_;
  } else {
    return false;
  }
  return true;
}

bool CsvReader::ReadQuoted(CsvCell& cell) {
  cell.quoted = true;
  ++at_;
  for (;;) {
    const size_t quote = text_.find('"', at_);
    if (quote == absl::string_view::npos) {
      return Fail(cell.begin, cell.begin + 1, "a quoted cell does not end",
                  "a quote inside it is written \"\"");
    }
    cell.text.append(text_.data() + at_, quote - at_);
    at_ = quote + 1;
    if (text_.substr(at_, 1) != "\"") return true;
    cell.text += '"';
    ++at_;
  }
}

bool CsvReader::ReadCell(CsvCell& cell) {
  cell.begin = at_;
  if (text_.substr(at_, 1) == "\"") {
    if (!ReadQuoted(cell)) return false;
  } else {
    at_ = std::min(text_.find_first_of(",\r\n\"", at_), text_.size());
    cell.text.assign(text_.data() + cell.begin, at_ - cell.begin);
  }
  cell.end = at_;
  if (at_ == text_.size() || text_[at_] == ',' || text_[at_] == '\n' ||
      text_.substr(at_, 2) == "\r\n") {
    return true;
  }
  if (text_[at_] == '\r') {
    return Fail(at_, at_ + 1, "a carriage return without a line feed",
                "quote a cell that holds one");
  }
  return cell.quoted ? Fail(at_, at_ + 1, "a quoted cell goes on after its closing quote",
                            "a quote inside it is written \"\"")
                     : Fail(at_, at_ + 1, "a quote inside a cell that does not begin with one",
                            "quote the whole cell, and write \"\" for a quote inside it");
}

std::optional<std::vector<CsvCell>> CsvReader::Next() {
  while (SkipLineEnd()) {
  }
  if (at_ == text_.size() || problem_) return std::nullopt;
  std::vector<CsvCell> record;
  for (;;) {
    if (!ReadCell(record.emplace_back())) return std::nullopt;
    if (text_.substr(at_, 1) != ",") break;
    ++at_;
  }
  SkipLineEnd();
  return record;
}

}  // namespace tipstaff::engine
