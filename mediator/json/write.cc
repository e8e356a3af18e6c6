#include "mediator/json/write.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

#include "absl/strings/str_cat.h"

namespace tipstaff::json {
namespace {

constexpr std::array<bool, 256> kNeedsEscape = [] {
  std::array<bool, 256> needs{};
  for (int c = 0; c < 0x20; ++c) needs[c] = true;
  needs['"'] = needs['\\'] = true;
  return needs;
}();

// Whether any of eight bytes needs an escape, all at once.
bool AnyNeedsEscape(const char* eight) {
  constexpr uint64_t kOnes = 0x0101010101010101, kHighBits = 0x80 * kOnes;
  const auto below = [](uint64_t bytes, uint64_t limit) {
    return (bytes - limit * kOnes) & ~bytes & kHighBits;
  };
  uint64_t bytes;
  std::memcpy(&bytes, eight, sizeof bytes);
  return (below(bytes, 0x20) | below(bytes ^ '"' * kOnes, 1) | below(bytes ^ '\\' * kOnes, 1)) != 0;
}

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
      const auto end = std::to_chars(buffer, buffer + sizeof buffer, value.number());
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
  static constexpr char kHex[] = "0123456789abcdef";
  out += '"';
  size_t clean = 0;  // start of the run that needs no escape
  for (size_t i = 0; i < text.size(); ++i) {
    while (text.size() - i >= 8 && !AnyNeedsEscape(text.data() + i)) i += 8;
    if (i == text.size()) break;
    const unsigned char c = text[i];
    if (!kNeedsEscape[c]) continue;
    out.append(text.data() + clean, i - clean);
    clean = i + 1;
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
  out.append(text.data() + clean, text.size() - clean);
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
