// Reads a skill's file value by value, and keeps what is wrong with it.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "mediator/schema/program.h"
#include "mediator/source/document.h"

namespace tipstaff::policy::internal {

class Reader {
 public:
  // Both must outlive it.
  Reader(const source::Document& document, source::Diagnostics& diagnostics)
      : document_(document), diagnostics_(diagnostics) {}

  // While it lives, diagnostics carry the note.
  class Within {
   public:
    Within(Reader& reader, std::string note) : reader_(reader) {
      reader_.notes_.push_back(std::move(note));
    }
    ~Within() { reader_.notes_.pop_back(); }
    Within(const Within&) = delete;
    Within& operator=(const Within&) = delete;

   private:
    Reader& reader_;
  };

  void Error(json::Value at, const char* code, std::string message, std::string label = "");
  void ErrorAtKey(json::Value at, const char* code, std::string message, std::string label = "");
  void Warn(json::Value at, const char* code, std::string message, std::string label = "");
  void WarnAtKey(json::Value at, const char* code, std::string message, std::string label = "");
  // A key that has to be there. Says nothing when it is there misspelt, which was reported.
  void MissingKey(json::Value mapping, absl::string_view key, std::string message,
                  std::string label = "");
  // One of them has to be there.
  void MissingOneOf(json::Value mapping, absl::Span<const absl::string_view> keys,
                    std::string message, std::string label);
  // "did you mean `x`?", or the names that there are where they are few, or "".
  static std::string Suggestion(absl::string_view wrong, absl::Span<const std::string> known);

  // False when `value` is not a mapping. `known` are the keys of `what` ("a permission").
  bool CheckMapping(json::Value value, absl::string_view what,
                    absl::Span<const absl::string_view> known);
  // The member when it is there and of the kind, else nothing and an error.
  std::optional<std::string> RequireText(json::Value mapping, absl::string_view key,
                                         absl::string_view what);
  // As RequireText, but may be absent.
  std::optional<std::string> Text(json::Value mapping, absl::string_view key);
  // A name as skills, permissions and backends have it.
  std::optional<std::string> RequireName(json::Value mapping, absl::string_view key,
                                         absl::string_view what);
  bool CheckName(json::Value at, absl::string_view name, bool at_key);
  // The list under `key`; missing when it is absent, or is no list (an error).
  json::Value List(json::Value mapping, absl::string_view key);

  void AddProblems(absl::Span<const schema::Problem> problems);

  bool failed() const { return failed_; }
  int LineOf(json::Value value) const;
  const source::Document& document() const { return document_; }

 private:
  void Add(source::Diagnostic diagnostic, source::Severity severity, std::string label);

  const source::Document& document_;
  source::Diagnostics& diagnostics_;
  std::vector<std::string> notes_;
  // Keys that an unknown key of their mapping stands for, by the mapping's index.
  std::set<std::pair<uint32_t, std::string>> misspelt_;
  bool failed_ = false;
};

// "a list", "a text".
std::string KindInWords(json::Value value);
// "`text`", escaped and cut.
std::string Shown(absl::string_view text);

}  // namespace tipstaff::policy::internal
