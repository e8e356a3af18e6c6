// Parts of a JSON value that a skill names: JSON pointers in which `*` stands for every member or
// item, such as `/messages/*/subject`.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "mediator/json/builder.h"
#include "mediator/json/document.h"

namespace tipstaff::policy {

// Thread-compatible; copies are independent.
class Parts {
 public:
  // False when it is no pointer: "" (everything), or `/` before each token, with `~` only as `~0`
  // and `~1`.
  bool Add(absl::string_view pointer);
  bool empty() const { return paths_.empty(); }
  bool operator==(const Parts&) const = default;

  // A copy of `value` that has nothing but these parts, and the objects and arrays that hold one:
  // an array has so many items as hold one, in their order. Without any part an empty object, or
  // array where `value` is one. `value` nests at most json::kMaxDepth deep.
  json::Document Only(json::Value value) const;
  void Add(const Parts& more);
  // A copy in which `write` puts another value in the place of each part, which stands at
  // `pointer`; parts within parts are not looked for. What is of another type than a way to a part
  // needs, a text where an object is meant, may hold it in another form, and is replaced itself.
  // `write` adds one value to the builder.
  using Write = std::function<void(json::Builder&, const std::string& pointer, json::Value part)>;
  json::Document Replaced(json::Value value, const Write& write) const;
  // Whether Replaced() would change anything.
  bool AnyIn(json::Value value) const;
  // Whether what `pointer` leads to is one of them.
  bool Has(absl::string_view pointer) const;
  // Whether it is one of them, is in one, or holds one.
  bool Touch(absl::string_view pointer) const;
  // The part that `pointer` leads into, or `pointer` itself: names within a part are its own.
  std::string Outermost(absl::string_view pointer) const;

  using Path = std::vector<std::string>;  // "*" for every one

  // A place in a value, on its way from the root.
  class Place {
   public:
    explicit Place(const Parts& parts);
    bool is_part() const;
    bool leads_on() const { return !on_.empty(); }  // to a part, or it is one
    // Whether a value of this kind can be on each way from here, which is no part.
    bool Fits(json::Value value) const;
    Place Below(absl::string_view token) const;

   private:
    Place() = default;
    std::vector<std::pair<const Path*, size_t>> on_;  // how far into each path that leads here
  };

 private:
  std::vector<Path> paths_;
};

}  // namespace tipstaff::policy
