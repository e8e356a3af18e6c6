#include "stubs/recorder/rewrite.h"

#include "absl/strings/str_cat.h"
#include "mediator/json/builder.h"
#include "mediator/json/parse.h"

namespace tipstaff::recorder {
namespace {

// Both recurse as deep as a document nests, which its parser has bounded.

void Write(json::Value value, const Rewriting& rewriting, Place& place, json::Builder& builder) {
  if (const json::Value other = rewriting.value(place, value); other.exists()) {
    builder.Copy(other);
  } else if (value.is_string()) {
    builder.String(rewriting.text(value.string()));
  } else if (value.is_object()) {
    builder.StartObject();
    for (const json::Member& member : value.members()) {
      place.emplace_back(member.key);
      builder.Key(rewriting.text(member.key));
      Write(member.value, rewriting, place, builder);
      place.pop_back();
    }
    builder.EndObject();
  } else if (value.is_array()) {
    builder.StartArray();
    size_t index = 0;
    for (const json::Value item : value.items()) {
      place.push_back(absl::StrCat(index++));
      Write(item, rewriting, place, builder);
      place.pop_back();
    }
    builder.EndArray();
  } else {
    builder.Copy(value);
  }
}

void Visit(json::Value value, Place& place,
           absl::FunctionRef<void(const Place&, json::Value)> found) {
  found(place, value);
  size_t index = 0;
  for (const json::Value item : value.items()) {
    place.push_back(absl::StrCat(index++));
    Visit(item, place, found);
    place.pop_back();
  }
  for (const json::Member& member : value.members()) {
    place.emplace_back(member.key);
    Visit(member.value, place, found);
    place.pop_back();
  }
}

}  // namespace

absl::StatusOr<json::Document> Rewrite(json::Value value, const Rewriting& rewriting) {
  json::Builder builder(2 * json::kMaxDepth);
  Place place;
  Write(value, rewriting, place, builder);
  return std::move(builder).Build();
}

void ForEachValue(json::Value value,
                  absl::FunctionRef<void(const Place& place, json::Value value)> found) {
  Place place;
  Visit(value, place, found);
}

}  // namespace tipstaff::recorder
