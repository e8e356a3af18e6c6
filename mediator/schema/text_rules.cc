// Operands' reading of `path`, `url` and `plain`, the keywords about what a text may be used for.
#include "absl/strings/str_cat.h"
#include "mediator/schema/lists.h"
#include "mediator/schema/operands.h"
#include "mediator/schema/references.h"

namespace tipstaff::schema::internal {
namespace {

constexpr struct {
  absl::string_view key;
  UrlList list;
} kUrlLists[] = {
    {"hosts", kUrlHosts}, {"schemes", kUrlSchemes}, {"ports", kUrlPorts}, {"paths", kUrlPaths}};

std::optional<UrlList> FindUrlList(absl::string_view key) {
  for (const auto& row : kUrlLists) {
    if (row.key == key) return row.list;
  }
  return std::nullopt;
}

absl::string_view KeyOf(UrlList list) {
  for (const auto& row : kUrlLists) {
    if (row.list == list) return row.key;
  }
  return "";
}

}  // namespace

std::vector<std::string> Operands::ReadTexts(const Slot& slot, json::Value list,
                                             absl::string_view key) {
  std::vector<std::string> texts;
  for (json::Value item : list.items()) {
    if (item.is_string()) {
      texts.emplace_back(item.string());
    } else {
      Fail(ProblemKind::kBadValue, item, slot.pointer, absl::StrCat("`", key, "` lists texts"));
    }
  }
  if (!list.is_array() || list.size() == 0) {
    Fail(ProblemKind::kBadValue, list, slot.pointer,
         absl::StrCat("`", key, "` takes a list of texts, one at least"));
  }
  return texts;
}

void Operands::ReadPath(const Slot& slot, Constraint& constraint) {
  const json::Value value = slot.member.value;
  if (!value.is_object()) {
    return Fail(ProblemKind::kBadValue, value, slot.pointer,
                "`path` takes a mapping of `under`, `extensions` and `hidden`; `{}` for any");
  }
  RefuseReferences(slot);
  PathRule rule;
  for (const json::Member& member : value.members()) {
    if (member.key == "under") {
      rule.under = ReadTexts(slot, member.value, member.key);
    } else if (member.key == "extensions") {
      rule.extensions = ReadTexts(slot, member.value, member.key);
    } else if (member.key == "hidden" && member.value.is_bool()) {
      rule.hidden = member.value.boolean();
    } else if (member.key == "hidden") {
      Fail(ProblemKind::kBadValue, member.value, slot.pointer, "`hidden` takes true or false");
    } else {
      FailAtKey(ProblemKind::kUnknownKeyword, member, slot.pointer,
                "unknown key in `path`: use `under`, `extensions`, `hidden`");
      problems_.back().wrong = std::string(member.key);
      problems_.back().candidates = {"extensions", "hidden", "under"};
    }
  }
  absl::StatusOr<PathRule> normal = NormalPathRule(std::move(rule));
  if (!normal.ok()) {
    return Fail(ProblemKind::kBadValue, value, slot.pointer,
                std::string(normal.status().message()));
  }
  constraint.index = static_cast<uint32_t>(code_.paths.size());
  code_.paths.push_back(*std::move(normal));
}

void Operands::ReadUrlEntry(const Slot& slot, json::Value entry, UrlList list, bool spread,
                            UrlOperand& url) {
  const std::optional<uint32_t> binding = ReadReference(slot, entry);
  if (!binding.has_value()) return;
  if (*binding != kNone) {
    url.sources.push_back({.list = list, .binding = *binding, .spread = spread});
    return;
  }
  if (list == kUrlPorts) {
    if (const std::optional<uint16_t> port = PortOf(entry)) {
      url.rule.ports.push_back(*port);
    } else {
      Fail(ProblemKind::kBadValue, entry, slot.pointer, "`ports` lists numbers from 1 to 65535");
    }
    return;
  }
  if (!entry.is_string()) {
    return Fail(ProblemKind::kBadValue, entry, slot.pointer,
                absl::StrCat("`", KeyOf(list), "` lists texts"));
  }
  const absl::string_view text = ReadOperand(entry).text;
  const absl::Status added = AddUrlEntry(list, text, url.rule);
  if (added.ok()) return;
  Fail(ProblemKind::kBadValue, entry, slot.pointer, std::string(added.message()));
  HelpWithBinding(text);
}

void Operands::ReadUrlList(const Slot& slot, const json::Member& member, UrlList list,
                           UrlOperand& url) {
  const json::Value value = member.value;
  url.rule.there |= list;
  for (json::Value entry : value.items()) ReadUrlEntry(slot, entry, list, /*spread=*/false, url);
  if (value.is_array() && value.size() > 0) return;
  if (ReadOperand(value).kind == Operand::Kind::kReference) {
    ReadUrlEntry(slot, value, list, /*spread=*/true, url);
    return CheckIsList(slot, Keyword::kUrl, value);
  }
  Fail(ProblemKind::kBadValue, value, slot.pointer,
       absl::StrCat("`", member.key, "` takes a list of ", list == kUrlPorts ? "numbers" : "texts",
                    ", one at least, or a binding that is one"));
  if (value.is_string()) HelpWithBinding(value.string());
}

void Operands::ReadUrl(const Slot& slot, Constraint& constraint) {
  const json::Value value = slot.member.value;
  if (!value.is_object()) {
    Fail(ProblemKind::kBadValue, value, slot.pointer,
         "`url` takes a mapping of `hosts`, `schemes`, `ports` and `paths`");
    if (ReadOperand(value).kind == Operand::Kind::kReference) {
      Help(absl::StrCat("write `{hosts: ", value.string(), "}`"));
    }
    return;
  }
  constraint.scope = IsOfScope(slot.member.key, value, options_.bindings);
  UrlOperand url;
  for (const json::Member& member : value.members()) {
    if (const std::optional<UrlList> list = FindUrlList(member.key)) {
      ReadUrlList(slot, member, *list, url);
      continue;
    }
    FailAtKey(ProblemKind::kUnknownKeyword, member, slot.pointer,
              "unknown key in `url`: use `hosts`, `schemes`, `ports`, `paths`");
    problems_.back().wrong = std::string(member.key);
    problems_.back().candidates = {"hosts", "paths", "ports", "schemes"};
  }
  if (!value.Find("hosts").exists()) {
    return Fail(ProblemKind::kBadValue, value, slot.pointer, "`url` lists no `hosts`");
  }
  constraint.index = static_cast<uint32_t>(code_.urls.size());
  code_.urls.push_back(std::move(url));
}

void Operands::ReadPlain(const Slot& slot) {
  const json::Value value = slot.member.value;
  if (value.is_bool() && value.boolean()) return;
  Fail(ProblemKind::kBadValue, value, slot.pointer,
       "`plain` takes true; leave it out where any text may stand");
}

}  // namespace tipstaff::schema::internal
