// What `$ref` and `$dynamicRef` lead to within one schema.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "mediator/json/document.h"

namespace tipstaff::reference {

// A schema with an `$id`, or the whole one.
struct Resource {
  json::Value root;
  std::string id;
  std::map<std::string, json::Value> anchors, dynamic_anchors;
};

class Names {
 public:
  explicit Names(json::Value root);

  // The resource that a schema lies in; of an unknown one the first.
  const Resource& Around(json::Value schema) const;

  // Nothing when it leads nowhere, for instance to another document.
  std::optional<json::Value> Find(const Resource& from, absl::string_view reference) const;

 private:
  void Scan(json::Value schema, size_t resource);
  void ScanKeyword(absl::string_view word, json::Value operand, size_t resource);

  std::map<size_t, Resource> resources_;
  std::map<uint32_t, size_t> of_;  // by json::Value::index() of a schema
};

}  // namespace tipstaff::reference
