#include "mediator/cli/call_line.h"

#include <set>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "mediator/base/status.h"
#include "mediator/base/utf8.h"
#include "mediator/json/builder.h"
#include "mediator/json/parse.h"

namespace tipstaff::cli {
namespace {

std::string Show(absl::string_view text) {
  return absl::StrCat("`", base::EscapeAndCut(text, 60), "`");
}

// Takes one word off the front of `rest`, which begins with no blank.
absl::StatusOr<std::string> TakeWord(absl::string_view& rest) {
  std::string word;
  char quote = 0;
  while (!rest.empty() && (quote != 0 || !absl::ascii_isspace(rest.front()))) {
    char c = rest.front();
    rest.remove_prefix(1);
    if (c == quote) {
      quote = 0;
      continue;
    }
    if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
      continue;
    }
    // Within "..." a backslash before another character is one, so that JSON can stand there.
    const bool escapes = c == '\\' && quote != '\'' && !rest.empty() &&
                         (quote == 0 || rest.front() == '"' || rest.front() == '\\');
    if (escapes) {
      c = rest.front();
      rest.remove_prefix(1);
    }
    word += c;
  }
  if (quote == 0) return word;
  return absl::InvalidArgumentError(
      absl::StrCat("a quote ", absl::string_view(&quote, 1), " has no end"));
}

// Adds `name=text` or `name:=JSON`.
absl::Status AddArgument(const std::string& word, std::set<std::string>& seen, json::Builder& b) {
  const size_t equals = word.find('=');
  const bool is_json = equals != std::string::npos && equals > 0 && word[equals - 1] == ':';
  const std::string name = word.substr(0, is_json ? equals - 1 : equals);
  if (equals == std::string::npos || name.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        Show(word), " is no argument: write name=text, name:=JSON, or one JSON object"));
  }
  if (!seen.insert(name).second) {
    return absl::InvalidArgumentError(absl::StrCat(Show(name), " is given twice"));
  }
  if (!is_json) {
    b.Field(name, word.substr(equals + 1));
    return absl::OkStatus();
  }
  const absl::StatusOr<json::Document> value = json::Parse(word.substr(equals + 1));
  if (!value.ok()) {
    return absl::InvalidArgumentError(absl::StrCat("the value of ", Show(name), ": ",
                                                   value.status().message(), "; for a text write ",
                                                   base::EscapeAndCut(name, 60), "=..."));
  }
  b.Field(name, value->root());
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::vector<std::string>> SplitWords(absl::string_view line) {
  std::vector<std::string> words;
  for (;;) {
    line = absl::StripLeadingAsciiWhitespace(line);
    if (line.empty()) return words;
    TIPSTAFF_ASSIGN_OR_RETURN(std::string word, TakeWord(line));
    words.push_back(std::move(word));
  }
}

absl::StatusOr<json::Document> ParseObject(absl::string_view text) {
  absl::StatusOr<json::Document> parsed = json::Parse(text);
  if (!parsed.ok()) {
    return absl::InvalidArgumentError(absl::StrCat("the arguments: ", parsed.status().message()));
  }
  if (!parsed->root().is_object()) {
    return absl::InvalidArgumentError(absl::StrCat("the arguments are ",
                                                   json::KindName(parsed->root().kind()),
                                                   ", not an object: write {\"name\": value}"));
  }
  return parsed;
}

absl::StatusOr<json::Document> ParseCallArguments(absl::string_view text) {
  text = absl::StripAsciiWhitespace(text);
  if (!base::IsUtf8(text)) return absl::InvalidArgumentError("the line is not UTF-8");
  if (absl::StartsWith(text, "{")) return ParseObject(text);
  TIPSTAFF_ASSIGN_OR_RETURN(const std::vector<std::string> words, SplitWords(text));
  json::Builder b;
  std::set<std::string> seen;
  b.StartObject();
  for (const std::string& word : words) TIPSTAFF_RETURN_IF_ERROR(AddArgument(word, seen, b));
  b.EndObject();
  return std::move(b).Build();
}

}  // namespace tipstaff::cli
