// Immutable JSON values.
//
//   TIPSTAFF_ASSIGN_OR_RETURN(json::Document document, json::Parse(bytes));
//   for (const json::Member& member : document.root().members()) ...
//   if (json::Value to = document.root().Find("to"); to.exists()) ...
//
// A Document owns a tree in one flat array; copying it shares the tree. A Value is a view into it,
// valid for as long as any copy of its Document lives. No operation recurses.
// Thread-safe, as everything here is const.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace tipstaff::json {

enum class Kind : uint8_t {
  kMissing,  // the Value that a look-up returns for what is not there
  kNull,
  kBool,
  kInteger,   // fits int64
  kUnsigned,  // an integer over int64's range that fits uint64
  kDouble,    // finite and not an integer that the two above can hold
  kString,
  kArray,
  kObject,
};

// "null", "boolean", "integer", "number", "string", "array", "object"; "nothing" for kMissing.
absl::string_view KindName(Kind kind);

namespace internal {

struct Node {
  Kind kind = Kind::kMissing;
  uint32_t next = 0;   // index of the next sibling; 0: last
  uint32_t first = 0;  // index of the first child; 0: none
  uint32_t size = 0;   // children, or bytes of a string
  uint32_t key_offset = 0;
  uint32_t key_size = 0;
  union {
    bool boolean;
    int64_t integer;
    uint64_t unsigned_integer;
    double number;
    uint64_t text_offset;
  };
};

struct Tree {
  std::vector<Node> nodes;  // the root is nodes[0]; a child comes after its parent
  std::string text;         // all keys and strings
};

}  // namespace internal

class Value;
struct Member;

// A range over an array's items or an object's members, in the order of the source.
template <typename Item>
class Children {
 public:
  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = Item;
    using difference_type = std::ptrdiff_t;
    using pointer = const Item*;
    using reference = Item;

    Iterator(const internal::Tree* tree, uint32_t index) : tree_(tree), index_(index) {}
    Item operator*() const;
    Iterator& operator++();
    Iterator operator++(int) {
      const Iterator before = *this;
      ++*this;
      return before;
    }
    bool operator==(const Iterator& other) const { return index_ == other.index_; }

   private:
    const internal::Tree* tree_;
    uint32_t index_;
  };
  Children(const internal::Tree* tree, uint32_t first) : tree_(tree), first_(first) {}
  Iterator begin() const { return Iterator(tree_, first_); }
  Iterator end() const { return Iterator(tree_, 0); }

 private:
  const internal::Tree* tree_;
  uint32_t first_;
};

class Value {
 public:
  Value() = default;  // kMissing
  Value(const internal::Tree* tree, uint32_t index) : tree_(tree), index_(index) {}

  Kind kind() const { return tree_ ? node().kind : Kind::kMissing; }
  bool exists() const { return tree_ != nullptr; }
  bool is_null() const { return kind() == Kind::kNull; }
  bool is_bool() const { return kind() == Kind::kBool; }
  bool is_integer() const { return kind() == Kind::kInteger || kind() == Kind::kUnsigned; }
  bool is_number() const { return is_integer() || kind() == Kind::kDouble; }
  bool is_string() const { return kind() == Kind::kString; }
  bool is_array() const { return kind() == Kind::kArray; }
  bool is_object() const { return kind() == Kind::kObject; }

  // Precondition of each: the kind is the one named.
  bool boolean() const { return node().boolean; }
  int64_t integer() const { return node().integer; }                     // kInteger
  uint64_t unsigned_integer() const { return node().unsigned_integer; }  // kUnsigned
  absl::string_view string() const {
    return absl::string_view(tree_->text.data() + node().text_offset, node().size);
  }
  // Any number, as the nearest double.
  double number() const;

  // Items of an array or members of an object; 0 for anything else.
  size_t size() const;
  Children<Value> items() const;     // empty for what is not an array
  Children<Member> members() const;  // empty for what is not an object
  // kMissing when this is not an object or has no such member. Linear in the members.
  Value Find(absl::string_view key) const;
  // The item at `index` of an array, else kMissing. Linear.
  Value At(size_t index) const;

  // The member's value, or `otherwise` when it is absent or of another kind.
  absl::string_view StringOr(absl::string_view key, absl::string_view otherwise) const;
  int64_t IntegerOr(absl::string_view key, int64_t otherwise) const;
  bool BoolOr(absl::string_view key, bool otherwise) const;

  // This node's place in its Document, from 0 (the root); a key for tables beside the document.
  uint32_t index() const { return index_; }

 private:
  friend bool Equal(Value a, Value b);
  const internal::Node& node() const { return tree_->nodes[index_]; }

  const internal::Tree* tree_ = nullptr;
  uint32_t index_ = 0;
};

struct Member {
  absl::string_view key;
  Value value;
};

class Document {
 public:
  Document();  // null
  explicit Document(std::shared_ptr<const internal::Tree> tree) : tree_(std::move(tree)) {}
  Value root() const { return Value(tree_.get(), 0); }
  // Nodes in all; Value::index() is below it.
  size_t node_count() const { return tree_->nodes.size(); }
  // What its tree holds in memory; the same on every machine.
  size_t bytes() const { return tree_->nodes.size() * sizeof(internal::Node) + tree_->text.size(); }

 private:
  std::shared_ptr<const internal::Tree> tree_;
};

// Where values are checked, most of the time goes by in these.
inline size_t Value::size() const { return is_array() || is_object() ? node().size : 0; }
inline Children<Value> Value::items() const {
  return Children<Value>(tree_, is_array() ? node().first : 0);
}
inline Children<Member> Value::members() const {
  return Children<Member>(tree_, is_object() ? node().first : 0);
}

// Equality as JSON Schema has it: numbers by value, objects without regard to order.
bool Equal(Value a, Value b);

template <>
inline Value Children<Value>::Iterator::operator*() const {
  return Value(tree_, index_);
}
template <>
inline Member Children<Member>::Iterator::operator*() const {
  const internal::Node& node = tree_->nodes[index_];
  return {absl::string_view(tree_->text.data() + node.key_offset, node.key_size),
          Value(tree_, index_)};
}
template <typename Item>
typename Children<Item>::Iterator& Children<Item>::Iterator::operator++() {
  index_ = tree_->nodes[index_].next;
  return *this;
}

}  // namespace tipstaff::json
