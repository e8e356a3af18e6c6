#include "mediator/clients/json_text.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "mediator/json/parse.h"

namespace tipstaff::clients {
namespace {

bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

size_t SkipSpace(absl::string_view text, size_t at) {
  while (at < text.size() && IsSpace(text[at])) ++at;
  return at;
}

// Behind the closing quote of the string that begins at `at`.
size_t EndOfString(absl::string_view text, size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] == '\\') ++at;
  }
  return std::min(at + 1, text.size());
}

// Behind the value that begins at `at`.
size_t EndOfValue(absl::string_view text, size_t at) {
  int open = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (c == '"') {
      at = EndOfString(text, at);
    } else if (open == 0 && (c == ',' || c == '}' || c == ']' || IsSpace(c))) {
      return at;
    } else {
      open += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
      ++at;
    }
    if (open == 0 && (c == '"' || c == '}' || c == ']')) return at;
  }
  return at;
}

std::string Unescaped(absl::string_view quoted) {
  const absl::StatusOr<json::Document> document = json::Parse(quoted);
  return document.ok() && document->root().is_string() ? std::string(document->root().string())
                                                       : std::string(quoted);
}

void Blank(std::string& text, size_t begin, size_t end) {
  for (size_t i = begin; i < end; ++i) {
    if (text[i] != '\n' && text[i] != '\r') text[i] = ' ';
  }
}

// Behind the comment at `at`; `at` when there is none.
size_t EndOfComment(absl::string_view text, size_t at) {
  if (text.substr(at, 2) == "//") return std::min(text.find('\n', at), text.size());
  if (text.substr(at, 2) != "/*") return at;
  const size_t end = text.find("*/", at + 2);
  return end == absl::string_view::npos ? text.size() : end + 2;
}

}  // namespace

std::optional<ObjectPlace> ObjectAt(absl::string_view text, size_t at) {
  ObjectPlace object;
  object.begin = SkipSpace(text, at);
  if (object.begin >= text.size() || text[object.begin] != '{') return std::nullopt;
  for (at = SkipSpace(text, object.begin + 1); at < text.size() && text[at] == '"';) {
    MemberPlace member;
    member.key_begin = at;
    at = EndOfString(text, at);
    member.key = Unescaped(text.substr(member.key_begin, at - member.key_begin));
    at = SkipSpace(text, at);
    member.value_begin = SkipSpace(text, at + 1);  // behind the colon
    member.value_end = EndOfValue(text, member.value_begin);
    at = SkipSpace(text, member.value_end);
    object.members.push_back(std::move(member));
    if (at < text.size() && text[at] == ',') at = SkipSpace(text, at + 1);
  }
  object.end = at;
  return object;
}

std::string WithoutComments(absl::string_view text) {
  std::string plain(text);
  size_t comma = std::string::npos;  // the last thing seen, if it was a comma behind a value
  char before = '[';                 // the last thing seen but white space and comments
  for (size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (const size_t end = EndOfComment(text, at); end != at) {
      Blank(plain, at, end);
      at = end;
      continue;
    }
    if (c == '"') {
      comma = std::string::npos;
      before = c;
      at = EndOfString(text, at);
      continue;
    }
    if ((c == '}' || c == ']') && comma != std::string::npos) plain[comma] = ' ';
    if (!IsSpace(c)) {
      const bool ends_value = c == ',' && before != ',' && before != '[' && before != '{';
      comma = ends_value ? at : std::string::npos;
      before = c;
    }
    ++at;
  }
  return plain;
}

std::string LineAndColumn(absl::string_view text, size_t at) {
  text = text.substr(0, std::min(at, text.size()));
  const size_t lines = std::count(text.begin(), text.end(), '\n');
  const size_t line_end = text.rfind('\n');
  if (line_end != absl::string_view::npos) text.remove_prefix(line_end + 1);
  const size_t columns = std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;  // not within a code point
  });
  return absl::StrCat(lines + 1, ":", columns + 1);
}

}  // namespace tipstaff::clients
