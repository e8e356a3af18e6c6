#include "mediator/source/tokens.h"

#include <algorithm>

namespace tipstaff::source {

Style StyleAt(absl::string_view text, size_t offset) {
  switch (CharAt(text, offset)) {
    case '"':
    case '\'':
      return Style::kQuoted;
    case '|':
    case '>':
      return Style::kBlock;
    default:
      return Style::kPlain;
  }
}

size_t EndOfQuoted(absl::string_view text, size_t offset) {
  const char quote = text[offset];
  for (size_t i = offset + 1; i < text.size(); ++i) {
    if (quote == '"' && text[i] == '\\') {
      ++i;
    } else if (text[i] == quote) {
      const bool doubled = quote == '\'' && CharAt(text, i + 1) == quote;
      if (!doubled) return i + 1;
      ++i;
    }
  }
  return absl::string_view::npos;
}

size_t FindUnclosedQuote(absl::string_view text, size_t offset) {
  constexpr absl::string_view kBefore = " \t\n,[{:";  // a scalar begins behind one of these
  for (size_t i = offset; i < text.size();) {
    const bool begins = i == 0 || kBefore.find(text[i - 1]) != kBefore.npos;
    if (begins && text[i] == '#') {
      i = text.find('\n', i);
    } else if (begins && StyleAt(text, i) == Style::kQuoted) {
      const size_t end = EndOfQuoted(text, i);
      if (end == absl::string_view::npos) return i;
      i = end;
    } else {
      ++i;
    }
  }
  return absl::string_view::npos;
}

bool HasUnknownEscape(absl::string_view quoted) {
  if (quoted.empty() || quoted[0] != '"') return false;
  for (size_t i = quoted.find('\\'); i < quoted.size(); i = quoted.find('\\', i + 2)) {
    if (CharAt(quoted, i + 1) == '\'') return true;
  }
  return false;
}

size_t EndOfBlockHeader(absl::string_view text, size_t offset) {
  return std::min(text.find_first_not_of("|>+-0123456789", offset), text.size());
}

size_t SkipBlanks(absl::string_view text, size_t offset) {
  return std::min(text.find_first_not_of(" \t", offset), text.size());
}

bool IsWordAt(absl::string_view text, size_t offset, absl::string_view word) {
  if (offset > text.size() || text.substr(offset, word.size()) != word) return false;
  const size_t end = offset + word.size();
  return end >= text.size() || absl::string_view(" \t\n,]}:").find(text[end]) != word.npos;
}

char CharAt(absl::string_view text, size_t offset) {
  return offset < text.size() ? text[offset] : '\0';
}

}  // namespace tipstaff::source
