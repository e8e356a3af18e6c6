// IsBoundToScope(): what a schema asks of every value, read off its text.
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "mediator/schema/references.h"
#include "mediator/schema/uri.h"

namespace tipstaff::schema {
namespace {

// Schemas that are looked at, and how deep references and parts may go. What needs more is not
// bound.
constexpr int kMaxLooks = 10'000;
constexpr int kMaxDepth = 64;

// A schema, and what `#` means in it.
struct Within {
  json::Value schema, root;
};

// All that a value has to pass at once: a schema, and what it and its `allOf` and `$ref` add.
using Together = std::vector<Within>;

class Binder {
 public:
  explicit Binder(absl::Span<const Binding> bindings) : bindings_(bindings) {}

  bool IsBound(Within start, int depth) {
    Together all;
    if (!Gather(start, all, depth)) return false;
    for (const Within& one : all) {
      for (const char* keyword : {"equals", "in"}) {
        const json::Value value = one.schema.Find(keyword);
        if (value.exists() && IsOfScope(keyword, value, bindings_)) return true;
      }
    }
    return HasBoundItems(all, depth) || HasBoundMember(all, depth);
  }

 private:
  bool Gather(Within start, Together& all, int depth) {
    Together open = {start};
    while (!open.empty()) {
      Within next = open.back();
      open.pop_back();
      if (++looks_ > kMaxLooks || depth <= 0) return false;
      // Within a schema that has an `$id`, `#` is that schema.
      if (next.schema.Find("$id").is_string()) next.root = next.schema;
      all.push_back(next);
      for (json::Value branch : next.schema.Find("allOf").items()) {
        open.push_back({branch, next.root});
      }
      const json::Value reference = next.schema.Find("$ref");
      Within target;
      if (reference.is_string() && Follow(reference.string(), next.root, target)) {
        open.push_back(target);
      }
    }
    return true;
  }

  // Pointers only: an anchor that nobody follows binds nothing.
  static bool Follow(absl::string_view reference, json::Value root, Within& target) {
    const internal::UriAndFragment parts = internal::SplitFragment(reference);
    const auto pointer = internal::PercentDecode(parts.fragment);
    if (!parts.uri.empty() || !pointer.has_value()) return false;
    target = {root, root};
    if (pointer->empty()) return true;
    if (pointer->front() != '/') return false;
    for (absl::string_view token : absl::StrSplit(pointer->substr(1), '/')) {
      if (target.schema.Find("$id").is_string()) target.root = target.schema;
      const std::string key = absl::StrReplaceAll(token, {{"~1", "/"}, {"~0", "~"}});
      uint32_t index = 0;
      target.schema = target.schema.is_array() && absl::SimpleAtoi(key, &index)
                          ? target.schema.At(index)
                          : target.schema.Find(key);
    }
    return target.schema.is_object();
  }

  static bool IsOfType(const Together& all, absl::string_view type) {
    for (const Within& one : all) {
      if (one.schema.StringOr("type", "") == type) return true;
    }
    return false;
  }

  // Every item of one schema's `items` and `prefixItems`, of an array that is not empty.
  bool HasBoundItems(const Together& all, int depth) {
    int64_t least = 0;
    for (const Within& one : all) {
      least = std::max(least, one.schema.IntegerOr("minItems", 0));
    }
    if (least < 1 || !IsOfType(all, "array")) return false;
    for (const Within& one : all) {
      const json::Value items = one.schema.Find("items"), prefix = one.schema.Find("prefixItems");
      const bool no_more = prefix.size() > 0 && items.is_bool() && !items.boolean();
      bool bound = no_more || (items.exists() && IsBound({items, one.root}, depth - 1));
      for (json::Value item : prefix.items()) {
        bound = bound && IsBound({item, one.root}, depth - 1);
      }
      if (bound) return true;
    }
    return false;
  }

  bool HasBoundMember(const Together& all, int depth) {
    if (!IsOfType(all, "object")) return false;
    for (const Within& one : all) {
      for (const json::Member& member : one.schema.Find("properties").members()) {
        if (Requires(all, member.key) && IsBound({member.value, one.root}, depth - 1)) return true;
      }
    }
    return false;
  }

  static bool Requires(const Together& all, absl::string_view name) {
    for (const Within& one : all) {
      for (json::Value item : one.schema.Find("required").items()) {
        if (item.is_string() && item.string() == name) return true;
      }
    }
    return false;
  }

  const absl::Span<const Binding> bindings_;
  int looks_ = 0;
};

}  // namespace

bool IsBoundToScope(json::Value schema, absl::Span<const Binding> bindings) {
  return Binder(bindings).IsBound({schema, schema}, kMaxDepth);
}

}  // namespace tipstaff::schema
