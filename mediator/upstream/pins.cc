#include "mediator/upstream/pins.h"

#include <algorithm>
#include <set>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "mediator/base/digest.h"
#include "mediator/base/escape.h"
#include "mediator/base/status.h"
#include "mediator/json/builder.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"
#include "mediator/upstream/pinned_item.h"

namespace tipstaff::upstream {
namespace {

constexpr int kVersion = 1;
// Of the file around an item, and of the item.
constexpr json::ParseOptions kParse = {.max_depth = 2 * json::kMaxDepth};

struct Section {
  PinnedItem::Kind kind;
  const char* key;
};
constexpr Section kSections[] = {{PinnedItem::Kind::kTool, "tools"},
                                 {PinnedItem::Kind::kResource, "resources"},
                                 {PinnedItem::Kind::kTemplate, "resource_templates"},
                                 {PinnedItem::Kind::kPrompt, "prompts"}};

const std::vector<std::string>& Of(const Inventory& inventory, PinnedItem::Kind kind) {
  switch (kind) {
    case PinnedItem::Kind::kTool:
      return inventory.tools;
    case PinnedItem::Kind::kResource:
      return inventory.resources;
    case PinnedItem::Kind::kTemplate:
      return inventory.resource_templates;
    case PinnedItem::Kind::kPrompt:
      break;
  }
  return inventory.prompts;
}

absl::Status Wrong(std::string what) { return absl::InvalidArgumentError(std::move(what)); }

// What the operator says of an item, in the file.
absl::Status ReadClassification(json::Value entry, PinnedItem& item) {
  if (item.kind != PinnedItem::Kind::kTool) return absl::OkStatus();
  const absl::string_view effect = entry.StringOr("effect", "");
  const std::optional<call::Effect> parsed = call::ParseEffect(effect);
  if (!parsed) {
    return Wrong(absl::StrCat("tool `", item.name, "`: unknown `effect` `",
                              base::EscapeAndCut(effect, 40), "`: expected read, write, finalize"));
  }
  item.tool.effect = *parsed;
  const std::string key(entry.StringOr("idempotency_key", ""));
  if (!key.empty() && !item.tool.input_schema.root().Find("properties").Find(key).exists()) {
    return Wrong(absl::StrCat("tool `", item.name, "`: it has no argument `",
                              base::EscapeAndCut(key, 40), "` for `idempotency_key`"));
  }
  item.tool.idempotency_key = key;
  return absl::OkStatus();
}

absl::StatusOr<PinnedItem> ReadEntry(PinnedItem::Kind kind, json::Value entry) {
  const json::Value pinned = entry.Find("pinned");
  if (!pinned.is_object()) {
    return Wrong(absl::StrCat("a ", ItemKindName(kind), " has no `pinned`, an object"));
  }
  TIPSTAFF_ASSIGN_OR_RETURN(PinnedItem item, MakeItem(kind, json::Dump(pinned)));
  item.name = std::string(entry.StringOr("name", ""));
  item.tool.name = item.name;
  if (!call::IsToolName(item.name)) {
    return Wrong(absl::StrCat("`", base::EscapeAndCut(item.name, 80), "` cannot name a ",
                              ItemKindName(kind)));
  }
  if (entry.StringOr("digest", "") != item.digest) {
    return Wrong(absl::StrCat(ItemKindName(kind), " `", item.name,
                              "` is not what its `digest` says: pin it again instead of changing "
                              "`pinned` by hand"));
  }
  TIPSTAFF_RETURN_IF_ERROR(ReadClassification(entry, item));
  return item;
}

std::string EntryText(const PinnedItem& item) {
  std::string text = absl::StrCat("    {\"name\": ", json::Quote(item.name));
  if (item.kind == PinnedItem::Kind::kTool) {
    absl::StrAppend(&text, ", \"effect\": ", json::Quote(call::EffectName(item.tool.effect)));
    if (const std::string& key = item.tool.idempotency_key; !key.empty()) {
      absl::StrAppend(&text, ", \"idempotency_key\": ", json::Quote(key));
    }
  }
  return absl::StrCat(text, ", \"digest\": ", json::Quote(item.digest),
                      ",\n     \"pinned\": ", json::Dump(item.tool.pinned.root()), "}");
}

}  // namespace

absl::string_view ItemKindName(PinnedItem::Kind kind) {
  switch (kind) {
    case PinnedItem::Kind::kTool:
      return "tool";
    case PinnedItem::Kind::kResource:
      return "resource";
    case PinnedItem::Kind::kTemplate:
      return "resource template";
    case PinnedItem::Kind::kPrompt:
      break;
  }
  return "prompt";
}

void Pins::Add(PinnedItem item) {
  by_name_[{item.tool.kind, item.name}] = items_.size();
  items_.push_back(std::move(item));
}

absl::StatusOr<Pins> Pins::Parse(absl::string_view text) {
  TIPSTAFF_ASSIGN_OR_RETURN(const json::Document document, json::Parse(text, kParse));
  const json::Value root = document.root();
  if (!root.is_object() || root.IntegerOr("pins", 0) != kVersion) {
    return Wrong(
        absl::StrCat("not a file of pins of this version: it has no `\"pins\": ", kVersion, "`"));
  }
  Pins pins;
  pins.upstream_ = std::string(root.StringOr("upstream", ""));
  pins.generation_ = std::string(root.StringOr("generation", ""));
  json::Builder server;
  server.Copy(root.Find("server").exists() ? root.Find("server") : json::Value());
  if (root.Find("server").is_object()) {
    TIPSTAFF_ASSIGN_OR_RETURN(pins.server_info_, std::move(server).Build());
  }
  for (const Section& section : kSections) {
    const json::Value entries = root.Find(section.key);
    if (entries.exists() && !entries.is_array()) {
      return Wrong(absl::StrCat("`", section.key, "` is not a list"));
    }
    for (json::Value entry : entries.items()) {
      TIPSTAFF_ASSIGN_OR_RETURN(PinnedItem item, ReadEntry(section.kind, entry));
      if (pins.by_name_.count({item.tool.kind, item.name}) > 0) {
        return Wrong(absl::StrCat(ItemKindName(item.kind), " `", item.name, "` is there twice"));
      }
      pins.Add(std::move(item));
    }
  }
  return pins;
}

Pins Pins::Of(const std::string& upstream, const Inventory& inventory, const Pins* before,
              std::vector<std::string>& problems) {
  Pins pins;
  pins.upstream_ = upstream;
  pins.generation_ = inventory.generation;
  pins.server_info_ = inventory.server_info;
  std::set<std::pair<PinnedItem::Kind, std::string>> given;
  for (const Section& section : kSections) {
    for (const std::string& text : upstream::Of(inventory, section.kind)) {
      absl::StatusOr<PinnedItem> item = MakeItem(section.kind, text);
      if (!item.ok()) {
        problems.push_back(
            absl::StrCat("a ", ItemKindName(section.kind), ": ", item.status().message()));
        continue;
      }
      if (!given.emplace(section.kind, item->given).second) {
        problems.push_back(absl::StrCat("the server lists ", ItemKindName(section.kind), " `",
                                        base::EscapeAndCut(item->given, 80), "` twice"));
        continue;
      }
      // Resources may share a name: each of them but the first is told apart by its URI.
      if (pins.Find(item->tool.kind, item->name) != nullptr) {
        item->name = item->tool.name = NameWithDigest(item->name, item->given);
      }
      const PinnedItem* old = before ? before->Find(item->tool.kind, item->name) : nullptr;
      if (old != nullptr && old->kind == item->kind && old->given == item->given) {
        item->tool.effect = old->tool.effect;
        item->tool.idempotency_key = old->tool.idempotency_key;
      }
      pins.Add(*std::move(item));
    }
  }
  return pins;
}

std::optional<mcp::Generation> Pins::generation() const {
  if (generation_ == "legacy") return mcp::Generation::kLegacy;
  if (generation_ == "modern") return mcp::Generation::kModern;
  return std::nullopt;
}

std::string Pins::Text() const {
  std::string text =
      absl::StrCat("{\n  \"pins\": ", kVersion, ",\n  \"upstream\": ", json::Quote(upstream_));
  if (!generation_.empty()) {
    absl::StrAppend(&text, ",\n  \"generation\": ", json::Quote(generation_));
  }
  if (server_info_.root().is_object()) {
    absl::StrAppend(&text, ",\n  \"server\": ", json::Dump(server_info_.root()));
  }
  for (const Section& section : kSections) {
    std::string entries;
    for (const PinnedItem& item : items_) {
      if (item.kind != section.kind) continue;
      absl::StrAppend(&entries, entries.empty() ? "\n" : ",\n", EntryText(item));
    }
    absl::StrAppend(&text, ",\n  \"", section.key, "\": [", entries,
                    entries.empty() ? "]" : "\n  ]");
  }
  return absl::StrCat(text, "\n}\n");
}

std::vector<call::Tool> Pins::Tools() const {
  std::vector<call::Tool> tools;
  for (const PinnedItem& item : items_) {
    if (!item.quarantine.empty()) continue;
    tools.push_back(item.tool);
    if (FindCalled(call::Kind::kCompletion, item.name) == &item) {
      if (std::optional<call::Tool> completion = CompletionOf(item)) {
        tools.push_back(*std::move(completion));
      }
    }
  }
  return tools;
}

const PinnedItem* Pins::FindCalled(call::Kind kind, absl::string_view name) const {
  if (kind == call::Kind::kSubscription) return Find(call::Kind::kResource, name);
  if (kind != call::Kind::kCompletion) return Find(kind, name);
  const PinnedItem* prompt = Find(call::Kind::kPrompt, name);
  if (prompt != nullptr) return prompt;
  const PinnedItem* resource = Find(call::Kind::kResource, name);
  const bool has_variables = resource != nullptr && resource->kind == PinnedItem::Kind::kTemplate;
  return has_variables ? resource : nullptr;
}

const PinnedItem* Pins::Find(call::Kind kind, absl::string_view name) const {
  const auto it = by_name_.find({kind, std::string(name)});
  return it == by_name_.end() ? nullptr : &items_[it->second];
}

std::vector<Drift> Compare(const Pins& pins, const Inventory& now) {
  std::vector<std::string> problems;
  const Pins current = Pins::Of(pins.upstream(), now, &pins, problems);
  std::vector<Drift> drifts;
  for (const PinnedItem& item : pins.items()) {
    const PinnedItem* now_item = nullptr;
    for (const PinnedItem& one : current.items()) {
      if (one.kind == item.kind && one.given == item.given) now_item = &one;
    }
    if (now_item == nullptr) {
      drifts.push_back({Drift::Kind::kRemoved, item.kind, item.name,
                        json::DumpIndented(item.tool.pinned.root()), ""});
    } else if (now_item->digest != item.digest) {
      drifts.push_back({Drift::Kind::kChanged, item.kind, item.name,
                        json::DumpIndented(item.tool.pinned.root()),
                        json::DumpIndented(now_item->tool.pinned.root())});
    }
  }
  for (const PinnedItem& item : current.items()) {
    const bool known = std::any_of(pins.items().begin(), pins.items().end(), [&](const auto& one) {
      return one.kind == item.kind && one.given == item.given;
    });
    if (known) continue;
    drifts.push_back({Drift::Kind::kAdded, item.kind, item.name, "",
                      json::DumpIndented(item.tool.pinned.root())});
  }
  return drifts;
}

Refused RefusedBy(const std::vector<Drift>& drifts) {
  Refused refused;
  for (const Drift& drift : drifts) {
    if (drift.kind == Drift::Kind::kAdded) continue;
    const call::Kind kind = drift.item == PinnedItem::Kind::kTool     ? call::Kind::kTool
                            : drift.item == PinnedItem::Kind::kPrompt ? call::Kind::kPrompt
                                                                      : call::Kind::kResource;
    refused[{kind, drift.name}] = drift.kind;
  }
  return refused;
}

}  // namespace tipstaff::upstream
