#include "mediator/json/document.h"

#include <algorithm>

#include "mediator/json/write.h"

namespace tipstaff::json {

absl::string_view KindName(Kind kind) {
  switch (kind) {
    case Kind::kMissing:
      return "nothing";
    case Kind::kNull:
      return "null";
    case Kind::kBool:
      return "boolean";
    case Kind::kInteger:
    case Kind::kUnsigned:
      return "integer";
    case Kind::kDouble:
      return "number";
    case Kind::kString:
      return "string";
    case Kind::kArray:
      return "array";
    case Kind::kObject:
      return "object";
  }
  return "nothing";
}

Document::Document() {
  static const auto* const kNull = [] {
    auto tree = std::make_shared<internal::Tree>();
    tree->nodes.emplace_back().kind = Kind::kNull;
    return new std::shared_ptr<const internal::Tree>(std::move(tree));
  }();
  tree_ = *kNull;
}

double Value::number() const {
  switch (kind()) {
    case Kind::kInteger:
      return static_cast<double>(node().integer);
    case Kind::kUnsigned:
      return static_cast<double>(node().unsigned_integer);
    default:
      return node().number;
  }
}

Value Value::Find(absl::string_view key) const {
  for (const Member& member : members()) {
    if (member.key == key) return member.value;
  }
  return Value();
}

Value Value::At(size_t index) const {
  for (Value item : items()) {
    if (index-- == 0) return item;
  }
  return Value();
}

absl::string_view Value::StringOr(absl::string_view key, absl::string_view otherwise) const {
  const Value value = Find(key);
  return value.is_string() ? value.string() : otherwise;
}

int64_t Value::IntegerOr(absl::string_view key, int64_t otherwise) const {
  const Value value = Find(key);
  return value.kind() == Kind::kInteger ? value.integer() : otherwise;
}

bool Value::BoolOr(absl::string_view key, bool otherwise) const {
  const Value value = Find(key);
  return value.is_bool() ? value.boolean() : otherwise;
}

bool Equal(Value a, Value b) {
  if (a.kind() != b.kind()) return false;
  switch (a.kind()) {
    case Kind::kMissing:
    case Kind::kNull:
      return true;
    case Kind::kBool:
      return a.boolean() == b.boolean();
    case Kind::kInteger:
      return a.integer() == b.integer();
    case Kind::kUnsigned:
      return a.unsigned_integer() == b.unsigned_integer();
    case Kind::kDouble:
      return a.node().number == b.node().number;
    case Kind::kString:
      return a.string() == b.string();
    // Equal containers have the same canonical form, as each number has one representation.
    case Kind::kArray:
    case Kind::kObject:
      return a.size() == b.size() && Canonical(a) == Canonical(b);
  }
  return false;
}

}  // namespace tipstaff::json
