#include "tests/differential/tree.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "mediator/base/utf8.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"

namespace tipstaff::differential {
namespace {

std::string Quoted(absl::string_view text) {
  const std::string quoted = json::Quote(text);
  std::string out;
  for (size_t i = 0; i < quoted.size();) {
    const base::CodePoint point = base::FirstCodePoint(absl::string_view(quoted).substr(i));
    if (point.value < 0x7f || point.value > 0xffff) {
      out += quoted.substr(i, point.bytes);
    } else {
      absl::StrAppendFormat(&out, "\\u%04x", static_cast<uint32_t>(point.value));
    }
    i += point.bytes;
  }
  return out;
}

}  // namespace

Tree Tree::Literal(absl::string_view json) { return {Kind::kLiteral, std::string(json)}; }
Tree Tree::Number(int64_t number) { return Literal(absl::StrCat(number)); }
Tree Tree::Text(absl::string_view text) { return {Kind::kText, std::string(text)}; }
Tree Tree::List(std::vector<Tree> items) { return {Kind::kList, "", std::move(items)}; }
Tree Tree::Object(std::vector<std::pair<std::string, Tree>> members) {
  return {Kind::kObject, "", {}, std::move(members)};
}

Tree Tree::Texts(const std::vector<std::string>& texts) {
  Tree list = List();
  for (const std::string& text : texts) list.items.push_back(Text(text));
  return list;
}

Tree Tree::Of(json::Value value) {
  if (value.is_string()) return Text(value.string());
  if (!value.is_array() && !value.is_object()) return Literal(json::Dump(value));
  Tree tree = value.is_array() ? List() : Object();
  for (json::Value item : value.items()) tree.items.push_back(Of(item));
  for (const json::Member& member : value.members()) {
    tree.members.emplace_back(std::string(member.key), Of(member.value));
  }
  return tree;
}

Tree Tree::Parse(absl::string_view json) { return Of(json::MustParse(json).root()); }

Tree* Tree::Find(absl::string_view key) {
  for (auto& member : members) {
    if (member.first == key) return &member.second;
  }
  return nullptr;
}

const Tree* Tree::Find(absl::string_view key) const { return const_cast<Tree*>(this)->Find(key); }

Tree& Tree::Set(absl::string_view key, Tree value) {
  if (Tree* there = Find(key)) return *there = std::move(value);
  return members.emplace_back(std::string(key), std::move(value)).second;
}

void Tree::Remove(absl::string_view key) {
  members.erase(std::remove_if(members.begin(), members.end(),
                               [key](const auto& member) { return member.first == key; }),
                members.end());
}

std::string Tree::ToJson() const {
  if (kind == Kind::kLiteral) return text;
  if (kind == Kind::kText) return Quoted(text);
  std::string out(1, kind == Kind::kList ? '[' : '{');
  for (const Tree& item : items) absl::StrAppend(&out, out.size() > 1 ? "," : "", item.ToJson());
  for (const auto& [key, value] : members) {
    absl::StrAppend(&out, out.size() > 1 ? "," : "", Quoted(key), ":", value.ToJson());
  }
  out += kind == Kind::kList ? ']' : '}';
  return out;
}

}  // namespace tipstaff::differential
