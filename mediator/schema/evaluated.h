// Which members and items of one value a schema was applied to: what `unevaluatedProperties` and
// `unevaluatedItems` leave alone.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "mediator/json/document.h"

namespace tipstaff::schema::internal {

class Evaluated {
 public:
  void Add(json::Value child) { children_.push_back(child.index()); }
  // A member that `properties` lists although its name is no line.
  void AddListed(json::Value child) { AddListed(child.index()); }
  void Add(const Evaluated& other) {
    text_ = text_ || other.text_;
    for (const uint32_t child : other.listed_) AddListed(child);
    children_.insert(children_.end(), other.children_.begin(), other.children_.end());
    if (children_.size() > 2 * unique_ + 64) Sort();  // the same ones may come many times
  }
  // Before Has() is asked.
  void Sort() {
    std::sort(children_.begin(), children_.end());
    children_.erase(std::unique(children_.begin(), children_.end()), children_.end());
    unique_ = children_.size();
  }
  bool Has(json::Value child) const {
    return std::binary_search(children_.begin(), children_.end(), child.index());
  }
  bool IsListed(json::Value child) const {
    return std::find(listed_.begin(), listed_.end(), child.index()) != listed_.end();
  }
  size_t size() const { return children_.size(); }

  // A schema that passed says which text the value may hold.
  bool text() const { return text_; }
  void set_text() { text_ = true; }

  void Clear() {
    children_.clear();
    listed_.clear();
    unique_ = 0;
    text_ = false;
  }

 private:
  // As many as schemas list of such names, which is few.
  void AddListed(uint32_t child) {
    if (std::find(listed_.begin(), listed_.end(), child) == listed_.end()) listed_.push_back(child);
  }

  std::vector<uint32_t> listed_;
  std::vector<uint32_t> children_;  // json::Value::index()
  size_t unique_ = 0;               // of them after the last Sort()
  bool text_ = false;
};

}  // namespace tipstaff::schema::internal
