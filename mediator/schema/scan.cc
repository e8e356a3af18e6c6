// Resources' look through a document for schemas that have a name.
#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "mediator/json/pointer.h"
#include "mediator/schema/operands.h"
#include "mediator/schema/resources.h"
#include "mediator/schema/uri.h"

namespace tipstaff::schema::internal {
void Resources::Scan(uint32_t resource) {
  std::vector<Place> open = {{resource, resources_[resource].root, resources_[resource].pointer}};
  ReadNames(open.back());
  while (!open.empty()) {
    Place next = std::move(open.back());
    open.pop_back();
    ScanOne(std::move(next), open);
  }
}

void Resources::ScanOne(Place at, std::vector<Place>& open) {
  const auto found = [&](json::Value schema, std::string pointer) {
    if (!schema.is_object()) return;
    Place inner{at.resource, schema, std::move(pointer)};
    const Resource& around = resources_[at.resource];
    const json::Value id = schema.Find("$id");
    const bool hidden = around.language.draft == Draft::k7 && schema.Find("$ref").is_string();
    if (id.is_string() && !hidden && !SplitFragment(id.string()).uri.empty()) {
      inner.resource = Add(around.document, schema, inner.pointer, &around, "");
    }
    ReadNames(inner);
    open.push_back(std::move(inner));
  };
  // By value: adding a resource must not move the words away.
  const Language language = resources_[at.resource].language;
  for (const json::Member& member : at.schema.members()) {
    const Holds holds = WhatItHolds(FindKeyword(member.key, language));
    if (holds == Holds::kNothing) continue;
    const std::string pointer = absl::StrCat(at.pointer, "/", json::PointerToken(member.key));
    if (holds == Holds::kSchema || holds == Holds::kSchemaOrSchemas) found(member.value, pointer);
    if (holds == Holds::kSchemas || holds == Holds::kSchemaOrSchemas) {
      size_t index = 0;
      for (json::Value item : member.value.items())
        found(item, absl::StrCat(pointer, "/", index++));
    }
    if (holds != Holds::kNamedSchemas) continue;
    for (const json::Member& named : member.value.members()) {
      found(named.value, absl::StrCat(pointer, "/", json::PointerToken(named.key)));
    }
  }
}

void Resources::ReadNames(const Place& at) {
  if (resources_[at.resource].language.draft == Draft::k7) {
    const json::Value id = at.schema.Find("$id");
    if (!id.is_string() || at.schema.Find("$ref").is_string()) return;
    const absl::string_view fragment = SplitFragment(id.string()).fragment;
    if (!fragment.empty() && fragment.front() != '/') AddAnchor(at, id, fragment, false);
    return;
  }
  for (const char* keyword : {"$anchor", "$dynamicAnchor"}) {
    const json::Value name = at.schema.Find(keyword);
    if (name.is_string()) AddAnchor(at, name, name.string(), keyword[1] == 'd');
  }
}

void Resources::AddAnchor(const Place& at, json::Value name, absl::string_view text, bool dynamic) {
  Resource& resource = resources_[at.resource];
  const auto [entry, added] = resource.anchors.emplace(std::string(text), at);
  if (dynamic) resource.dynamic_anchors.emplace(std::string(text), at);
  if (added || entry->second.schema.index() == at.schema.index()) return;
  problems_.push_back(
      {resource.document, name, at.pointer,
       absl::StrCat("another schema has the anchor `", base::EscapeAndCut(text, 60), "`")});
}

}  // namespace tipstaff::schema::internal
