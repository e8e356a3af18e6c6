#include "mediator/json/builder.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "absl/strings/str_cat.h"

namespace tipstaff::json {

Builder::Builder(int max_depth) : max_depth_(max_depth), tree_(std::make_unique<internal::Tree>()) {
  tree_->nodes.reserve(8);  // enough for most, where growing from one takes four allocations
}

void Builder::Fail(absl::string_view problem) {
  if (problem_.empty()) problem_ = std::string(problem);
}

internal::Node* Builder::Add(Kind kind) {
  if (!problem_.empty()) return nullptr;
  const uint32_t index = static_cast<uint32_t>(tree_->nodes.size());
  if (open_.empty()) {
    if (index > 0) return Fail("a second value after the first"), nullptr;
  } else {
    Open& parent = open_.back();
    internal::Node& container = tree_->nodes[parent.node];
    if ((container.kind == Kind::kObject) != has_key_) {
      return Fail(has_key_ ? "a key outside an object" : "a member without a key"), nullptr;
    }
    (parent.last_child == 0 ? container.first : tree_->nodes[parent.last_child].next) = index;
    parent.last_child = index;
    ++container.size;
  }
  internal::Node& node = tree_->nodes.emplace_back();
  node.kind = kind;
  node.text_offset = 0;
  if (has_key_) {
    node.key_offset = key_offset_;
    node.key_size = key_size_;
    has_key_ = false;
  }
  return &node;
}

Builder& Builder::Null() {
  Add(Kind::kNull);
  return *this;
}

Builder& Builder::Bool(bool value) {
  if (internal::Node* node = Add(Kind::kBool)) node->boolean = value;
  return *this;
}

Builder& Builder::Integer(int64_t value) {
  if (internal::Node* node = Add(Kind::kInteger)) node->integer = value;
  return *this;
}

Builder& Builder::Unsigned(uint64_t value) {
  if (value <= static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) {
    return Integer(static_cast<int64_t>(value));
  }
  if (internal::Node* node = Add(Kind::kUnsigned)) node->unsigned_integer = value;
  return *this;
}

Builder& Builder::Double(double value) {
  if (!std::isfinite(value)) {
    Fail("a number that is not finite");
    return *this;
  }
  if (value == std::trunc(value)) {
    if (value >= -0x1p63 && value < 0x1p63) return Integer(static_cast<int64_t>(value));
    if (value >= 0 && value < 0x1p64) return Unsigned(static_cast<uint64_t>(value));
  }
  if (internal::Node* node = Add(Kind::kDouble)) node->number = value;
  return *this;
}

Builder& Builder::String(absl::string_view value) {
  if (internal::Node* node = Add(Kind::kString)) {
    node->text_offset = tree_->text.size();
    node->size = static_cast<uint32_t>(value.size());
    tree_->text.append(value.data(), value.size());
  }
  return *this;
}

Builder& Builder::Start(Kind kind) {
  if (static_cast<int>(open_.size()) >= max_depth_) {
    Fail(absl::StrCat("nested deeper than ", max_depth_));
    return *this;
  }
  const uint32_t index = static_cast<uint32_t>(tree_->nodes.size());
  if (Add(kind)) open_.push_back({index, 0});
  return *this;
}

Builder& Builder::StartArray() { return Start(Kind::kArray); }
Builder& Builder::StartObject() { return Start(Kind::kObject); }
Builder& Builder::EndArray() { return End(Kind::kArray); }
Builder& Builder::EndObject() { return End(Kind::kObject); }

Builder& Builder::End(Kind kind) {
  if (!problem_.empty()) return *this;
  if (open_.empty() || tree_->nodes[open_.back().node].kind != kind || has_key_) {
    Fail("an end without its start");
    return *this;
  }
  if (kind == Kind::kObject && HasDuplicateKey(tree_->nodes[open_.back().node])) {
    Fail("a key twice in one object");
    return *this;
  }
  open_.pop_back();
  return *this;
}

bool Builder::HasDuplicateKey(const internal::Node& object) const {
  const auto key = [this](uint32_t index) {
    const internal::Node& node = tree_->nodes[index];
    return absl::string_view(tree_->text).substr(node.key_offset, node.key_size);
  };
  constexpr uint32_t kFew = 8;
  if (object.size <= kFew) {
    for (uint32_t a = object.first; a != 0; a = tree_->nodes[a].next) {
      for (uint32_t b = tree_->nodes[a].next; b != 0; b = tree_->nodes[b].next) {
        if (key(a) == key(b)) return true;
      }
    }
    return false;
  }
  std::vector<absl::string_view> keys;
  keys.reserve(object.size);
  for (uint32_t i = object.first; i != 0; i = tree_->nodes[i].next) keys.push_back(key(i));
  std::sort(keys.begin(), keys.end());
  return std::adjacent_find(keys.begin(), keys.end()) != keys.end();
}

Builder& Builder::Key(absl::string_view key) {
  if (!problem_.empty()) return *this;
  if (open_.empty() || tree_->nodes[open_.back().node].kind != Kind::kObject || has_key_) {
    Fail("a key where none is due");
    return *this;
  }
  has_key_ = true;
  key_offset_ = static_cast<uint32_t>(tree_->text.size());
  key_size_ = static_cast<uint32_t>(key.size());
  tree_->text.append(key.data(), key.size());
  return *this;
}

Builder& Builder::Copy(Value value) {
  // A stack of positions within the containers that are being copied.
  struct Position {
    Kind kind;
    Children<Value>::Iterator item, items_end;
    Children<Member>::Iterator member, members_end;
  };
  std::vector<Position> stack;
  const auto visit = [&](Value v) {
    switch (v.kind()) {
      case Kind::kMissing:
      case Kind::kNull:
        Null();
        break;
      case Kind::kBool:
        Bool(v.boolean());
        break;
      case Kind::kInteger:
        Integer(v.integer());
        break;
      case Kind::kUnsigned:
        Unsigned(v.unsigned_integer());
        break;
      case Kind::kDouble:
        Double(v.number());
        break;
      case Kind::kString:
        String(v.string());
        break;
      case Kind::kArray:
      case Kind::kObject:
        Start(v.kind());
        stack.push_back(
            {v.kind(), v.items().begin(), v.items().end(), v.members().begin(), v.members().end()});
    }
  };
  visit(value);
  while (!stack.empty() && problem_.empty()) {
    Position& top = stack.back();
    if (top.kind == Kind::kArray) {
      if (top.item == top.items_end) {
        stack.pop_back();
        EndArray();
      } else {
        const Value item = *top.item;
        ++top.item;
        visit(item);
      }
    } else if (top.member == top.members_end) {
      stack.pop_back();
      EndObject();
    } else {
      const Member member = *top.member;
      ++top.member;
      Key(member.key);
      visit(member.value);
    }
  }
  return *this;
}

absl::StatusOr<Document> Builder::Build() && {
  if (problem_.empty() && (tree_->nodes.empty() || !open_.empty())) Fail("an incomplete value");
  if (!problem_.empty()) return absl::InvalidArgumentError(problem_);
  return Document(std::shared_ptr<const internal::Tree>(std::move(tree_)));
}

}  // namespace tipstaff::json
