// JSON that can be changed: what random skills and calls are made of.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "mediator/json/document.h"

namespace tipstaff::differential {

struct Tree {
  enum class Kind { kLiteral, kText, kList, kObject };
  Kind kind = Kind::kLiteral;
  std::string text = "null";  // of a literal as JSON writes it; of a text without quotes
  std::vector<Tree> items;
  std::vector<std::pair<std::string, Tree>> members;

  static Tree Literal(absl::string_view json);
  static Tree Number(int64_t number);
  static Tree Text(absl::string_view text);
  static Tree List(std::vector<Tree> items = {});
  static Tree Texts(const std::vector<std::string>& texts);
  static Tree Object(std::vector<std::pair<std::string, Tree>> members = {});
  static Tree Of(json::Value value);
  static Tree Parse(absl::string_view json);  // which it has to be

  // Null when there is no such member.
  const Tree* Find(absl::string_view key) const;
  Tree* Find(absl::string_view key);
  // Puts the member in the place of one of that name.
  Tree& Set(absl::string_view key, Tree value);
  void Remove(absl::string_view key);

  // JSON in one line that is a YAML document too: what YAML has no place for is escaped.
  std::string ToJson() const;
};

// Calls `visit(tree)` for the tree and all below.
template <typename Visit>
void ForEach(Tree& tree, Visit visit) {
  visit(tree);
  for (Tree& item : tree.items) ForEach(item, visit);
  for (auto& member : tree.members) ForEach(member.second, visit);
}

}  // namespace tipstaff::differential
