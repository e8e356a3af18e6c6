// Which schema a `$ref` leads to. Documents are looked through for `$id`s and anchors; nothing is
// fetched: what is not at hand cannot be referred to.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "mediator/json/document.h"
#include "mediator/schema/keywords.h"

namespace tipstaff::schema::internal {

// A schema and where it stands.
struct Place {
  uint32_t resource = 0;
  json::Value schema;
  std::string pointer;  // in its document
};

// A schema that references are relative to: a document's, or one within it that has an `$id`.
struct Resource {
  uint32_t document = 0;
  json::Value root;
  std::string pointer;  // of the root in its document
  std::string uri;      // without a fragment; "" when it has none
  Language language;
  bool asserts_formats = false;
  bool known = true;  // false: `$schema` names what this version cannot check
  absl::flat_hash_map<std::string, Place> anchors;  // dynamic ones too
  std::map<std::string, Place> dynamic_anchors;
};

// A name that is given twice.
struct ScanProblem {
  uint32_t document;
  json::Value at;
  std::string pointer;
  std::string message;
};

// The documents that `options` refers to have to outlive it.
class Resources {
 public:
  explicit Resources(const CompileOptions& options) : options_(options) {}

  // Makes a resource of a schema of the caller's document, number 0, and of those within.
  uint32_t AddRoot(json::Value schema, const std::string& pointer);

  // NotFound, with a message for the reader of the schema, when it leads nowhere.
  absl::StatusOr<Place> Resolve(uint32_t from, absl::string_view reference);

  // The resource of a schema within `around`: its own, when it begins one.
  uint32_t ResourceAt(uint32_t around, json::Value schema) const;

  const Resource& at(uint32_t resource) const { return resources_[resource]; }
  const std::vector<ScanProblem>& problems() const { return problems_; }

 private:
  uint32_t Add(uint32_t document, json::Value root, const std::string& pointer,
               const Resource* around, absl::string_view retrieved_from);
  void Scan(uint32_t resource);
  void ScanOne(Place at, std::vector<Place>& open);
  void ReadNames(const Place& at);
  void AddAnchor(const Place& at, json::Value name, absl::string_view text, bool dynamic);
  void SetLanguage(Resource& resource, json::Value schema_uri);
  bool ReadVocabularies(Resource& resource, absl::string_view metaschema);
  void RegisterUri(uint32_t resource, json::Value id);
  // The document that has this URI, from the options or the standard's; kMissing when none has.
  json::Value DocumentAt(absl::string_view uri);
  absl::StatusOr<uint32_t> ResourceOf(uint32_t from, absl::string_view uri);
  absl::StatusOr<Place> WalkPointer(uint32_t resource, absl::string_view pointer);

  const CompileOptions& options_;
  std::deque<Resource> resources_;
  absl::flat_hash_map<std::string, uint32_t> by_uri_;
  absl::flat_hash_map<uint64_t, uint32_t> by_place_;  // document and index of the root
  absl::flat_hash_map<std::string, std::shared_ptr<const json::Document>> standard_;
  uint32_t documents_ = 1;
  std::vector<ScanProblem> problems_;
};

}  // namespace tipstaff::schema::internal
