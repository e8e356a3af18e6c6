#include "mediator/policy/standard_schema.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/match.h"
#include "absl/strings/strip.h"
#include "mediator/json/pointer.h"
#include "mediator/json/write.h"
#include "mediator/policy/definitions.h"
#include "mediator/policy/published_json.h"
#include "mediator/policy/schema_places.h"
#include "mediator/schema/address.h"
#include "mediator/schema/references.h"

namespace tipstaff::policy::internal {
namespace {

constexpr int64_t kMostBytesOfACharacter = 4;

bool IsOneOf(absl::string_view key, std::initializer_list<absl::string_view> keys) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

json::Document Number(int64_t number) {
  json::Builder builder;
  builder.Integer(number);
  return Built(std::move(builder));
}

json::Document Text(absl::string_view text) {
  json::Builder builder;
  builder.String(text);
  return Built(std::move(builder));
}

json::Value ValueOf(absl::string_view name, const BoundValues& bound) {
  for (size_t i = 0; i < bound.names.size() && i < bound.values.size(); ++i) {
    if (bound.names[i].name == name) return bound.values[i];
  }
  return json::Value();
}

// One operand of `equals` or `in`; owned, as `$$` is written with one dollar.
json::Document Resolve(json::Value operand, const BoundValues& bound) {
  const schema::Operand read = schema::ReadOperand(operand);
  if (read.kind == schema::Operand::Kind::kReference) return Own(ValueOf(read.text, bound));
  return operand.is_string() ? Text(read.text) : Own(operand);
}

// The one of the `$defs` that `$ref` leads to, as in a pointer; empty where it leads elsewhere.
absl::string_view Definition(const json::Member& reference) {
  if (!reference.value.is_string()) return "";
  absl::string_view name = reference.value.string();
  const bool in_definitions = absl::ConsumePrefix(&name, "#/$defs/");
  return in_definitions && name.find_first_of("/%") == absl::string_view::npos ? name : "";
}

bool AllowsAnyText(json::Value text) { return text.is_string() && text.string() == "any"; }

// Whether a value of its own that `keyword` applies the schema to must be a line of text, or hold
// such, though the schema does not say so.
bool AsksForLines(absl::string_view keyword, json::Value schema) {
  if (schema::AppliesInPlace(KeywordOf(keyword)) || AllowsAnyText(schema.Find("text")))
    return false;
  if (schema.is_bool()) return schema.boolean();
  constexpr schema::Types kHoldsText =
      schema::kStringType | schema::kArrayType | schema::kObjectType;
  const bool listed = schema::SaysItsType(schema) && !schema.Find("type").exists();
  return !listed && (schema::TypesOf(schema) & kHoldsText) != 0;
}

// Each value once, in their order: lists that the standard knows as `enum` should be such.
json::Document Distinct(json::Value list) {
  absl::flat_hash_set<std::string> seen;
  json::Builder builder(kMaxPublishedDepth);
  builder.StartArray();
  for (json::Value item : list.items()) {
    if (seen.insert(json::Canonical(item)).second) builder.Copy(item);
  }
  builder.EndArray();
  return Built(std::move(builder));
}

void AddOnce(std::string text, std::vector<std::string>& texts) {
  if (std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(std::move(text));
}

// A pattern of ECMA-262 for addresses of these local parts, of ParseAddress(). What is no syntax
// must not be escaped.
std::string BeginsWithOneOf(const std::vector<std::string>& locals) {
  std::string pattern = "^(?:";
  for (const std::string& local : locals) {
    if (&local != &locals.front()) pattern += '|';
    for (const char c : local) {
      if (absl::StrContains("^$\\.*+?()[]{}|/", c)) pattern += '\\';
      pattern += c;
    }
  }
  return pattern + ")@";
}

// A schema while it is converted.
struct Converted {
  std::map<std::string, json::Document> keywords;
  bool exact = true;  // accepts nothing more than the schema

  // Of two that a schema says in different words the later one stays.
  void Set(absl::string_view key, json::Document value) {
    const auto [there, is_new] = keywords.try_emplace(std::string(key));
    if (!is_new && !json::Equal(there->second.root(), value.root())) exact = false;
    there->second = std::move(value);
  }
  void Drop(absl::string_view key) {
    keywords.erase(std::string(key));
    exact = false;
  }
};

class Converter {
 public:
  explicit Converter(const BoundValues& bound) : bound_(bound) {}

  // Recurses as deep as skills nest.
  json::Document Convert(json::Value schema, bool& exact) {
    if (!schema.is_object()) return Own(schema);
    Converted converted;
    for (const json::Member& member : schema.members()) Take(member, converted);
    JudgeConditions(schema, converted);
    exact = exact && converted.exact;
    json::Builder builder(kMaxPublishedDepth);
    builder.StartObject();
    for (const auto& [key, value] : converted.keywords) builder.Field(key, value.root());
    builder.EndObject();
    return Built(std::move(builder));
  }

  bool refers() const { return refers_; }
  bool refers_elsewhere() const { return refers_elsewhere_; }
  // Members that a schema which was left out describes would count as not described.
  bool left_out_in_place() const { return left_out_in_place_; }

 private:
  void Take(const json::Member& member, Converted& out) {
    const absl::string_view key = member.key;
    if (TakeScope(member, out)) return;
    if (key == "text") out.exact = out.exact && AllowsAnyText(member.value);
    if (IsAnnotation(key) || key == "text" || key == "$schema") return;
    if (key == "path" || key == "plain") {
      out.exact = false;
      return;
    }
    refers_ = refers_ || IsOneOf(key, {"$ref", "$dynamicRef", "$anchor", "$dynamicAnchor", "$id"});
    if (IsOneOf(key, {"$dynamicRef", "$id"}) || (key == "$ref" && Definition(member).empty())) {
      refers_elsewhere_ = true;
    }
    // What it refers to is converted too, and may be inexact: nobody looks there.
    if (IsOneOf(key, {"$ref", "$dynamicRef"})) out.exact = false;
    switch (schema::WhatItHolds(KeywordOf(key))) {
      case schema::Holds::kNothing:
        return out.Set(key, Own(member.value));
      case schema::Holds::kSchema:
      case schema::Holds::kSchemaOrSchemas:
        return out.Set(key, ConvertPart(key, member.value, out));
      case schema::Holds::kSchemas:
      case schema::Holds::kNamedSchemas:
        return out.Set(key, ConvertParts(key, member.value, out));
    }
  }

  bool TakeScope(const json::Member& member, Converted& out) {
    const absl::string_view key = member.key;
    if (key == "equals") {
      out.Set("const", Resolve(member.value, bound_));
    } else if (key == "in" || key == "enum") {
      const json::Document list =
          key == "in" ? ResolveList(member.value, bound_) : json::Document();
      out.Set("enum", Distinct(key == "in" ? list.root() : member.value));
    } else if (key == "email" || key == "emailDomain" || key == "url") {
      // Hosts and domains may be other than ASCII.
      out.Set("format", Text(key == "url" ? "iri" : "idn-email"));
      out.exact = false;
      if (key == "email") SetAddresses(ResolveList(member.value, bound_).root(), out);
    } else if (key == "maxBytes" || key == "minBytes") {
      TakeBytes(key == "maxBytes", member.value.integer(), out);
    } else {
      return false;
    }
    return true;
  }

  // A domain may be spelt in more ways than a list can hold, what stands before it in one.
  void SetAddresses(json::Value list, Converted& out) {
    std::vector<std::string> addresses, locals;
    for (json::Value item : list.items()) {
      const absl::string_view text = item.is_string() ? item.string() : "";
      const std::optional<schema::Address> address = schema::ParseAddress(text);
      if (!address.has_value()) continue;  // which nothing equals
      AddOnce(std::string(text), addresses);
      AddOnce(address->local, locals);
    }
    if (locals.empty()) return;
    json::Builder builder;
    builder.StartArray();
    for (const std::string& address : addresses) builder.String(address);
    builder.EndArray();
    out.Set("examples", Built(std::move(builder)));
    // One of the skill's own says more.
    if (!out.keywords.contains("pattern")) out.Set("pattern", Text(BeginsWithOneOf(locals)));
  }

  void TakeBytes(bool most, int64_t bytes, Converted& out) {
    out.exact = false;
    const std::string key = most ? "maxLength" : "minLength";
    const int64_t length =
        most ? bytes : (bytes + kMostBytesOfACharacter - 1) / kMostBytesOfACharacter;
    const auto there = out.keywords.find(key);
    if (there != out.keywords.end()) {
      const json::Value own = there->second.root();
      if (own.kind() == json::Kind::kInteger &&
          (most ? own.integer() <= length : own.integer() >= length)) {
        return;
      }
    }
    out.Set(key, Number(length));
  }

  json::Document ConvertPart(absl::string_view key, json::Value part, Converted& out) {
    bool exact = !AsksForLines(key, part);
    json::Document converted = Convert(part, exact);
    if (!exact) inexact_.insert(part.index());
    out.exact = out.exact && (exact || IsOneOf(key, {"not", "if"}));  // those are judged later
    return converted;
  }

  json::Document ConvertParts(absl::string_view key, json::Value parts, Converted& out) {
    bool exact = true;
    json::Builder builder(kMaxPublishedDepth);
    const auto add = [&](json::Value part) {
      exact = exact && !AsksForLines(key, part);
      builder.Copy(Convert(part, exact).root());
    };
    if (parts.is_array()) {
      builder.StartArray();
      for (json::Value part : parts.items()) add(part);
      builder.EndArray();
    } else {
      builder.StartObject();
      for (const json::Member& part : parts.members()) {
        builder.Key(part.key);
        add(part.value);
      }
      builder.EndObject();
    }
    if (!exact) inexact_.insert(parts.index());
    out.exact = out.exact && (exact || key == "$defs");
    return Built(std::move(builder));
  }

  bool IsInexact(json::Value part) const {
    return part.exists() && inexact_.contains(part.index());
  }

  // What asks that something does not hold refuses too much when that became wider.
  void JudgeConditions(json::Value schema, Converted& out) {
    if (IsInexact(schema.Find("not"))) out.Drop("not");
    if (IsInexact(schema.Find("if"))) {
      left_out_in_place_ = true;
      for (const char* key : {"if", "then", "else"}) out.Drop(key);
    }
    if (IsInexact(schema.Find("oneOf"))) {
      json::Document branches = std::move(out.keywords["oneOf"]);
      out.Drop("oneOf");
      if (!schema.Find("anyOf").exists()) {
        out.Set("anyOf", std::move(branches));
      } else {
        left_out_in_place_ = true;
      }
    }
    if (IsInexact(schema.Find("contains"))) out.Drop("maxContains");
    // `maxLength` may stand after `maxBytes` in the file.
    for (const bool most : {true, false}) {
      const json::Value bytes = schema.Find(most ? "maxBytes" : "minBytes");
      if (bytes.kind() == json::Kind::kInteger) TakeBytes(most, bytes.integer(), out);
    }
  }

  const BoundValues& bound_;
  std::set<uint32_t> inexact_;  // parts of the document, by index
  bool refers_ = false;
  bool refers_elsewhere_ = false;
  bool left_out_in_place_ = false;
};

// Without the keywords, wherever schemas stand.
json::Document Without(json::Value schema, std::initializer_list<absl::string_view> keywords) {
  if (schema.is_array()) {
    json::Builder builder(kMaxPublishedDepth);
    builder.StartArray();
    for (json::Value item : schema.items()) builder.Copy(Without(item, keywords).root());
    builder.EndArray();
    return Built(std::move(builder));
  }
  if (!schema.is_object()) return Own(schema);
  json::Builder builder(kMaxPublishedDepth);
  builder.StartObject();
  for (const json::Member& member : schema.members()) {
    if (IsOneOf(member.key, keywords)) continue;
    const schema::Holds holds = schema::WhatItHolds(KeywordOf(member.key));
    builder.Key(member.key);
    if (holds == schema::Holds::kNothing) {
      builder.Copy(member.value);
    } else if (holds == schema::Holds::kNamedSchemas) {
      builder.StartObject();
      for (const json::Member& part : member.value.members()) {
        builder.Field(part.key, Without(part.value, keywords).root());
      }
      builder.EndObject();
    } else {
      builder.Copy(Without(member.value, keywords).root());
    }
  }
  builder.EndObject();
  return Built(std::move(builder));
}

}  // namespace

json::Document ResolveList(json::Value list, const BoundValues& bound) {
  if (!list.is_array()) return Resolve(list, bound);
  json::Builder builder(kMaxPublishedDepth);
  builder.StartArray();
  for (json::Value item : list.items()) builder.Copy(Resolve(item, bound).root());
  builder.EndArray();
  return Built(std::move(builder));
}

StandardSchema ToStandard(json::Value schema, const BoundValues& bound) {
  Converter converter(bound);
  bool exact = true;
  StandardSchema standard{converter.Convert(schema, exact)};
  standard.refers = converter.refers();
  standard.refers_to_definitions = !converter.refers_elsewhere();
  if (converter.left_out_in_place()) {
    standard.schema =
        Without(standard.schema.root(), {"unevaluatedItems", "unevaluatedProperties"});
  }
  if (standard.refers_to_definitions && schema.is_object()) {
    standard.schema = WithoutIdle(standard.schema.root());
  }
  return standard;
}

}  // namespace tipstaff::policy::internal
