#include "stubs/engine/csv_file.h"

#include <set>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "mediator/base/utf8.h"
#include "mediator/json/builder.h"
#include "mediator/json/parse.h"
#include "mediator/source/lines.h"
#include "stubs/engine/codes.h"
#include "stubs/engine/csv_reader.h"
#include "stubs/engine/fields.h"

namespace tipstaff::engine {
namespace {

// The number that an unquoted cell says, as JSON writes them; nothing for any other text.
std::optional<json::Document> NumberIn(const std::string& text) {
  const auto is_edge = [](char c) { return absl::ascii_isdigit(c) || c == '-'; };
  if (text.empty() || !is_edge(text.front()) || !is_edge(text.back())) return std::nullopt;
  absl::StatusOr<json::Document> number = json::Parse(text);
  if (!number.ok() || !number->root().is_number()) return std::nullopt;
  return *std::move(number);
}

void AddCell(const CsvCell& cell, const ColumnKinds& kinds, json::Builder& builder) {
  if (cell.quoted && kinds.text) {
    builder.String(cell.text);
    return;
  }
  if (kinds.null && cell.text == "null") {
    builder.Null();
  } else if (kinds.boolean && (cell.text == "true" || cell.text == "false")) {
    builder.Bool(cell.text == "true");
  } else if (const auto number = kinds.integer || kinds.number ? NumberIn(cell.text) : std::nullopt;
             number && (kinds.number || number->root().is_integer())) {
    builder.Copy(number->root());
  } else {
    builder.String(cell.text);
  }
}

class CsvFile {
 public:
  CsvFile(std::shared_ptr<const source::File> file, const Columns* columns,
          source::Diagnostics& diagnostics)
      : file_(std::move(file)),
        columns_(columns),
        diagnostics_(diagnostics),
        lines_(file_->text),
        reader_(file_->text) {}

  std::optional<source::Document> Read() && {
    if (!IsText() || !ReadHeader()) return std::nullopt;
    builder_.StartArray();
    values_.push_back(lines_.SpanOf(0, 1));
    keys_.emplace_back();
    while (const std::optional<std::vector<CsvCell>> record = reader_.Next()) {
      if (!AddRow(*record)) return std::nullopt;
    }
    if (reader_.problem()) return ReaderFailed(), std::nullopt;
    builder_.EndArray();
    absl::StatusOr<json::Document> rows = std::move(builder_).Build();
    if (!rows.ok()) return Error(0, 1, std::string(rows.status().message()), ""), std::nullopt;
    return source::Document(file_, *std::move(rows), std::move(values_), std::move(keys_));
  }

 private:
  // Always false.
  bool Error(size_t begin, size_t end, std::string message, std::string label) {
    source::Diagnostic diagnostic;
    diagnostic.code = kDataCode;
    diagnostic.message = std::move(message);
    diagnostic.label = std::move(label);
    diagnostic.file = file_;
    diagnostic.span = lines_.SpanOf(begin, end);
    diagnostics_.push_back(std::move(diagnostic));
    return false;
  }

  void ReaderFailed() {
    const CsvProblem& problem = *reader_.problem();
    Error(problem.begin, problem.end, problem.message, problem.label);
  }

  bool IsText() {
    const std::string& text = file_->text;
    if (absl::string_view(text).substr(0, 3) == "\xef\xbb\xbf") {
      return Error(0, 3, "begins with a byte order mark", "save it as UTF-8 without one");
    }
    if (const size_t nul = text.find('\0'); nul != std::string::npos) {
      return Error(nul, nul + 1, "a NUL character", "");
    }
    if (base::IsUtf8(text)) return true;
    size_t at = 0;
    while (base::FirstCodePoint(absl::string_view(text).substr(at)).valid) {
      at += base::FirstCodePoint(absl::string_view(text).substr(at)).bytes;
    }
    return Error(at, at + 1, "a byte that is not UTF-8", "save the file as UTF-8");
  }

  bool ReadHeader() {
    const std::optional<std::vector<CsvCell>> header = reader_.Next();
    if (!header) {
      if (!reader_.problem())
        return Error(0, 1, "the file is empty", "the first line names columns");
      ReaderFailed();
      return false;
    }
    std::set<std::string> seen;
    for (const CsvCell& cell : *header) {
      if (!AddColumn(cell, seen)) return false;
    }
    return true;
  }

  bool AddColumn(const CsvCell& cell, std::set<std::string>& seen) {
    const std::string shown = absl::StrCat("`", base::EscapeAndCut(cell.text, 64), "`");
    if (cell.text.empty()) return Error(cell.begin, cell.end, "a column without a name", "");
    if (!seen.insert(cell.text).second) {
      return Error(cell.begin, cell.end, absl::StrCat("a second column ", shown), "");
    }
    const Column* column = columns_ == nullptr ? nullptr : columns_->Find(cell.text);
    if (columns_ != nullptr && column == nullptr) {
      std::string label = Suggest(cell.text, columns_->Names());
      if (cell.text.find_first_of(";\t") != std::string::npos) {
        label = "cells are separated by commas";
      }
      return Error(cell.begin, cell.end, absl::StrCat("the table has no column ", shown), label);
    }
    ColumnKinds text_only;
    text_only.text = true;
    names_.push_back({cell.text, column == nullptr ? text_only : column->kinds,
                      lines_.SpanOf(cell.begin, cell.end)});
    return true;
  }

  bool AddRow(const std::vector<CsvCell>& record) {
    if (record.size() != names_.size()) {
      const CsvCell& last = record.size() > names_.size() ? record[names_.size()] : record.back();
      return Error(last.begin, last.end,
                   absl::StrCat("a row of ", record.size(), " cells where the first line names ",
                                names_.size(), " columns"),
                   record.size() > names_.size() ? "quote a cell that holds a comma" : "");
    }
    builder_.StartObject();
    values_.push_back(lines_.SpanOf(record.front().begin, record.back().end));
    keys_.emplace_back();
    for (size_t i = 0; i < record.size(); ++i) {
      if (record[i].text.empty() && !record[i].quoted) continue;
      builder_.Key(names_[i].name);
      AddCell(record[i], names_[i].kinds, builder_);
      values_.push_back(lines_.SpanOf(record[i].begin, record[i].end));
      keys_.push_back(names_[i].span);
    }
    builder_.EndObject();
    return true;
  }

  struct Name {
    std::string name;
    ColumnKinds kinds;
    source::Span span;
  };

  const std::shared_ptr<const source::File> file_;
  const Columns* const columns_;
  source::Diagnostics& diagnostics_;
  const source::Lines lines_;
  CsvReader reader_;
  std::vector<Name> names_;
  json::Builder builder_;
  std::vector<source::Span> values_, keys_;
};

}  // namespace

std::optional<source::Document> ParseCsvFile(std::shared_ptr<const source::File> file,
                                             const Columns* columns,
                                             source::Diagnostics& diagnostics) {
  return CsvFile(std::move(file), columns, diagnostics).Read();
}

}  // namespace tipstaff::engine
