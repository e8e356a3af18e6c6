#include "tests/differential/shrink.h"

#include <vector>

namespace tipstaff::differential {
namespace {

using Still = std::function<bool(const Case&)>;

// Tries the case without each element of a list, from the end.
template <typename T>
bool DropFrom(Case& one, std::vector<T>& list, const Still& still) {
  bool dropped = false;
  for (size_t i = list.size(); i-- > 0;) {
    T kept = std::move(list[i]);
    list.erase(list.begin() + static_cast<ptrdiff_t>(i));
    if (still(one)) {
      dropped = true;
    } else {
      list.insert(list.begin() + static_cast<ptrdiff_t>(i), std::move(kept));
    }
  }
  return dropped;
}

// `tree` is a part of `one`. Puts what is inside in the place of the whole, then drops parts.
bool ShrinkTree(Case& one, Tree& tree, const Still& still) {
  bool changed = DropFrom(one, tree.members, still);
  changed = DropFrom(one, tree.items, still) || changed;
  for (size_t i = 0; i < tree.members.size() + tree.items.size(); ++i) {
    const Tree whole = tree;
    Tree inside =
        i < tree.members.size() ? tree.members[i].second : tree.items[i - tree.members.size()];
    if (inside.kind != Tree::Kind::kObject || whole.kind != Tree::Kind::kObject) continue;
    tree = std::move(inside);
    if (still(one)) return true;
    tree = whole;
  }
  if (tree.kind == Tree::Kind::kText && tree.text.size() > 1) {
    const std::string whole = tree.text;
    for (size_t half : {whole.size() / 2, whole.size() - 1}) {
      while (half > 0 && (whole[half] & 0xc0) == 0x80) --half;  // not within a character
      tree.text = whole.substr(0, half);
      if (still(one)) return true;
    }
    tree.text = whole;
  }
  for (auto& member : tree.members) changed = ShrinkTree(one, member.second, still) || changed;
  for (Tree& item : tree.items) changed = ShrinkTree(one, item, still) || changed;
  return changed;
}

}  // namespace

Case Shrink(Case one, const Still& still) {
  for (bool changed = true; changed;) {
    changed = DropFrom(one, one.earlier, still);
    changed = DropFrom(one, one.canaries, still) || changed;
    changed = DropFrom(one, one.skills, still) || changed;
    for (Tree& skill : one.skills) changed = ShrinkTree(one, skill, still) || changed;
    changed = ShrinkTree(one, one.arguments, still) || changed;
    changed = ShrinkTree(one, one.bindings, still) || changed;
  }
  return one;
}

}  // namespace tipstaff::differential
