// What a tool takes in place of arguments that are not given: the `default`s of its input schema.
#pragma once

#include <memory>
#include <optional>

#include "absl/status/statusor.h"
#include "mediator/json/document.h"

namespace tipstaff::schema {

// Of one schema. Immutable, and cheap to copy.
class Defaults {
 public:
  explicit Defaults(json::Document schema);

  // Whether Fill() never adds anything.
  bool none() const;
  // How many alternatives there are at most beside each other, where one of them has defaults:
  // schemas of one `anyOf` or `oneOf`, `then` and `else`; `patternProperties` are at least one.
  size_t alternatives() const;

  // `arguments` and the defaults of what is not given: properties of the arguments themselves and
  // of objects within them, also of those in lists, and of a default that is an object. `$ref`,
  // `allOf` and `dependentSchemas` are followed. Of alternatives none is looked at, as nobody knows
  // here which one holds; with `alternative` that one of each (its last where it has fewer), and
  // `patternProperties` for any name.
  //
  // Nothing when there is nothing to add. ResourceExhausted when it would be too much, which a
  // schema whose defaults hold each other can ask for.
  absl::StatusOr<std::optional<json::Document>> Fill(
      json::Value arguments, std::optional<size_t> alternative = std::nullopt) const;

 private:
  struct Tree;
  class Reading;
  class Filling;
  std::shared_ptr<const Tree> tree_;
};

}  // namespace tipstaff::schema
