#include "tests/differential/make_value.h"

#include <algorithm>
#include <cstdlib>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "tests/differential/make_strings.h"

namespace tipstaff::differential {
namespace {

const std::vector<std::string>& Words(const char* pool) {
  return pool[0] == 'p' ? Paths() : pool[0] == 'u' ? Urls() : Addresses();
}

}  // namespace

const Tree* ValueMaker::Operand(const Schemas& all, const char* word) const {
  for (const Tree* schema : all) {
    if (const Tree* operand = schema->Find(word)) return operand;
  }
  return nullptr;
}

int64_t ValueMaker::Limit(const Schemas& all, const char* word, int64_t otherwise) const {
  const Tree* operand = Operand(all, word);
  return operand == nullptr ? otherwise : std::strtoll(operand->text.c_str(), nullptr, 10);
}

const Tree* ValueMaker::Target(const std::string& reference) const {
  const Tree* definitions = root_.Find("$defs");
  if (reference == "#" || definitions == nullptr) return &root_;
  for (const auto& [name, definition] : definitions->members) {
    // "#/$defs/s0", "#n0", "r0", "r0#n0", "inner", "#node"
    if (absl::EndsWith(reference, name.substr(1)) || reference == name) return &definition;
  }
  return &definitions->members[0].second;
}

void ValueMaker::Collect(const Tree& schema, int hops, Schemas& all) {
  if (schema.kind != Tree::Kind::kObject || hops == 0) return;
  all.push_back(&schema);
  const auto all_of = [&](const Tree* list) {
    if (list == nullptr) return;
    for (const Tree& part : list->items) Collect(part, hops - 1, all);
  };
  const auto one_of = [&](const Tree* list) {
    if (list != nullptr && !list->items.empty()) Collect(dice_.Pick(list->items), hops - 1, all);
  };
  all_of(schema.Find("allOf"));
  one_of(schema.Find("anyOf"));
  one_of(schema.Find("oneOf"));
  if (const Tree* condition = schema.Find("if")) {
    const bool holds = dice_.Chance(50);
    if (holds) Collect(*condition, hops - 1, all);
    if (const Tree* chosen = schema.Find(holds ? "then" : "else")) Collect(*chosen, hops - 1, all);
  }
  for (const char* word : {"$ref", "$dynamicRef"}) {
    if (const Tree* reference = schema.Find(word)) Collect(*Target(reference->text), hops - 1, all);
  }
}

Tree ValueMaker::Make(const Tree& schema, int depth) {
  if (depth == 0 || dice_.Chance(2)) return AnyValue(dice_, 1);
  Schemas all;
  Collect(schema, 5, all);
  Tree value;
  if (PickListed(all, value)) return value;
  const std::string type = TypeOf(all);
  if (type == "string") return MakeString(all);
  if (type == "integer" || type == "number") return MakeNumber(all, type == "integer");
  if (type == "array") return MakeArray(all, depth);
  if (type == "object") return MakeObject(all, depth);
  if (type == "boolean") return Tree::Literal(dice_.Pick({"true", "false"}));
  return type == "null" ? Tree::Literal("null") : AnyValue(dice_, 2);
}

const Tree& ValueMaker::Bound(const Tree& operand) const {
  const bool name = operand.kind == Tree::Kind::kText && absl::StartsWith(operand.text, "$") &&
                    !absl::StartsWith(operand.text, "$$");
  const Tree* bound = name ? bindings_.Find(operand.text.substr(1)) : nullptr;
  return bound == nullptr ? operand : *bound;
}

bool ValueMaker::PickListed(const Schemas& all, Tree& value) {
  for (const char* word : {"const", "enum", "equals", "in", "email"}) {
    const Tree* operand = Operand(all, word);
    if (operand == nullptr) continue;
    const Tree& listed = Bound(*operand);
    const bool list = word[0] == 'i' || word[1] == 'n' || word[1] == 'm';
    if (list && listed.items.empty()) continue;
    value = list ? Bound(dice_.Pick(listed.items)) : listed;
    if (value.kind == Tree::Kind::kText && absl::StartsWith(value.text, "$$")) {
      value.text.erase(0, 1);
    }
    return true;
  }
  return false;
}

std::string ValueMaker::TypeOf(const Schemas& all) {
  const Tree* type = Operand(all, "type");
  if (type == nullptr) return "";
  return type->items.empty() ? type->text : dice_.Pick(type->items).text;
}

Tree ValueMaker::MakeNumber(const Schemas& all, bool whole) {
  if (dice_.Chance(5)) {
    return Tree::Literal(dice_.Pick({"9007199254740992", "9007199254740993", "9007199254740994",
                                     "18446744073709551615", "-9007199254740993", "1e30", "1e-3",
                                     "3.0", "0.30000000000000004"}));
  }
  const int64_t low = std::max(Limit(all, "minimum", -4), Limit(all, "exclusiveMinimum", -4));
  const int64_t high = std::min(Limit(all, "maximum", 9), Limit(all, "exclusiveMaximum", 9));
  int64_t number = dice_.Between(low, std::max(low, std::min(high, low + 12)));
  if (const Tree* step = Operand(all, "multipleOf"); step != nullptr && step->text.size() == 1) {
    number -= number % std::stoll(step->text);
  }
  if (dice_.Chance(20)) number = dice_.Chance(50) ? low : high;
  const std::string fraction =
      whole || dice_.Chance(50) ? "" : dice_.Pick({".5", ".25", ".1", ".3", ".001", ".0015"});
  return Tree::Literal(absl::StrCat(number, fraction));
}

Tree ValueMaker::MakeString(const Schemas& all) {
  if (const Tree* pattern = Operand(all, "pattern")) {
    for (const PatternTexts& known : Patterns()) {
      if (pattern->text == known.pattern) return Tree::Text(dice_.Pick(known.texts));
    }
  }
  if (const Tree* format = Operand(all, "format")) {
    return Tree::Text(dice_.Pick(TextsOfFormat(format->text)));
  }
  if (const Tree* url = Operand(all, "url"); url != nullptr && dice_.Chance(60)) {
    return Tree::Text(MakeUrl(*url));
  }
  for (const char* word : {"path", "url", "emailDomain"}) {
    if (Operand(all, word) != nullptr) return Tree::Text(dice_.Pick(Words(word)));
  }
  if (dice_.Chance(30)) return Tree::Text(AnyText(dice_));
  const int64_t low = std::max(Limit(all, "minLength", 0), Limit(all, "minBytes", 0));
  const int64_t high = std::min(Limit(all, "maxLength", 8), Limit(all, "maxBytes", 8));
  std::string text;
  for (int64_t n = dice_.Between(low, std::max(low, high)); n > 0; --n) text += 'a';
  if (!text.empty() && dice_.Chance(20)) text.back() = '\n';
  if (!text.empty() && dice_.Chance(20)) text.replace(text.size() - 1, 1, "\xc3\xa9");
  return Tree::Text(text);
}

std::string ValueMaker::PickEntry(const Tree& url, const char* list, const char* otherwise) {
  const Tree* written = url.Find(list);
  if (written == nullptr) return otherwise;
  const Tree& entries = Bound(*written);
  return entries.items.empty() ? otherwise : Bound(dice_.Pick(entries.items)).text;
}

// Of what the lists have, in whatever they are.
std::string ValueMaker::MakeUrl(const Tree& url) {
  const std::string port = PickEntry(url, "ports", ""), path = PickEntry(url, "paths", "/w/");
  return absl::StrCat(PickEntry(url, "schemes", "https"), "://",
                      absl::StrReplaceAll(PickEntry(url, "hosts", "a.example"), {{"*.", "x."}}),
                      port.empty() ? "" : ":", port, path,
                      absl::EndsWith(path, "/") && dice_.Chance(50) ? "x" : "");
}

Tree ValueMaker::MakeArray(const Schemas& all, int depth) {
  Tree value = Tree::List();
  const Tree* prefix = Operand(all, "prefixItems");
  const Tree* items = Operand(all, "items");
  const Tree* contains = Operand(all, "contains");
  const int64_t low = Limit(all, "minItems", 0);
  const int64_t high = std::max(low, std::min<int64_t>(Limit(all, "maxItems", 3), low + 3));
  const size_t size = static_cast<size_t>(dice_.Between(low, high));
  while (value.items.size() < size) {
    const size_t i = value.items.size();
    if (prefix != nullptr && i < prefix->items.size()) {
      value.items.push_back(Make(prefix->items[i], depth - 1));
    } else if (contains != nullptr && (items == nullptr || dice_.Chance(50))) {
      value.items.push_back(Make(*contains, depth - 1));
    } else {
      value.items.push_back(items == nullptr ? AnyValue(dice_, 1) : Make(*items, depth - 1));
    }
  }
  return value;
}

Tree ValueMaker::MakeObject(const Schemas& all, int depth) {
  static const Tree nothing;
  Tree value = Tree::Object();
  for (const Tree* schema : all) {
    const Tree* properties = schema->Find("properties");
    for (const auto& [name, part] : (properties == nullptr ? nothing : *properties).members) {
      if (dice_.Chance(name == "again" ? 30 : 60)) value.Set(name, Make(part, depth - 1));
    }
    const Tree* required = schema->Find("required");
    for (const Tree& name : (required == nullptr ? nothing : *required).items) {
      if (value.Find(name.text) != nullptr) continue;
      const Tree* part = properties == nullptr ? nullptr : properties->Find(name.text);
      value.Set(name.text, part == nullptr ? AnyValue(dice_, 1) : Make(*part, depth - 1));
    }
  }
  for (const char* word : {"additionalProperties", "unevaluatedProperties"}) {
    const Tree* others = Operand(all, word);
    if (others != nullptr && dice_.Chance(30))
      value.Set(dice_.Pick(Names()), Make(*others, depth - 1));
  }
  const Tree* patterns = Operand(all, "patternProperties");
  if (patterns != nullptr && dice_.Chance(60)) {
    value.Set(dice_.Pick({"xa", "x1", "a"}), Make(patterns->members[0].second, depth - 1));
  }
  if (dice_.Chance(10)) value.Set(dice_.Pick(Names()), AnyValue(dice_, 1));
  return value;
}

Tree AnyValue(Dice& dice, int depth) {
  const size_t kind = dice.Below(depth > 0 ? 8 : 5);
  if (kind < 2) return Tree::Text(AnyText(dice));
  if (kind == 2) return Tree::Number(dice.Between(-3, 9));
  if (kind < 5) return Tree::Literal(dice.Pick({"true", "false", "null", "0.5", "1e30"}));
  Tree value = kind == 5 ? Tree::List() : Tree::Object();
  for (size_t n = dice.Below(3); n > 0; --n) {
    if (kind == 5) {
      value.items.push_back(AnyValue(dice, depth - 1));
    } else {
      value.Set(dice.Pick(Names()), AnyValue(dice, depth - 1));
    }
  }
  return value;
}

void ChangeOneThing(Tree& value, Dice& dice) {
  std::vector<Tree*> all;
  ForEach(value, [&](Tree& part) { all.push_back(&part); });
  Tree& part = *dice.Pick(all);
  if (dice.Chance(10)) {
    part = AnyValue(dice, 1);
  } else if (part.kind == Tree::Kind::kText) {
    part.text = Changed(part.text, dice);
  } else if (part.kind == Tree::Kind::kList && !part.items.empty()) {
    const size_t at = dice.Below(part.items.size());
    if (dice.Chance(50)) {
      part.items.push_back(Tree(part.items[at]));
    } else {
      part.items.erase(part.items.begin() + static_cast<ptrdiff_t>(at));
    }
  } else if (part.kind == Tree::Kind::kObject && !part.members.empty() && dice.Chance(60)) {
    part.members.erase(part.members.begin() +
                       static_cast<ptrdiff_t>(dice.Below(part.members.size())));
  } else if (part.kind == Tree::Kind::kObject) {
    part.Set(dice.Pick(Names()), AnyValue(dice, 1));
  } else {
    part = Tree::Literal(dice.Pick({"0", "1", "2", "10", "-1", "1.5", "true", "null"}));
  }
}

}  // namespace tipstaff::differential
