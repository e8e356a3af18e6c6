#include "stubs/engine/json_file.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "mediator/json/parse.h"
#include "mediator/source/lines.h"
#include "stubs/engine/codes.h"

namespace tipstaff::engine {
namespace {

// Where the values of a JSON text stand, in the order in which they begin, which is that of
// json::Value::index(). The text has been parsed, so that it holds no surprises.
class Places {
 public:
  explicit Places(absl::string_view text) : text_(text), lines_(text) {
    while (at_ < text_.size()) Step();
    for (const Extent& extent : values_)
      value_spans_.push_back(lines_.SpanOf(extent.begin, extent.end));
  }

  std::vector<source::Span>& values() { return value_spans_; }
  std::vector<source::Span>& keys() { return key_spans_; }

 private:
  struct Extent {
    size_t begin, end;
  };
  struct Open {
    size_t value;  // index in values_
    bool is_object;
    bool key_is_due;
  };

  void Step() {
    const char c = text_[at_];
    if (c == '{' || c == '[') {
      Add(at_, at_ + 1);
      open_.push_back({values_.size() - 1, c == '{', c == '{'});
      ++at_;
    } else if (c == '}' || c == ']') {
      values_[open_.back().value].end = ++at_;
      open_.pop_back();
    } else if (c == ',') {
      open_.back().key_is_due = open_.back().is_object;
      ++at_;
    } else if (c == '"') {
      StepOverString();
    } else if (absl::StrContains(" \t\r\n:", c)) {
      ++at_;
    } else {
      const size_t end = std::min(text_.find_first_of(" \t\r\n,]}", at_), text_.size());
      Add(at_, end);
      at_ = end;
    }
  }

  void StepOverString() {
    const size_t begin = at_++;
    while (text_[at_] != '"') at_ += text_[at_] == '\\' ? 2 : 1;
    ++at_;
    if (!open_.empty() && std::exchange(open_.back().key_is_due, false)) {
      key_ = lines_.SpanOf(begin, at_);
    } else {
      Add(begin, at_);
    }
  }

  void Add(size_t begin, size_t end) {
    values_.push_back({begin, end});
    key_spans_.push_back(std::exchange(key_, source::Span{}));
  }

  const absl::string_view text_;
  const source::Lines lines_;
  size_t at_ = 0;
  std::vector<Open> open_;
  std::vector<Extent> values_;
  source::Span key_;
  std::vector<source::Span> value_spans_, key_spans_;
};

// The message of json::Parse() names the byte; a reader wants line and column.
source::Diagnostic ToDiagnostic(const absl::Status& status,
                                std::shared_ptr<const source::File> file) {
  static constexpr char kAtByte[] = " at byte ";
  std::string message(status.message());
  source::Diagnostic diagnostic;
  diagnostic.code = kDataCode;
  if (const size_t found = message.find(kAtByte); found != std::string::npos) {
    const size_t digits = found + std::size(kAtByte) - 1;
    size_t end = message.find_first_not_of("0123456789", digits);
    if (end == std::string::npos) end = message.size();
    size_t at = 0;
    if (absl::SimpleAtoi(message.substr(digits, end - digits), &at)) {
      diagnostic.span = source::Lines(file->text).SpanOf(at, at + 1);
      message.erase(found, end - found);
    }
  }
  diagnostic.message = std::move(message);
  diagnostic.file = std::move(file);
  return diagnostic;
}

}  // namespace

std::optional<source::Document> ParseJsonFile(std::shared_ptr<const source::File> file,
                                              source::Diagnostics& diagnostics) {
  absl::StatusOr<json::Document> document = json::Parse(file->text);
  if (!document.ok()) {
    diagnostics.push_back(ToDiagnostic(document.status(), std::move(file)));
    return std::nullopt;
  }
  Places places(file->text);
  return source::Document(std::move(file), *std::move(document), std::move(places.values()),
                          std::move(places.keys()));
}

}  // namespace tipstaff::engine
