// Which argument was meant.
#include <algorithm>
#include <optional>
#include <vector>

#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "mediator/json/parse.h"
#include "mediator/json/pointer.h"
#include "mediator/json/write.h"
#include "mediator/source/diagnostic.h"
#include "stubs/engine/fields.h"
#include "stubs/engine/near_miss.h"

namespace tipstaff::engine {
namespace {

constexpr size_t kShownColumns = 80;
constexpr size_t kMostShownValues = 12;  // of an enum

// The object that holds the failing member, the schema that applies to it, and the member's name.
struct Place {
  json::Value object, schema;
  std::string member;
};

// Goes down by `properties` and `items` alone; nothing where the schema says it in another way.
std::optional<Place> Locate(json::Value schema, json::Value arguments, absl::string_view pointer) {
  Place place{arguments, schema, ""};
  while (!pointer.empty()) {
    pointer.remove_prefix(1);
    const absl::string_view token = pointer.substr(0, pointer.find('/'));
    pointer.remove_prefix(token.size());
    const std::string from_root = absl::StrCat("/", token);
    if (place.object.is_object() && pointer.empty()) {
      for (const json::Member& member : place.schema.Find("properties").members()) {
        if (json::PointerToken(member.key) == token) place.member = std::string(member.key);
      }
      for (const json::Member& member : place.object.members()) {
        if (json::PointerToken(member.key) == token) place.member = std::string(member.key);
      }
      return place;
    }
    place.schema = place.object.is_array()
                       ? place.schema.Find("items")
                       : json::ValueAt(place.schema.Find("properties"), from_root);
    place.object = json::ValueAt(place.object, from_root);
    if (!place.schema.is_object() || !place.object.exists()) return std::nullopt;
  }
  return std::nullopt;
}

std::string Quoted(absl::string_view name) {
  return absl::StrCat("`", base::EscapeAndCut(name, kShownColumns), "`");
}

bool Takes(const Place& place, absl::string_view name) {
  return place.schema.Find("properties").Find(name).exists();
}

// The names that the schema has and the call does not give: those that it requires, or all.
std::vector<std::string> NotGiven(const Place& place, bool required) {
  std::vector<std::string> names;
  if (required) {
    for (json::Value name : place.schema.Find("required").items()) {
      if (name.is_string() && !place.object.Find(name.string()).exists()) {
        names.emplace_back(name.string());
      }
    }
    return names;
  }
  for (const json::Member& member : place.schema.Find("properties").members()) {
    if (!place.object.Find(member.key).exists()) names.emplace_back(member.key);
  }
  return names;
}

std::vector<std::string> UnknownNames(const Place& place) {
  std::vector<std::string> names;
  for (const json::Member& member : place.object.members()) {
    if (!Takes(place, member.key)) names.emplace_back(member.key);
  }
  return names;
}

// Of an argument that is not there in the schema.
std::string UnknownNote(const std::string& tool, const Place& place) {
  const std::vector<std::string> free = NotGiven(place, false), missing = NotGiven(place, true);
  std::string meant = source::NearestName(place.member, free);
  // One name too many and one too few are most likely the same.
  if (meant.empty() && missing.size() == 1 && UnknownNames(place).size() == 1) meant = missing[0];
  std::string text = absl::StrCat(Quoted(tool), " has no argument ", Quoted(place.member));
  if (!meant.empty()) {
    const bool needed = std::find(missing.begin(), missing.end(), meant) != missing.end();
    return absl::StrCat(text, ": did you mean ", Quoted(meant), "?",
                        needed ? " it is required and not given" : "");
  }
  if (!free.empty()) absl::StrAppend(&text, ": not given are ", ListNames(free));
  return text;
}

// Of an argument that is required and not given.
std::string MissingNote(const std::string& tool, const Place& place) {
  const std::vector<std::string> unknown = UnknownNames(place);
  std::string given = source::NearestName(place.member, unknown);
  if (given.empty() && unknown.size() == 1 && NotGiven(place, true).size() == 1) given = unknown[0];
  if (!given.empty()) {
    return absl::StrCat(Quoted(tool), " takes ", Quoted(place.member), ", and ", Quoted(given),
                        " was given: is that what it should be called?");
  }
  return absl::StrCat(Quoted(tool), " needs ", ListNames(NotGiven(place, true)), " too");
}

std::string EnumNote(const Place& place, json::Value allowed) {
  const json::Value value = place.object.Find(place.member);
  std::vector<std::string> texts;
  std::string all;
  for (json::Value one : allowed.items()) {
    if (one.is_string()) texts.emplace_back(one.string());
    if (texts.size() > kMostShownValues) continue;
    absl::StrAppend(&all, all.empty() ? "" : ", ", json::Canonical(one));
  }
  const std::string meant = value.is_string() ? source::NearestName(value.string(), texts) : "";
  return absl::StrCat(Quoted(place.member), " is one of ", base::EscapeAndCut(all, 300),
                      meant.empty() ? "" : absl::StrCat(": did you mean ", Quoted(meant), "?"));
}

// A text that reads as what was asked for.
std::string TypeNote(const Place& place, json::Value type) {
  const json::Value value = place.object.Find(place.member);
  if (!value.is_string() || !type.is_string()) return "";
  const absl::StatusOr<json::Document> read = json::Parse(value.string());
  if (!read.ok()) return "";
  const absl::string_view kind = json::KindName(read->root().kind());
  if (kind != type.string() && !(type.string() == "number" && read->root().is_number())) return "";
  return absl::StrCat(Quoted(place.member), " is a text that reads as ", kind,
                      ": write it without quotes");
}

}  // namespace

std::string ArgumentNote(const call::Tool& tool, json::Value arguments,
                         const schema::Failure& failure) {
  const std::optional<Place> place = Locate(tool.input_schema.root(), arguments, failure.pointer);
  if (!place || place->member.empty()) return "";
  const json::Value property = place->schema.Find("properties").Find(place->member);
  if (!place->object.Find(place->member).exists()) return MissingNote(tool.name, *place);
  if (!property.exists()) return UnknownNote(tool.name, *place);
  if (failure.keyword == "enum") return EnumNote(*place, property.Find("enum"));
  if (failure.keyword == "type") return TypeNote(*place, property.Find("type"));
  return "";
}

}  // namespace tipstaff::engine
