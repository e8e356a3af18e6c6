#include "mediator/run/withhold.h"

#include <algorithm>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "mediator/base/digest.h"
#include "mediator/json/builder.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"

namespace tipstaff::run {
namespace {

// A result around what a tool made, with placeholders.
constexpr int kMaxDepth = 2 * json::kMaxDepth;
// Shorter texts are in everything.
constexpr size_t kShortestSecret = 4;

std::string DigestIn(const std::string& canonical, const std::string& key) {
  return key.empty() ? "" : base::ToHex(base::KeyedDigestOf(key, canonical));
}

void WritePlaceholder(json::Builder& builder, const std::string& canonical,
                      const std::string& key) {
  builder.StartObject().Field("withheld", DigestIn(canonical, key)).EndObject();
}

Kept WithholdAll(const std::string& text, const std::string& key) {
  json::Builder builder;
  WritePlaceholder(builder, text, key);
  const absl::StatusOr<json::Document> document = std::move(builder).Build();
  return {document.ok() ? json::Canonical(document->root()) : "{}", {{"", text.size(), {}, {}}}};
}

json::Document WithPlaceholders(const policy::Parts& sensitive, json::Value value,
                                const std::string& key, std::vector<Withheld>& withheld) {
  return sensitive.Replaced(
      value, [&](json::Builder& builder, const std::string& pointer, json::Value part) {
        const std::string canonical = json::Canonical(part);
        withheld.push_back({pointer, canonical.size(), {}, {}});
        WritePlaceholder(builder, canonical, key);
      });
}

// The texts of a value, at any depth.
void AddTexts(json::Value value, std::vector<std::string>& texts) {
  std::vector<json::Value> open = {value};
  while (!open.empty()) {
    const json::Value at = open.back();
    open.pop_back();
    if (at.is_string()) texts.emplace_back(at.string());
    if (at.is_number()) texts.push_back(json::Canonical(at));
    for (json::Value item : at.items()) open.push_back(item);
    for (const json::Member& member : at.members()) open.push_back(member.value);
  }
}

// Texts within the text of a result may be JSON once more.
bool Says(absl::string_view result, const std::string& secret) {
  const std::string quoted = json::Quote(secret);
  const std::string inside = quoted.substr(1, quoted.size() - 2);
  const std::string again = json::Quote(inside);
  return absl::StrContains(result, inside) ||
         absl::StrContains(result, again.substr(1, again.size() - 2));
}

// Whether all that a result says is its structuredContent.
bool SaysItOnce(json::Value result) {
  const json::Value content = result.Find("content");
  if (content.size() == 0) return true;
  if (content.size() != 1 || content.At(0).StringOr("type", "") != "text") return false;
  const absl::StatusOr<json::Document> said = json::Parse(content.At(0).StringOr("text", ""));
  return said.ok() && json::Equal(said->root(), result.Find("structuredContent"));
}

}  // namespace

Kept KeepArguments(const policy::Parts& sensitive, json::Value arguments, const std::string& key) {
  if (sensitive.empty() || !sensitive.AnyIn(arguments)) return {json::Canonical(arguments), {}};
  Kept kept;
  const json::Document document = WithPlaceholders(sensitive, arguments, key, kept.withheld);
  if (kept.withheld.empty() || !document.root().is_object()) {
    return WithholdAll(json::Canonical(arguments), key);
  }
  kept.text = json::Canonical(document.root());
  return kept;
}

Kept KeepResult(const policy::Parts& sensitive, const std::string& result,
                const std::vector<std::string>& secrets, const std::string& key) {
  const absl::StatusOr<json::Document> parsed = json::Parse(result, {.max_depth = kMaxDepth});
  // Written as we write texts, whatever escapes the tool used.
  const std::string plain = parsed.ok() ? json::Canonical(parsed->root()) : result;
  for (const std::string& secret : secrets) {
    if (Says(plain, secret)) return WithholdAll(result, key);
  }
  if (sensitive.empty()) return {result, {}};
  const json::Value structured =
      parsed.ok() ? parsed->root().Find("structuredContent") : json::Value();
  if (!structured.is_object()) return WithholdAll(result, key);
  Kept kept;
  const json::Document document = WithPlaceholders(sensitive, structured, key, kept.withheld);
  if (kept.withheld.empty()) {
    return SaysItOnce(parsed->root()) ? Kept{result, {}} : WithholdAll(result, key);
  }
  json::Builder builder(kMaxDepth);
  builder.StartObject().Key("content").StartArray().StartObject();
  builder.Field("type", "text").Field("text", "not kept, as parts of it are sensitive");
  builder.EndObject().EndArray().Field("structuredContent", document.root()).EndObject();
  const absl::StatusOr<json::Document> whole = std::move(builder).Build();
  if (!document.root().is_object() || !whole.ok()) return WithholdAll(result, key);
  kept.text = json::Canonical(whole->root());
  return kept;
}

std::vector<std::string> SecretsIn(const policy::Parts& sensitive, json::Value arguments) {
  std::vector<std::string> secrets;
  if (sensitive.empty()) return secrets;
  sensitive.Replaced(arguments, [&](json::Builder& builder, const std::string&, json::Value part) {
    AddTexts(part, secrets);
    builder.Null();
  });
  secrets.erase(
      std::remove_if(secrets.begin(), secrets.end(),
                     [](const std::string& text) { return text.size() < kShortestSecret; }),
      secrets.end());
  return secrets;
}

}  // namespace tipstaff::run
