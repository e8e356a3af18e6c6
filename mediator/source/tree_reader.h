// From the events of a YAML parser to a Document, refusing what is outside the strict subset.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "mediator/json/builder.h"
#include "mediator/source/document.h"
#include "mediator/source/lines.h"
#include "mediator/source/tokens.h"

namespace tipstaff::source {

// Takes events in the order of the file, each with the offset in bytes of its first character.
// Checks them against the text itself, as yaml-cpp accepts more than YAML and does not report how
// a token was written. A method returns false when reading on is of no use. Not thread-safe.
class TreeReader {
 public:
  // `text` is the file's with LF line ends; both views must outlive this.
  TreeReader(std::shared_ptr<const File> file, absl::string_view text, const Lines& lines);

  bool StartDocument(size_t offset);
  bool Null(size_t offset);
  bool Scalar(size_t offset, const std::string& value);
  bool Start(size_t offset, json::Kind kind);  // kArray or kObject
  bool End();
  bool Alias(size_t offset);

  // The parser stopped with an error that it has in words of its own.
  void SyntaxError(size_t offset, absl::string_view parser_message);

  // Nothing when there was an error; adds what was found to `diagnostics`.
  std::optional<Document> Finish(Diagnostics& diagnostics) &&;

 private:
  static constexpr size_t kMaxDiagnostics = 20;  // of one file; more only repeat one mistake

  // An open mapping or list.
  struct Frame {
    bool object = false;
    bool flow = false;
    size_t offset = 0;
    size_t node = 0;       // its index in values_
    size_t line_end = 0;   // end of what is known to belong to it on its first line
    size_t last_end = 0;   // end of the newest child, npos when that ended on a later line
    bool has_key = false;  // a mapping whose value is due
    std::string key;
    Span key_span;
    absl::flat_hash_map<std::string, int> lines_of_keys;
  };
  struct Extent {
    size_t end = 0;  // of what stands on the first line
    bool one_line = true;
  };

  bool Refuse(const char* code, std::string message, Span span, std::string label = "",
              std::string note = "");
  bool may_go_on() const { return found_.size() < kMaxDiagnostics; }
  bool in_flow() const { return !frames_.empty() && frames_.back().flow; }
  bool awaits_key() const {
    return !frames_.empty() && frames_.back().object && !frames_.back().has_key;
  }

  bool Enter(size_t offset);  // what every event checks
  bool CheckIndentation(size_t offset);
  bool CheckWriting(size_t offset);
  bool HasProperties(size_t offset) const;  // an anchor, alias or tag begins here
  void CheckProperties(size_t offset);
  bool Key(size_t offset, const std::string& value);
  bool AddKey(const std::string& value, Span span);
  bool EmptyValue(size_t offset);
  void ReadScalar(size_t offset, const std::string& value, Span span);
  Extent ExtentOf(size_t offset, const std::string& value);
  void AddNode(Span span);
  void Close(size_t offset, Extent extent);  // a value is complete
  // Of a syntax error: whether it was said what is wrong.
  bool UnclosedFlow(absl::string_view parser_message, size_t offset);
  bool UnclosedQuote(absl::string_view parser_message, size_t offset);
  bool FollowsFolded();
  bool MissesSpace(int line);
  size_t OpenBracket() const;  // of the innermost flow mapping or list; npos
  void DropGuesses();

  std::shared_ptr<const File> file_;
  absl::string_view text_;
  const Lines& lines_;
  Diagnostics found_;
  json::Builder builder_;
  std::vector<Frame> frames_;
  std::vector<Span> values_, keys_;
  Span next_key_;  // of the value to come, line 0 for none
  int documents_ = 0;
  bool ignoring_ = false;  // after a collection as a key: only the parser's verdict matters
  size_t ignored_from_ = 0;
  size_t last_offset_ = absl::string_view::npos;
  size_t folded_offset_ = absl::string_view::npos;  // of the last scalar over several lines
  // A null that was taken for the word and turns out to be empty when the next event is at its
  // place: yaml-cpp gives an empty node the place of the next token.
  std::optional<Span> doubtful_null_;
};

}  // namespace tipstaff::source
