#include "mediator/source/tree_reader.h"

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "mediator/json/parse.h"
#include "mediator/source/codes.h"
#include "mediator/source/printable.h"
#include "mediator/source/syntax_message.h"

namespace tipstaff::source {
namespace {

constexpr size_t kNone = absl::string_view::npos;

}  // namespace

TreeReader::TreeReader(std::shared_ptr<const File> file, absl::string_view text, const Lines& lines)
    : file_(std::move(file)), text_(text), lines_(lines), builder_(json::kMaxDepth) {}

bool TreeReader::Refuse(const char* code, std::string message, Span span, std::string label,
                        std::string note) {
  found_.push_back({.code = code,
                    .message = std::move(message),
                    .file = file_,
                    .span = span,
                    .label = std::move(label)});
  if (!note.empty()) found_.back().notes.push_back(std::move(note));
  return may_go_on();
}

bool TreeReader::StartDocument(size_t offset) {
  if (++documents_ == 1) return true;
  const int line = lines_.LineAt(offset);
  bool marked = false;
  int before = line;
  for (; before >= line - 1 && before > 0 && !marked; --before) {
    marked = absl::StartsWith(lines_.Line(before), "---");
  }
  Refuse(kSecondDocument,
         marked ? "a second document in one file" : "unexpected content after the document",
         marked ? lines_.SpanOf(lines_.StartOf(before + 1), lines_.StartOf(before + 1) + 3)
                : lines_.SpanOf(offset, offset + 1),
         marked ? "put it into a file of its own" : "the document ended before this");
  return false;
}

bool TreeReader::CheckIndentation(size_t offset) {
  if (in_flow()) return true;
  const size_t start = lines_.StartOf(lines_.LineAt(offset));
  const absl::string_view before = text_.substr(start, offset - start);
  const size_t tab = before.find('\t');
  if (tab == kNone || before.find_first_not_of(" \t-?") != kNone) return true;
  return Refuse(kTab, "a tab in the indentation", lines_.SpanOf(start + tab, start + tab + 1),
                "indent with spaces");
}

bool TreeReader::HasProperties(size_t offset) const {
  return absl::StrContains("&*!", text_.substr(offset, 1)) && offset < text_.size();
}

void TreeReader::CheckProperties(size_t offset) {
  if (!HasProperties(offset)) return;
  const char first = text_[offset];
  const size_t end = std::min(text_.find_first_of(" \t\n,]}", offset), text_.size());
  const Span span = lines_.SpanOf(offset, end);
  const absl::string_view word = text_.substr(offset, end - offset);
  if (first == '*' && word.find_first_of(".*", 1) != kNone) {
    // The name of an alias hardly has these: it is a pattern of tools.
    Refuse(kAnchorOrAlias, "an unquoted `*` at the beginning is an alias to YAML", span,
           absl::StrCat("write \"", word, "\""));
  } else if (first != '!') {
    Refuse(kAnchorOrAlias, first == '&' ? "anchors are not supported" : "aliases are not supported",
           span, "write the value out, or quote it to mean the text");
  } else {
    Refuse(kTag, "tags are not supported", span, "remove it, or quote it to mean the text");
  }
}

bool TreeReader::Enter(size_t offset) {
  if (doubtful_null_ && last_offset_ == offset) {
    Refuse(kEmptyValue, "a value is missing", *doubtful_null_, "write null or \"\"");
    last_offset_ = kNone;  // what stands here has not been read yet
  }
  doubtful_null_.reset();
  if (!may_go_on()) return false;
  CheckProperties(offset);
  return CheckIndentation(offset);
}

void TreeReader::AddNode(Span span) {
  values_.push_back(span);
  keys_.push_back(next_key_);
  next_key_ = {};
}

bool TreeReader::Start(size_t offset, json::Kind kind) {
  if (ignoring_) return true;
  if (!Enter(offset)) return false;
  last_offset_ = offset;
  const char first = CharAt(text_, offset);
  const Span span = lines_.SpanOf(offset, offset + 1);
  if (awaits_key()) {
    Refuse(kKeyNotString, "a key is a mapping or a list", span, "keys are strings");
    ignoring_ = true;
    ignored_from_ = offset;
    return true;
  }
  if (frames_.size() >= static_cast<size_t>(json::kMaxDepth)) {
    Refuse(kTooDeep, absl::StrCat("nested deeper than ", json::kMaxDepth, " levels"), span);
    return false;
  }
  const bool object = kind == json::Kind::kObject;
  if (in_flow() && object && first != '{' && first != '&' && first != '!') {
    Refuse(kPairInList, "a pair without braces inside a list", span,
           "write `{key: value}`, or a comma between the items");
  }
  AddNode(span);
  object ? builder_.StartObject() : builder_.StartArray();
  frames_.push_back({.object = object,
                     .flow = in_flow() || first == '{' || first == '[',
                     .offset = offset,
                     .node = values_.size() - 1,
                     .line_end = offset + 1,
                     .last_end = offset + 1});
  return may_go_on();
}

bool TreeReader::End() {
  if (ignoring_) return true;
  const Frame frame = std::move(frames_.back());
  frames_.pop_back();
  frame.object ? builder_.EndObject() : builder_.EndArray();
  Extent extent{.end = frame.line_end, .one_line = false};
  if (const char open = CharAt(text_, frame.offset); open == '{' || open == '[') {
    size_t at = frame.last_end;
    if (at != kNone) at = SkipBlanks(text_, at);
    if (at != kNone && CharAt(text_, at) == ',') at = SkipBlanks(text_, at + 1);
    const char last = at == kNone ? '\0' : CharAt(text_, at);
    if (last == '}' || last == ']') extent = {.end = at + 1, .one_line = true};
  }
  values_[frame.node] = lines_.SpanOf(frame.offset, extent.end);
  Close(frame.offset, extent);
  return true;
}

void TreeReader::Close(size_t offset, Extent extent) {
  if (frames_.empty()) return;
  Frame& parent = frames_.back();
  parent.has_key = false;
  const int line = lines_.LineAt(parent.offset);
  if (lines_.LineAt(offset) == line) parent.line_end = std::max(parent.line_end, extent.end);
  parent.last_end = extent.one_line && lines_.LineAt(offset) == line ? extent.end : kNone;
}

bool TreeReader::Alias(size_t offset) {
  if (ignoring_) return true;
  Enter(offset);
  return false;
}

size_t TreeReader::OpenBracket() const {
  if (ignoring_) return ignored_from_;
  for (auto frame = frames_.rbegin(); frame != frames_.rend(); ++frame) {
    if (absl::StrContains("[{", text_.substr(frame->offset, 1))) return frame->offset;
  }
  return kNone;
}

// At the end of the file yaml-cpp takes what is unfinished for keys and pairs.
void TreeReader::DropGuesses() {
  const auto guess = [](const Diagnostic& d) {
    return d.code == kEmptyValue || d.code == kPairInList || d.code == kKeyNotString;
  };
  found_.erase(std::remove_if(found_.begin(), found_.end(), guess), found_.end());
}

// A quote that is never closed takes in the bracket that would close a list or mapping, and
// yaml-cpp misses that one.
bool TreeReader::UnclosedQuote(absl::string_view parser_message, size_t offset) {
  if (!IsUnclosedFlow(parser_message) || SkipBlanks(text_, offset) < text_.size()) return false;
  const size_t open = OpenBracket();
  const size_t quote = open == kNone ? kNone : FindUnclosedQuote(text_, open);
  if (quote == kNone) return false;
  DropGuesses();
  Refuse(kSyntax, "a quote is never closed", lines_.SpanOf(quote, quote + 1),
         absl::StrCat("no `", text_.substr(quote, 1), "` follows"));
  return true;
}

bool TreeReader::UnclosedFlow(absl::string_view parser_message, size_t offset) {
  if (!IsUnclosedFlow(parser_message) || SkipBlanks(text_, offset) < text_.size()) return false;
  const size_t open = OpenBracket();
  if (open == kNone || !absl::StrContains("[{", text_.substr(open, 1))) return false;
  DropGuesses();
  Refuse(kSyntax, absl::StrCat("`", text_.substr(open, 1), "` is never closed"),
         lines_.SpanOf(open, open + 1),
         absl::StrCat("no `", text_[open] == '[' ? "]" : "}", "` follows"));
  return true;
}

// A plain scalar was read over several lines right before, which is what the parser stumbled over:
// within brackets one of them is missing, elsewhere the line is indented too far.
bool TreeReader::FollowsFolded() {
  if (found_.empty() || found_.back().code != kFolded || folded_offset_ != last_offset_) {
    return false;
  }
  if (!in_flow()) return true;
  found_.pop_back();
  return false;
}

bool TreeReader::MissesSpace(int line) {
  for (int before = line; before >= line - 1 && before > 0; --before) {
    const absl::string_view text = lines_.Line(before);
    const size_t begin = std::min(text.find_first_not_of(" -"), text.size());
    const size_t colon = text.find(':', begin);
    if (colon == kNone || colon + 1 == text.size() ||
        absl::StrContains(" /", text.substr(colon + 1, 1)) ||
        text.substr(begin, colon - begin).find_first_of(" \t\"'[]{},#") != kNone) {
      continue;
    }
    const size_t start = lines_.StartOf(before);
    Refuse(kSyntax,
           absl::StrCat("no space after the colon of ", InTicks(text.substr(begin, colon - begin))),
           lines_.SpanOf(start + begin, start + colon + 1), "put one there, or quote the text");
    return true;
  }
  return false;
}

void TreeReader::SyntaxError(size_t offset, absl::string_view parser_message) {
  if (UnclosedQuote(parser_message, offset) || UnclosedFlow(parser_message, offset)) return;
  if (ignoring_) found_.pop_back();  // what looked like a key may be the effect of this error
  CheckProperties(offset);
  CheckIndentation(offset);
  if (FollowsFolded()) return;
  // One mistake, one message: what was said of this line is closer to the cause.
  const int line = lines_.LineAt(offset);
  for (const Diagnostic& diagnostic : found_) {
    if (diagnostic.span.line == line) return;
  }
  if (IsStrayColon(parser_message) && MissesSpace(line)) return;
  const SyntaxMessage words = ExplainSyntaxError(parser_message, text_, offset);
  if (words.code == absl::string_view(kTooDeep) && ignoring_) offset = ignored_from_;
  std::string note;
  if (const size_t open = OpenBracket(); IsUnclosedFlow(parser_message) && open != kNone) {
    const int opened = lines_.LineAt(open);
    if (opened != line)
      note = absl::StrCat("`", text_.substr(open, 1), "` stands in line ", opened);
  }
  Refuse(words.code, words.message, lines_.SpanOf(offset, offset + 1), words.label, note);
}

std::optional<Document> TreeReader::Finish(Diagnostics& diagnostics) && {
  if (documents_ == 0 && found_.empty()) {
    Refuse(kEmptyFile,
           text_.find_first_not_of(" \t\n") == kNone ? "the file is empty"
                                                     : "the file holds nothing but comments",
           Span{}, "");
  }
  if (!found_.empty()) {
    diagnostics.insert(diagnostics.end(), found_.begin(), found_.end());
    return std::nullopt;
  }
  absl::StatusOr<json::Document> json = std::move(builder_).Build();
  if (!json.ok()) {
    Refuse(kSyntax, absl::StrCat("cannot be represented: ", json.status().message()), Span{});
    diagnostics.push_back(found_.back());
    return std::nullopt;
  }
  return Document(file_, *std::move(json), std::move(values_), std::move(keys_));
}

}  // namespace tipstaff::source
