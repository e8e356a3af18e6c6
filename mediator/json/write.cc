#include "mediator/json/write.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "mediator/base/utf8.h"
#include "mediator/json/plain_run.h"

namespace tipstaff::json {
namespace {

void AppendScalar(Value value, std::string& out) {
  char buffer[40];
  switch (value.kind()) {
    case Kind::kBool:
      out += value.boolean() ? "true" : "false";
      break;
    case Kind::kInteger:
      absl::StrAppend(&out, value.integer());
      break;
    case Kind::kUnsigned:
      absl::StrAppend(&out, value.unsigned_integer());
      break;
    case Kind::kDouble: {
      // Whole numbers of this kind are beyond 64 bits, where digits alone are no number.
      const double number = value.number();
      const auto end =
          number == std::trunc(number)
              ? std::to_chars(buffer, buffer + sizeof buffer, number, std::chars_format::scientific)
              : std::to_chars(buffer, buffer + sizeof buffer, number);
      out.append(buffer, end.ptr - buffer);
      break;
    }
    case Kind::kString:
      AppendQuoted(value.string(), out);
      break;
    default:
      out += "null";
  }
}

// Walks a value with a stack of its own.
class Writer {
 public:
  Writer(bool sorted, bool indented) : sorted_(sorted), indented_(indented) {}

  std::string Write(Value value) && {
    Visit(value);
    while (!stack_.empty()) {
      Level& level = stack_.back();
      if (level.next == level.children.size()) {
        const bool empty = level.children.empty();
        const char close = level.object ? '}' : ']';
        stack_.pop_back();
        if (!empty) Break();
        out_ += close;
        continue;
      }
      if (level.next > 0) out_ += ',';
      Break();
      const Member child = level.children[level.next++];
      if (level.object) {
        AppendQuoted(child.key, out_);
        out_ += indented_ ? ": " : ":";
      }
      Visit(child.value);
    }
    return std::move(out_);
  }

 private:
  struct Level {
    bool object;
    std::vector<Member> children;
    size_t next = 0;
  };

  void Visit(Value value) {
    if (!value.is_array() && !value.is_object()) return AppendScalar(value, out_);
    Level level{value.is_object(), {}};
    level.children.reserve(value.size());
    for (const Member& member : value.members()) level.children.push_back(member);
    for (Value item : value.items()) level.children.push_back({"", item});
    if (sorted_ && level.object) {
      std::sort(level.children.begin(), level.children.end(),
                [](const Member& a, const Member& b) { return a.key < b.key; });
    }
    out_ += level.object ? '{' : '[';
    stack_.push_back(std::move(level));
  }

  void Break() {
    if (!indented_) return;
    out_ += '\n';
    out_.append(2 * stack_.size(), ' ');
  }

  const bool sorted_, indented_;
  std::vector<Level> stack_;
  std::string out_;
};

}  // namespace

void AppendQuoted(absl::string_view text, std::string& out) {
  if (!base::IsUtf8(text)) return AppendQuoted(base::ReplaceNonUtf8(text), out);
  static constexpr char kHex[] = "0123456789abcdef";
  out.reserve(out.size() + text.size() + 2);
  out += '"';
  for (;;) {
    const size_t plain = internal::PlainRun(text);
    out.append(text.data(), plain);
    if (plain == text.size()) break;
    const unsigned char c = text[plain];
    text.remove_prefix(plain + 1);
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\b':
        out += "\\b";
        break;
      case '\f':
        out += "\\f";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      default:
        out += "\\u00";
        out += kHex[c >> 4];
        out += kHex[c & 15];
    }
  }
  out += '"';
}

std::string Dump(Value value) { return Writer(false, false).Write(value); }
std::string Canonical(Value value) { return Writer(true, false).Write(value); }
std::string DumpIndented(Value value) { return Writer(false, true).Write(value); }

std::string Quote(absl::string_view text) {
  std::string out;
  AppendQuoted(text, out);
  return out;
}

}  // namespace tipstaff::json
