#include "tests/reference/names.h"

#include <set>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"

namespace tipstaff::reference {
namespace {

// RFC 3986, section 5.2, as far as names without dot segments need it.
std::string Resolve(const std::string& base, const std::string& reference) {
  if (absl::StrContains(reference, "://") || absl::StartsWith(reference, "urn:")) return reference;
  const size_t authority = base.find("://");
  const size_t path = authority == std::string::npos ? 0 : base.find('/', authority + 3);
  if (absl::StartsWith(reference, "/")) return absl::StrCat(base.substr(0, path), reference);
  const size_t slash = base.rfind('/');
  const bool bare = slash == std::string::npos || (path == std::string::npos);
  return bare ? reference : absl::StrCat(base.substr(0, slash + 1), reference);
}

std::string Unescaped(absl::string_view fragment) {
  std::string out;
  for (size_t i = 0; i < fragment.size(); ++i) {
    if (fragment[i] == '%' && i + 2 < fragment.size()) {
      out += absl::HexStringToBytes(std::string(fragment.substr(i + 1, 2)));
      i += 2;
    } else {
      out += fragment[i];
    }
  }
  return out;
}

std::optional<json::Value> WalkPointer(json::Value at, absl::string_view pointer) {
  if (pointer.empty()) return at;
  for (absl::string_view token : absl::StrSplit(pointer.substr(1), '/')) {
    const std::string key = absl::StrReplaceAll(token, {{"~1", "/"}, {"~0", "~"}});
    uint32_t index = 0;
    const bool numbered = at.is_array() && absl::SimpleAtoi(key, &index);
    at = numbered ? at.At(index) : at.Find(key);
    if (!at.exists()) return std::nullopt;
  }
  return at;
}

}  // namespace

Names::Names(json::Value root) {
  resources_[0].root = root;
  Scan(root, 0);
}

void Names::Scan(json::Value schema, size_t resource) {
  if (!schema.is_object()) return;
  const json::Value id = schema.Find("$id");
  if (id.is_string()) {
    const std::string around = resources_[resource].id;
    if (schema.index() != resources_[resource].root.index()) resource = resources_.size();
    resources_[resource].root = schema;
    resources_[resource].id =
        Resolve(around, std::string(id.string().substr(0, id.string().find('#'))));
  }
  of_[schema.index()] = resource;
  for (const char* word : {"$anchor", "$dynamicAnchor"}) {
    const json::Value name = schema.Find(word);
    if (!name.is_string()) continue;
    resources_[resource].anchors.emplace(std::string(name.string()), schema);
    if (word[1] == 'd') {
      resources_[resource].dynamic_anchors.emplace(std::string(name.string()), schema);
    }
  }
  for (const json::Member& member : schema.members()) {
    ScanKeyword(member.key, member.value, resource);
  }
}

void Names::ScanKeyword(absl::string_view word, json::Value operand, size_t resource) {
  static const auto* kOne = new std::set<std::string>{"additionalProperties",
                                                      "contains",
                                                      "else",
                                                      "if",
                                                      "items",
                                                      "not",
                                                      "propertyNames",
                                                      "then",
                                                      "unevaluatedItems",
                                                      "unevaluatedProperties"};
  static const auto* kList = new std::set<std::string>{"allOf", "anyOf", "oneOf", "prefixItems"};
  static const auto* kNamed =
      new std::set<std::string>{"$defs", "dependentSchemas", "patternProperties", "properties"};
  const std::string key(word);
  if (kOne->contains(key)) Scan(operand, resource);
  if (kList->contains(key)) {
    for (json::Value item : operand.items()) Scan(item, resource);
  }
  if (!kNamed->contains(key)) return;
  for (const json::Member& member : operand.members()) Scan(member.value, resource);
}

const Resource& Names::Around(json::Value schema) const {
  const auto found = of_.find(schema.index());
  return resources_.at(found == of_.end() ? 0 : found->second);
}

std::optional<json::Value> Names::Find(const Resource& from, absl::string_view reference) const {
  const size_t hash = reference.find('#');
  const std::string uri(reference.substr(0, hash));
  const Resource* resource = uri.empty() ? &from : nullptr;
  for (const auto& entry : resources_) {
    if (!uri.empty() && entry.second.id == Resolve(from.id, uri)) resource = &entry.second;
  }
  if (resource == nullptr) return std::nullopt;
  if (hash == absl::string_view::npos) return resource->root;
  const std::string fragment = Unescaped(reference.substr(hash + 1));
  if (fragment.empty() || fragment[0] == '/') return WalkPointer(resource->root, fragment);
  const auto anchor = resource->anchors.find(fragment);
  if (anchor == resource->anchors.end()) return std::nullopt;
  return anchor->second;
}

}  // namespace tipstaff::reference
