#include "mediator/source/syntax_message.h"

#include <yaml-cpp/exceptions.h>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "mediator/source/codes.h"

namespace tipstaff::source {
namespace {

struct Words {
  const char* parser;  // how yaml-cpp's message begins
  const char* message;
  const char* label;
};

const Words kWords[] = {
    {YAML::ErrorMsg::END_OF_MAP_FLOW, "expected `,` or `}`", "in the mapping that `{` opened"},
    {YAML::ErrorMsg::END_OF_MAP, "expected another key of this mapping",
     "is the line indented as its neighbours are, or a quote missing?"},
    {YAML::ErrorMsg::END_OF_SEQ_FLOW, "expected `,` or `]`", "in the list that `[` opened"},
    {YAML::ErrorMsg::END_OF_SEQ, "expected another `- ` item of this list",
     "is the line indented as its neighbours are?"},
    {YAML::ErrorMsg::MAP_VALUE, "a colon where no key stands before it",
     "quote the value if the colon is part of it"},
    {YAML::ErrorMsg::MAP_KEY, "a key where none can stand", "quote a value that begins with `?`"},
    {YAML::ErrorMsg::BLOCK_ENTRY, "a list item where none can stand",
     "begin the list in a line of its own"},
    {YAML::ErrorMsg::FLOW_END, "a closing bracket that matches no open one", ""},
    {YAML::ErrorMsg::INVALID_UNICODE, "an escape that is not a character",
     "write the character itself, or \\U and eight digits"},
    {YAML::ErrorMsg::INVALID_ESCAPE, "an unknown escape in a double-quoted string",
     "write \\\\ for a backslash, or use single quotes"},
    {YAML::ErrorMsg::INVALID_HEX, "an escape with a digit that is not hexadecimal", ""},
    {YAML::ErrorMsg::DOC_IN_SCALAR, "`---` or `...` inside a quoted string",
     "is the closing quote missing?"},
    {YAML::ErrorMsg::EOF_IN_SCALAR, "a quote is never closed", ""},
    {YAML::ErrorMsg::CHAR_IN_BLOCK, "unexpected text after `|` or `>`",
     "begin the text in the next line"},
    {YAML::ErrorMsg::ZERO_INDENT_IN_BLOCK, "a block scalar cannot be indented by 0", ""},
};

}  // namespace

SyntaxMessage ExplainSyntaxError(absl::string_view parser_message, absl::string_view text,
                                 size_t offset) {
  if (absl::StartsWith(parser_message, YAML::ErrorMsg::UNKNOWN_TOKEN)) {
    return {kSyntax,
            absl::StrCat("an unquoted value cannot begin with `", text.substr(offset, 1), "`"),
            "quote it"};
  }
  // What yaml-cpp says when its own bound on nesting is reached.
  if (parser_message == YAML::ErrorMsg::BAD_FILE)
    return {kTooDeep, "nested too deeply to read", ""};
  if (parser_message == YAML::ErrorMsg::TAB_IN_INDENTATION) {
    return {kTab, "a tab in the indentation", "indent with spaces"};
  }
  if (parser_message == YAML::ErrorMsg::END_OF_MAP_FLOW &&
      absl::StrContains("{[", text.substr(offset, 1)) && offset < text.size()) {
    return {kSyntax, absl::StrCat("a `", text.substr(offset, 1), "` inside an unquoted value"),
            "quote a value that holds brackets, such as a pattern"};
  }
  for (const Words& words : kWords) {
    if (absl::StartsWith(parser_message, words.parser))
      return {kSyntax, words.message, words.label};
  }
  return {kSyntax, absl::StrCat("not well-formed YAML: ", parser_message), ""};
}

bool IsStrayColon(absl::string_view parser_message) {
  return parser_message == YAML::ErrorMsg::MAP_VALUE;
}

bool IsUnclosedFlow(absl::string_view parser_message) {
  return parser_message == YAML::ErrorMsg::END_OF_SEQ_FLOW ||
         parser_message == YAML::ErrorMsg::END_OF_MAP_FLOW;
}

}  // namespace tipstaff::source
