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
// Looking for more takes too long.
constexpr size_t kMostSecrets = 4096;
constexpr size_t kMostSecretBytes = 1 << 20;
constexpr size_t kMostWork = 256 << 20;

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

// The texts of a value, at any depth. Names of members are words of a schema, and in everything.
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

void Secrets::AddFrom(const policy::Parts& parts, json::Value arguments) {
  if (parts.empty() || anywhere_) return;
  std::vector<std::string> texts;
  parts.Replaced(arguments, [&texts](json::Builder& builder, const std::string&, json::Value part) {
    AddTexts(part, texts);
    builder.Null();
  });
  for (std::string& text : texts) {
    if (text.empty() || std::find(texts_.begin(), texts_.end(), text) != texts_.end()) continue;
    bytes_ += text.size();
    anywhere_ = anywhere_ || text.size() < kShortestSecret || texts_.size() >= kMostSecrets ||
                bytes_ > kMostSecretBytes;
    texts_.push_back(std::move(text));
  }
}

bool Secrets::In(absl::string_view text) const {
  if (anywhere_) return !text.empty();
  if (texts_.empty()) return false;
  if (text.size() > kMostWork / texts_.size()) return true;
  // Written as we write texts, whatever escapes a tool used.
  const absl::StatusOr<json::Document> parsed = json::Parse(text, {.max_depth = kMaxDepth});
  const std::string plain = parsed.ok() ? json::Canonical(parsed->root()) : std::string(text);
  return std::any_of(texts_.begin(), texts_.end(),
                     [&plain](const std::string& secret) { return Says(plain, secret); });
}

Kept KeepArguments(const policy::Parts& sensitive, json::Value arguments, const std::string& key) {
  if (sensitive.empty() || !sensitive.AnyIn(arguments)) return {json::Canonical(arguments), {}};
  Kept kept;
  const json::Document document = WithPlaceholders(sensitive, arguments, key, kept.withheld);
  kept.text = json::Canonical(document.root());
  return kept;
}

Kept KeepDenied(const policy::Grant& grant, absl::string_view tool, json::Value arguments,
                Kept kept, const std::string& key) {
  using Keeping = policy::Grant::Keeping;
  json::Builder builder;
  builder.StartObject();
  uint64_t unlisted = 0;
  for (const json::Member& member : arguments.members()) {
    const Keeping keeping = grant.KeepingOf(tool, member.key);
    if (keeping == Keeping::kNothing) {
      unlisted += json::Canonical(member.value).size();
      continue;
    }
    builder.Key(member.key);
    if (keeping == Keeping::kAll) {
      builder.Copy(member.value);
    } else {
      WritePlaceholder(builder, json::Canonical(member.value), key);
    }
  }
  builder.EndObject();
  if (unlisted > 0) kept.withheld.push_back({"", unlisted, {}, {}});
  const absl::StatusOr<json::Document> document = std::move(builder).Build();
  kept.text = document.ok() ? json::Canonical(document->root()) : "{}";
  return kept;
}

Kept KeepResult(const policy::Parts& sensitive, const std::string& result, const Secrets& secrets,
                const std::string& key) {
  if (secrets.In(result)) return WithholdAll(result, key);
  if (sensitive.empty()) return {result, {}};
  const absl::StatusOr<json::Document> parsed = json::Parse(result, {.max_depth = kMaxDepth});
  const json::Value structured =
      parsed.ok() ? parsed->root().Find("structuredContent") : json::Value();
  if (!structured.is_object()) return WithholdAll(result, key);
  Kept kept;
  const json::Document document = WithPlaceholders(sensitive, structured, key, kept.withheld);
  if (kept.withheld.empty()) {
    return SaysItOnce(parsed->root()) ? Kept{result, {}} : WithholdAll(result, key);
  }
  if (!document.root().is_object()) return WithholdAll(result, key);
  json::Builder builder(kMaxDepth);
  builder.StartObject().Key("content").StartArray().StartObject();
  builder.Field("type", "text").Field("text", "not kept, as parts of it are sensitive");
  builder.EndObject().EndArray().Field("structuredContent", document.root()).EndObject();
  const absl::StatusOr<json::Document> whole = std::move(builder).Build();
  if (!whole.ok()) return WithholdAll(result, key);
  kept.text = json::Canonical(whole->root());
  std::vector<std::string> removed;
  sensitive.Replaced(structured,
                     [&removed](json::Builder& to, const std::string&, json::Value part) {
                       AddTexts(part, removed);
                       to.Null();
                     });
  const bool repeated =
      std::any_of(removed.begin(), removed.end(), [&kept](const std::string& text) {
        return text.size() >= kShortestSecret && Says(kept.text, text);
      });
  return repeated ? WithholdAll(result, key) : kept;
}

}  // namespace tipstaff::run
