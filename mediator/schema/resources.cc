#include "mediator/schema/resources.h"

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "mediator/base/escape.h"
#include "mediator/base/status.h"
#include "mediator/json/parse.h"
#include "mediator/json/pointer.h"
#include "mediator/schema/metaschemas.h"
#include "mediator/schema/operands.h"
#include "mediator/schema/uri.h"

namespace tipstaff::schema::internal {
namespace {

constexpr absl::string_view kUri2020 = "https://json-schema.org/draft/2020-12/schema";
constexpr absl::string_view kUri7 = "http://json-schema.org/draft-07/schema";
constexpr absl::string_view kVocabulary = "https://json-schema.org/draft/2020-12/vocab/";
constexpr size_t kShownColumns = 80;

std::string Quoted(absl::string_view text) {
  return absl::StrCat("`", base::EscapeAndCut(text, kShownColumns), "`");
}

uint64_t PlaceKey(uint32_t document, json::Value value) {
  return (uint64_t{document} << 32) | value.index();
}

// The words of one vocabulary; nothing when it is not known.
std::optional<Vocabularies> WordsOf(absl::string_view vocabulary) {
  if (!absl::ConsumePrefix(&vocabulary, kVocabulary)) return std::nullopt;
  if (vocabulary == "core") return kCoreWords;
  if (vocabulary == "applicator") return kApplicatorWords;
  if (vocabulary == "validation") return kValidationWords;
  if (vocabulary == "unevaluated") return kUnevaluatedWords;
  if (vocabulary == "format-annotation" || vocabulary == "format-assertion") return kFormatWords;
  if (vocabulary == "meta-data" || vocabulary == "content") return Vocabularies{0};
  return std::nullopt;
}

}  // namespace

uint32_t Resources::AddRoot(json::Value schema, const std::string& pointer) {
  const uint32_t resource = Add(0, schema, pointer, nullptr, "");
  Scan(resource);
  return resource;
}

uint32_t Resources::Add(uint32_t document, json::Value root, const std::string& pointer,
                        const Resource* around, absl::string_view retrieved_from) {
  const uint32_t number = static_cast<uint32_t>(resources_.size());
  Resource& resource = resources_.emplace_back();
  resource.document = document;
  resource.root = root;
  resource.pointer = pointer;
  resource.language = {.dialect = options_.dialect, .draft = options_.draft};
  resource.asserts_formats = options_.assert_formats || options_.dialect == Dialect::kSkill;
  resource.uri = std::string(retrieved_from);
  if (around != nullptr) {
    resource.uri = around->uri;
    resource.language = around->language;
    resource.asserts_formats = around->asserts_formats;
    resource.known = around->known;
  }
  by_place_[PlaceKey(document, root)] = number;
  if (!resource.uri.empty() && around == nullptr) by_uri_.emplace(resource.uri, number);
  SetLanguage(resource, root.Find("$schema"));
  const bool hidden = resource.language.draft == Draft::k7 && root.Find("$ref").is_string();
  if (!hidden) RegisterUri(number, root.Find("$id"));
  return number;
}

void Resources::RegisterUri(uint32_t number, json::Value id) {
  if (!id.is_string()) return;
  Resource& resource = resources_[number];
  const absl::string_view uri = SplitFragment(id.string()).uri;
  if (uri.empty()) return;
  resource.uri = ResolveUri(resource.uri, uri);
  if (!by_uri_.emplace(resource.uri, number).second && resource.document == 0) {
    problems_.push_back({0, id, absl::StrCat(resource.pointer, "/$id"),
                         absl::StrCat("another schema has the `$id` ", Quoted(id.string()))});
  }
}

void Resources::SetLanguage(Resource& resource, json::Value schema_uri) {
  if (!schema_uri.is_string()) return;
  const absl::string_view uri = SplitFragment(schema_uri.string()).uri;
  resource.language.words = kAllWords;
  resource.known = true;
  if (uri == kUri2020) {
    resource.language.draft = Draft::k2020;
  } else if (uri == kUri7 || uri == "https://json-schema.org/draft-07/schema") {
    resource.language.draft = Draft::k7;
  } else {
    resource.known = ReadVocabularies(resource, uri);
  }
}

bool Resources::ReadVocabularies(Resource& resource, absl::string_view metaschema) {
  const json::Value document = DocumentAt(metaschema);
  if (!document.exists()) return false;
  resource.language.draft = Draft::k2020;
  const absl::string_view own = SplitFragment(document.StringOr("$schema", kUri2020)).uri;
  if (own == kUri7) {
    resource.language.draft = Draft::k7;
    return true;
  }
  if (own != kUri2020) return false;
  const json::Value vocabularies = document.Find("$vocabulary");
  if (!vocabularies.is_object()) return true;
  resource.language.words = kCoreWords | kFormatWords;
  for (const json::Member& member : vocabularies.members()) {
    const std::optional<Vocabularies> words = WordsOf(member.key);
    const bool required = member.value.is_bool() && member.value.boolean();
    if (!words.has_value() && required) return false;
    resource.language.words |= words.value_or(0);
    if (words.has_value() && absl::EndsWith(member.key, "/format-assertion")) {
      resource.asserts_formats = true;
    }
  }
  return true;
}

json::Value Resources::DocumentAt(absl::string_view uri) {
  for (const SchemaDocument& document : options_.documents) {
    if (document.uri == uri) return document.schema;
  }
  for (const Metaschema& metaschema : Metaschemas()) {
    if (uri != metaschema.uri) continue;
    auto& parsed = standard_[uri];
    if (parsed == nullptr) {
      parsed = std::make_shared<const json::Document>(json::MustParse(metaschema.text));
    }
    return parsed->root();
  }
  return json::Value();
}

uint32_t Resources::ResourceAt(uint32_t around, json::Value schema) const {
  const auto found = by_place_.find(PlaceKey(resources_[around].document, schema));
  return found == by_place_.end() ? around : found->second;
}

absl::StatusOr<Place> Resources::Resolve(uint32_t from, absl::string_view reference) {
  const UriAndFragment parts = SplitFragment(reference);
  TIPSTAFF_ASSIGN_OR_RETURN(const uint32_t resource, ResourceOf(from, parts.uri));
  const std::optional<std::string> fragment = PercentDecode(parts.fragment);
  if (!fragment.has_value()) {
    return absl::NotFoundError(
        absl::StrCat(Quoted(reference), " has a `%` without two hexadecimal digits"));
  }
  if (fragment->empty() || fragment->front() == '/') {
    absl::StatusOr<Place> place = WalkPointer(resource, *fragment);
    if (place.ok()) return place;
    return absl::NotFoundError(
        absl::StrCat(Quoted(reference), " leads nowhere: ", place.status().message()));
  }
  const auto anchor = resources_[resource].anchors.find(*fragment);
  if (anchor == resources_[resource].anchors.end()) {
    return absl::NotFoundError(
        absl::StrCat(Quoted(reference), " leads nowhere: there is no `", "$anchor` of that name"));
  }
  return anchor->second;
}

absl::StatusOr<uint32_t> Resources::ResourceOf(uint32_t from, absl::string_view uri) {
  if (uri.empty()) return from;
  const std::string target = ResolveUri(resources_[from].uri, uri);
  if (const auto found = by_uri_.find(target); found != by_uri_.end()) return found->second;
  const json::Value document =
      options_.dialect == Dialect::kTool ? DocumentAt(target) : json::Value();
  if (!document.exists()) {
    return absl::NotFoundError(absl::StrCat(
        Quoted(target), " is not within this schema, and references are never fetched"));
  }
  const uint32_t resource = Add(documents_++, document, "", nullptr, target);
  Scan(resource);
  return resource;
}

absl::StatusOr<Place> Resources::WalkPointer(uint32_t resource, absl::string_view pointer) {
  Place place{.resource = resource,
              .schema = resources_[resource].root,
              .pointer = resources_[resource].pointer};
  if (pointer.empty()) return place;
  for (absl::string_view token : absl::StrSplit(pointer.substr(1), '/')) {
    const std::string key = absl::StrReplaceAll(token, {{"~1", "/"}, {"~0", "~"}});
    json::Value next = place.schema.Find(key);
    uint32_t index = 0;
    if (place.schema.is_array() && absl::SimpleAtoi(key, &index)) next = place.schema.At(index);
    if (!next.exists()) {
      return absl::NotFoundError(
          absl::StrCat("there is no ", Quoted(key), " in ",
                       place.pointer.empty() ? "it" : Quoted(place.pointer)));
    }
    place.schema = next;
    absl::StrAppend(&place.pointer, "/", json::PointerToken(key));
    place.resource = ResourceAt(place.resource, next);
  }
  return place;
}

}  // namespace tipstaff::schema::internal
