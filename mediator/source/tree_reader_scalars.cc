// Scalars and keys; tree_reader.cc has the structure.
#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "mediator/source/codes.h"
#include "mediator/source/plain_scalar.h"
#include "mediator/source/printable.h"
#include "mediator/source/tree_reader.h"

namespace tipstaff::source {
namespace {

constexpr size_t kNone = absl::string_view::npos;
constexpr char kWriteNull[] = "write null or \"\"";

}  // namespace

bool TreeReader::Null(size_t offset) {
  if (ignoring_) return true;
  if (!Enter(offset)) return false;
  const bool is_word = offset != last_offset_;
  last_offset_ = offset;
  for (absl::string_view word : {"null", "Null", "NULL", "~"}) {
    if (!is_word || !IsWordAt(text_, offset, word)) continue;
    if (awaits_key()) return Key(offset, std::string(word));
    const Span span = lines_.SpanOf(offset, offset + word.size());
    doubtful_null_ = frames_.empty() || !frames_.back().object ? span : frames_.back().key_span;
    ReadScalar(offset, std::string(word), span);
    Close(offset, {.end = offset + word.size()});
    return may_go_on();
  }
  return EmptyValue(offset);
}

bool TreeReader::EmptyValue(size_t offset) {
  Span span = lines_.SpanOf(offset, offset + 1);
  bool more = true;
  if (frames_.empty()) {
    return Refuse(kEmptyFile, "the document is empty", Span{}, "");
  } else if (awaits_key()) {
    Refuse(kKeyNotString, "a key is missing", span, "write a key before the colon");
    return false;
  } else if (Frame& frame = frames_.back(); frame.object) {
    more = Refuse(kEmptyValue, absl::StrCat(InTicks(frame.key), " has no value"), frame.key_span,
                  absl::StrContains(frame.key, ":") ? "put a space after the colon" : kWriteNull);
  } else {
    // The parser's place is that of the next token; what is empty stands before it.
    const size_t before = text_.find_last_not_of(" \t\n", offset == 0 ? 0 : offset - 1);
    if (before != kNone && absl::StrContains("-,[", text_.substr(before, 1))) {
      span = lines_.SpanOf(before, before + 1);
    }
    more = Refuse(kEmptyValue, "a list item is empty", span, kWriteNull);
  }
  AddNode(span);
  Close(offset, {.end = offset});
  return more;
}

TreeReader::Extent TreeReader::ExtentOf(size_t offset, const std::string& value) {
  switch (StyleAt(text_, offset)) {
    case Style::kBlock:
      return {.end = EndOfBlockHeader(text_, offset), .one_line = false};
    case Style::kPlain:
      return {.end = offset + value.size(),
              .one_line = text_.substr(offset, value.size()) == value};
    case Style::kQuoted:
      break;
  }
  const size_t end = EndOfQuoted(text_, offset);
  return {.end = end, .one_line = lines_.AreInOneLine(offset, end)};
}

// What yaml-cpp lets pass.
bool TreeReader::CheckWriting(size_t offset) {
  const Style style = StyleAt(text_, offset);
  if (style == Style::kBlock) {
    const size_t end = EndOfBlockHeader(text_, offset);
    // yaml-cpp loses one of the empty lines that this keeps.
    if (text_[offset] == '>' && absl::StrContains(text_.substr(offset, end - offset), "+")) {
      return Refuse(kSyntax, "`>+` is not supported", lines_.SpanOf(offset, end),
                    "use `>`, or `|+` to keep empty lines at the end");
    }
    if (end == text_.size() || absl::StrContains(" \t\n", text_.substr(end, 1))) return true;
    Refuse(kSyntax, "unexpected text after `|` or `>`", lines_.SpanOf(end, end + 1),
           "put a space before a comment, and the text into the next line");
    return false;
  }
  if (style != Style::kQuoted) return true;
  const size_t end = EndOfQuoted(text_, offset);
  if (end == kNone) {
    Refuse(kSyntax, "a quote is never closed", lines_.SpanOf(offset, offset + 1),
           absl::StrCat("no `", text_.substr(offset, 1), "` follows"));
    return false;
  }
  if (!HasUnknownEscape(text_.substr(offset, end - offset))) return true;
  return Refuse(kSyntax, "an unknown escape in a double-quoted string", lines_.SpanOf(offset, end),
                "write ' without a backslash");
}

bool TreeReader::Scalar(size_t offset, const std::string& value) {
  if (ignoring_) return true;
  if (!Enter(offset)) return false;
  last_offset_ = offset;
  if (!CheckWriting(offset)) return false;
  if (awaits_key()) return Key(offset, value);
  const Extent extent = ExtentOf(offset, value);
  ReadScalar(offset, value, lines_.SpanOf(offset, extent.end));
  // Unquoted, an item or key that is indented too far turns into text; quoted, yaml-cpp folds empty
  // lines otherwise than YAML has it.
  if (!extent.one_line && StyleAt(text_, offset) != Style::kBlock && !HasProperties(offset)) {
    folded_offset_ = offset;
    Refuse(kFolded, "a value without `>-` or `|` goes on in the next line", values_.back(),
           "indent the next line less, or begin the value with `>-`");
  }
  Close(offset, extent);
  return may_go_on();
}

void TreeReader::ReadScalar(size_t offset, const std::string& value, Span span) {
  AddNode(span);
  if (absl::StrContains(value, absl::string_view("\0", 1))) {
    Refuse(kNul, "a NUL character in a string", span, "remove it");
  }
  if (StyleAt(text_, offset) != Style::kPlain || HasProperties(offset)) {
    builder_.String(value);
    return;
  }
  PlainScalar scalar = ReadPlainScalar(value);
  switch (scalar.kind) {
    case PlainScalar::Kind::kString:
      builder_.String(value);
      return;
    case PlainScalar::Kind::kJson:
      builder_.Copy(scalar.json.root());
      return;
    case PlainScalar::Kind::kAmbiguous:
    case PlainScalar::Kind::kOutOfRange:
      Refuse(scalar.kind == PlainScalar::Kind::kAmbiguous ? kAmbiguous : kNumberRange,
             std::move(scalar.message), span, std::move(scalar.label));
  }
}

bool TreeReader::Key(size_t offset, const std::string& value) {
  const Extent extent = ExtentOf(offset, value);
  const Span span = lines_.SpanOf(offset, extent.end);
  const Style style = StyleAt(text_, offset);
  const size_t prior = offset == 0 ? kNone : text_.find_last_not_of(" \t", offset - 1);
  const bool question = prior != kNone && text_[prior] == '?';
  const bool colon = CharAt(text_, SkipBlanks(text_, extent.end)) == ':';
  if (!extent.one_line || question || style == Style::kBlock) {
    Refuse(kKeyNotString, "a key is not a string on one line", span,
           "write the key, a colon and the value");
    return false;
  }
  Frame& frame = frames_.back();
  frame.has_key = true;
  frame.key = value;
  frame.key_span = span;
  if (frame.offset == offset || lines_.LineAt(offset) == lines_.LineAt(frame.offset)) {
    frame.line_end = std::max(frame.line_end, extent.end);
  }
  next_key_ = span;
  if (!colon && !frame.flow) {
    Refuse(kSyntax, "no colon after a key", span,
           absl::StrCat("expected ", InTicks(value + ": ...")));
    return false;
  }
  if (style == Style::kPlain) {
    if (value == "<<") {
      // What follows is the alias that it takes in, and the same mistake.
      Refuse(kMergeKey, "merge keys are not supported", span, "write the members out");
      return false;
    }
    const PlainScalar scalar = ReadPlainScalar(value);
    if (scalar.kind != PlainScalar::Kind::kString) {
      const bool ambiguous = scalar.kind == PlainScalar::Kind::kAmbiguous;
      return Refuse(kKeyNotString,
                    absl::StrCat("the key ",
                                 ambiguous ? scalar.message : InTicks(value) + " is not a string"),
                    span, "quote it");
    }
  }
  return AddKey(value, span);
}

bool TreeReader::AddKey(const std::string& value, Span span) {
  if (absl::StrContains(value, absl::string_view("\0", 1))) {
    return Refuse(kNul, "a NUL character in a key", span, "remove it");
  }
  const auto [first, is_new] = frames_.back().lines_of_keys.try_emplace(value, span.line);
  if (is_new) {
    builder_.Key(value);
    return true;
  }
  return Refuse(kDuplicateKey, absl::StrCat("the key ", InTicks(value), " is given twice"), span,
                "remove one of them", absl::StrCat("first given in line ", first->second));
}

}  // namespace tipstaff::source
