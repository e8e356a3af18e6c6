// Reads `path`, `url` and `plain`, the keywords about what a text may be used for.
#include "absl/strings/str_cat.h"
#include "mediator/schema/operands.h"

namespace tipstaff::schema::internal {

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

std::vector<uint16_t> Operands::ReadPorts(const Slot& slot, json::Value list) {
  std::vector<uint16_t> ports;
  for (json::Value item : list.items()) {
    const int64_t port = item.kind() == json::Kind::kInteger ? item.integer() : 0;
    if (port >= 1 && port <= 65535) {
      ports.push_back(static_cast<uint16_t>(port));
    } else {
      Fail(ProblemKind::kBadValue, item, slot.pointer, "`ports` lists numbers from 1 to 65535");
    }
  }
  if (!list.is_array() || list.size() == 0) {
    Fail(ProblemKind::kBadValue, list, slot.pointer,
         "`ports` takes a list of numbers, one at least");
  }
  return ports;
}

void Operands::ReadUrl(const Slot& slot, Constraint& constraint) {
  const json::Value value = slot.member.value;
  if (!value.is_object()) {
    return Fail(ProblemKind::kBadValue, value, slot.pointer,
                "`url` takes a mapping of `hosts`, `schemes`, `ports` and `paths`");
  }
  RefuseReferences(slot);
  UrlRule rule;
  for (const json::Member& member : value.members()) {
    if (member.key == "hosts") {
      rule.hosts = ReadTexts(slot, member.value, member.key);
    } else if (member.key == "schemes") {
      rule.schemes = ReadTexts(slot, member.value, member.key);
    } else if (member.key == "paths") {
      rule.paths = ReadTexts(slot, member.value, member.key);
    } else if (member.key == "ports") {
      rule.ports = ReadPorts(slot, member.value);
    } else {
      FailAtKey(ProblemKind::kUnknownKeyword, member, slot.pointer,
                "unknown key in `url`: use `hosts`, `schemes`, `ports`, `paths`");
      problems_.back().wrong = std::string(member.key);
      problems_.back().candidates = {"hosts", "paths", "ports", "schemes"};
    }
  }
  absl::StatusOr<UrlRule> normal = NormalUrlRule(std::move(rule));
  if (!normal.ok()) {
    return Fail(ProblemKind::kBadValue, value, slot.pointer,
                std::string(normal.status().message()));
  }
  constraint.index = static_cast<uint32_t>(code_.urls.size());
  code_.urls.push_back(*std::move(normal));
}

void Operands::ReadPlain(const Slot& slot) {
  const json::Value value = slot.member.value;
  if (value.is_bool() && value.boolean()) return;
  Fail(ProblemKind::kBadValue, value, slot.pointer,
       "`plain` takes true; leave it out where any text may stand");
}

}  // namespace tipstaff::schema::internal
