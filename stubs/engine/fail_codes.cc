// Error codes in the text of a script.
#include <set>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "stubs/engine/coverage.h"
#include "stubs/engine/load.h"

namespace tipstaff::engine {
namespace {

// As much of Lua's lexical structure (manual 5.4, section 3.1) as finding calls takes.
class Reader {
 public:
  explicit Reader(absl::string_view text) : text_(text) {}

  std::set<std::string> Codes() {
    bool after_fail = false;
    while (!text_.empty()) {
      if (SkipComment() || SkipSpace()) continue;
      const std::string word = TakeWord();
      if (!word.empty()) {
        after_fail = word == "fail";
        continue;
      }
      if (text_.front() == '(' && after_fail) {
        text_.remove_prefix(1);  // the text that may follow is the next token
        continue;
      }
      const bool literal = text_.front() == '"' || text_.front() == '\'';
      const std::string taken = TakeText();
      if (after_fail && literal && IsErrorCode(taken)) codes_.insert(taken);
      after_fail = false;
    }
    return codes_;
  }

 private:
  // The `=`s between the brackets when a long bracket opens at `at`, else -1.
  int LongBracket(size_t at) const {
    if (at >= text_.size() || text_[at] != '[') return -1;
    size_t end = at + 1;
    while (end < text_.size() && text_[end] == '=') ++end;
    return end < text_.size() && text_[end] == '[' ? static_cast<int>(end - at - 1) : -1;
  }

  void SkipTo(absl::string_view mark) {
    const size_t end = text_.find(mark);
    text_.remove_prefix(end == absl::string_view::npos ? text_.size() : end + mark.size());
  }

  void SkipLong(int level) { SkipTo("]" + std::string(level, '=') + "]"); }

  bool SkipComment() {
    if (!absl::StartsWith(text_, "--")) return false;
    const int level = LongBracket(2);
    if (level >= 0) {
      SkipLong(level);
    } else {
      SkipTo("\n");
    }
    return true;
  }

  bool SkipSpace() {
    if (!absl::ascii_isspace(text_.front())) return false;
    text_.remove_prefix(1);
    return true;
  }

  std::string TakeWord() {
    size_t end = 0;
    while (end < text_.size() && (absl::ascii_isalnum(text_[end]) || text_[end] == '_')) ++end;
    const std::string word(text_.substr(0, end));
    text_.remove_prefix(end);
    return word;
  }

  // A quoted text's content, a long one as "", or one other character.
  std::string TakeText() {
    if (const int level = LongBracket(0); level >= 0) {
      SkipLong(level);
      return "";
    }
    const char quote = text_.front();
    text_.remove_prefix(1);
    if (quote != '"' && quote != '\'') return "";
    std::string content;
    while (!text_.empty() && text_.front() != quote && text_.front() != '\n') {
      if (text_.front() == '\\' && text_.size() > 1) {
        content += text_.front();
        text_.remove_prefix(1);
      }
      content += text_.front();
      text_.remove_prefix(1);
    }
    if (!text_.empty()) text_.remove_prefix(1);
    return content;
  }

  absl::string_view text_;
  std::set<std::string> codes_;
};

}  // namespace

std::vector<std::string> FailCodes(absl::string_view lua) {
  const std::set<std::string> codes = Reader(lua).Codes();
  return {codes.begin(), codes.end()};
}

}  // namespace tipstaff::engine
