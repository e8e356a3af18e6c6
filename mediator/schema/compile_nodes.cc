// The Compiler's nodes: which schema is which, and where references lead.
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "mediator/json/parse.h"
#include "mediator/schema/compiler.h"
#include "mediator/schema/uri.h"

namespace tipstaff::schema::internal {
namespace {

// Schemas that are nothing but a `$ref`, one after the other. A circle of them comes to it too.
constexpr int kMaxHops = 64;

}  // namespace

uint32_t Compiler::NewNode() {
  code_->nodes.emplace_back();
  where_.emplace_back();
  return static_cast<uint32_t>(code_->nodes.size() - 1);
}

Compiler::NodeKey Compiler::KeyOf(const Request& request) const {
  const uint32_t document = resources_.at(request.place.resource).document;
  const uint32_t index = request.place.schema.index();
  if (!skill()) return {document, index, request.anchors, Role::kOwn, kAnyType, false};
  // What lint says must not depend on which way was first.
  const Role role = request.role == Role::kInPlace ? Role::kInPlace : Role::kOwn;
  return {document, index, request.anchors, role, request.types, request.fixed};
}

uint32_t Compiler::Want(Request request) {
  if (!SkipReferences(request)) return NewNode();  // compiling has failed
  const auto [entry, added] = nodes_.try_emplace(KeyOf(request), uint32_t{0});
  if (!added) return entry->second;
  const uint32_t node = NewNode();
  entry->second = node;
  request.node = node;
  where_[node] = {request.place.pointer, request.foreign};
  queue_.push_back(std::move(request));
  return node;
}

uint32_t Compiler::WantPart(const Reading& reading, json::Value schema, const std::string& pointer,
                            Role role) {
  const Request& around = reading.request;
  const uint32_t resource = resources_.ResourceAt(around.place.resource, schema);
  Request request{.place = {resource, schema, pointer},
                  .anchors = around.anchors,
                  .role = role,
                  .depth = around.depth - 1,
                  .foreign = around.foreign};
  if (resource != around.place.resource) {
    request.anchors = EnterResource(around.anchors, resource);
  }
  request.fixed = role == Role::kDefinition;
  if (role == Role::kInPlace) {
    request.types = reading.types;
    request.fixed = around.fixed;
    for (const char* keyword : {"type", "const", "enum", "equals", "in"}) {
      request.fixed = request.fixed || reading.schema.Find(keyword).exists();
    }
  }
  if (role != Role::kInPlace || !IsMereReference(request)) return Want(std::move(request));
  const uint32_t node = Want(std::move(request));
  references_[{around.node, node}] = {schema.Find("$ref"), absl::StrCat(pointer, "/$ref"),
                                      around.foreign};
  return node;
}

bool Compiler::IsMereReference(const Request& request) const {
  const json::Value schema = request.place.schema;
  const Resource& resource = resources_.at(request.place.resource);
  if (!schema.Find("$ref").is_string() || !resource.known) return false;
  if (!skill() && resource.language.draft == Draft::k7) return true;
  for (const json::Member& member : schema.members()) {
    const Keyword keyword = FindKeyword(member.key, resource.language);
    const bool silent =
        keyword == Keyword::kAnnotation ||
        (!skill() && (keyword == Keyword::kUnknown || keyword == Keyword::kDefinitions));
    if (keyword != Keyword::kRef && !silent) return false;
  }
  return true;
}

// Of a schema that is passed over for the one that it refers to.
void Compiler::CheckAnnotations(const Request& request) {
  operands_.SpeakOf(request.foreign);
  for (const json::Member& member : request.place.schema.members()) {
    if (member.key == "$ref") continue;
    operands_.CheckAnnotation(member, absl::StrCat(request.place.pointer, "/", member.key));
  }
}

bool Compiler::SkipReferences(Request& request) {
  for (int hops = 0; IsMereReference(request); ++hops) {
    if (skill()) CheckAnnotations(request);
    const json::Value reference = request.place.schema.Find("$ref");
    const std::string pointer = absl::StrCat(request.place.pointer, "/$ref");
    operands_.SpeakOf(request.foreign);
    if (hops == kMaxHops) {
      operands_.Fail(ProblemKind::kBadValue, reference, pointer,
                     absl::StrCat("the reference leads in a circle, or to more than ", kMaxHops,
                                  " references in a row"));
      return false;
    }
    if (!Follow(reference, pointer, /*dynamic=*/false, request)) return false;
  }
  return true;
}

bool Compiler::Follow(json::Value reference, const std::string& pointer, bool dynamic,
                      Request& request) {
  const uint32_t from = request.place.resource;
  absl::StatusOr<Place> target = resources_.Resolve(from, reference.string());
  if (!target.ok()) {
    operands_.Fail(
        ProblemKind::kBadValue, reference, pointer,
        absl::StrCat(dynamic ? "`$dynamicRef`: " : "`$ref`: ", target.status().message()));
    return false;
  }
  if (dynamic) {
    const auto& anchors = resources_.at(target->resource).dynamic_anchors;
    const auto own = anchors.find(std::string(SplitFragment(reference.string()).fragment));
    if (own != anchors.end() && own->second.schema.index() == target->schema.index()) {
      for (const auto& [name, outermost] : dynamic_[request.anchors]) {
        if (name == own->first) target = outermost;
      }
    }
  }
  const bool leaves = resources_.at(from).document == 0;
  const Resource& resource = resources_.at(target->resource);
  if (resource.document == 0) {
    request.foreign = nullptr;
  } else if (leaves) {
    request.foreign = &foreign_.emplace_back(ForeignPlace{reference, pointer, resource.uri});
  }
  request.place = *std::move(target);
  request.anchors = EnterResource(request.anchors, request.place.resource);
  request.depth = json::kMaxDepth;
  request.types = kAnyType;
  request.fixed = true;  // by what refers to it
  return true;
}

uint32_t Compiler::EnterResource(uint32_t anchors, uint32_t resource) {
  std::vector<std::pair<std::string, Place>> all = dynamic_[anchors];
  for (const auto& anchor : resources_.at(resource).dynamic_anchors) {
    const bool known = std::any_of(all.begin(), all.end(),
                                   [&](const auto& entry) { return entry.first == anchor.first; });
    if (!known) all.push_back(anchor);
  }
  if (all.size() == dynamic_[anchors].size()) return anchors;
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  const auto same = [&](const std::vector<std::pair<std::string, Place>>& other) {
    return std::equal(all.begin(), all.end(), other.begin(), other.end(),
                      [](const auto& a, const auto& b) {
                        return a.first == b.first && a.second.resource == b.second.resource &&
                               a.second.schema.index() == b.second.schema.index();
                      });
  };
  const auto found = std::find_if(dynamic_.begin(), dynamic_.end(), same);
  if (found != dynamic_.end()) return static_cast<uint32_t>(found - dynamic_.begin());
  dynamic_.push_back(std::move(all));
  return static_cast<uint32_t>(dynamic_.size() - 1);
}

}  // namespace tipstaff::schema::internal
