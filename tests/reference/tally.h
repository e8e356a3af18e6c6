// What a value fails of a schema, as docs/policy-language.md counts it: every constraint once, and
// of anyOf and oneOf what the nearest branch fails.
//
// How many constraints those are is not said to the last one: a list that is too long may or may
// not be looked into, a `$ref` that leads twice to one constraint may count it once or twice. So
// there are two counts, and what is decided by them has to lie between.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <tuple>

namespace tipstaff::reference {

struct Site {
  uint32_t index = 0;  // json::Value::index() of the keyword's value
  uint32_t kind = 0;   // several constraints of one value: a number for each kind
  bool conditional = false;
  uint64_t way = 0;  // the references that led there
  auto Key() const { return std::tie(index, kind, conditional, way); }
  bool operator<(const Site& other) const { return Key() < other.Key(); }
};

// How sure it is that a constraint is said to fail.
enum class Sure {
  kYes,
  kFails,    // it does fail, but may be left out of the count, as something else fails too
  kPerhaps,  // it may be that nobody looks
};

class Tally {
 public:
  bool passed() const { return most_.empty(); }
  size_t least() const { return least_.size(); }
  size_t most() const { return most_.size(); }
  // Something that is not of scope fails for certain, or perhaps.
  bool beyond_scope() const { return beyond_scope_; }
  bool maybe_beyond_scope() const { return maybe_beyond_scope_; }

  // `depth`: of the value in the arguments.
  void Add(const Site& site, bool scope, size_t depth, Sure sure = Sure::kYes);
  void Add(const Tally& other, Sure sure = Sure::kYes);

  // Whether this is said rather than `other` of two branches; nothing when either may be.
  std::optional<bool> IsNearerThan(const Tally& other) const;
  // Either of the two is said, and nobody says which.
  void Blur(const Tally& other);

 private:
  std::set<Site> least_;  // with `way` 0
  std::set<Site> most_;
  bool beyond_scope_ = false, maybe_beyond_scope_ = false;
  bool first_known_ = true;      // what failed first
  std::optional<size_t> depth_;  // of it
};

}  // namespace tipstaff::reference
