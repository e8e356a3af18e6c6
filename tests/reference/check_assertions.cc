// The Checker's keywords that look at a value as a whole.
#include <map>
#include <optional>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "tests/reference/check.h"
#include "tests/reference/texts.h"
#include "tests/reference/values.h"

namespace tipstaff::reference {
namespace {

bool IsOfType(absl::string_view type, json::Value value) {
  if (type == "null") return value.is_null();
  if (type == "boolean") return value.is_bool();
  if (type == "string") return value.is_string();
  if (type == "array") return value.is_array();
  if (type == "object") return value.is_object();
  return value.is_number() && (type == "number" || IsWhole(value));
}

bool HasType(json::Value operand, json::Value value) {
  if (operand.is_string()) return IsOfType(operand.string(), value);
  for (json::Value type : operand.items()) {
    if (IsOfType(type.string(), value)) return true;
  }
  return false;
}

bool IsUnique(json::Value array) {
  for (size_t i = 0; i < array.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (IsSame(array.At(i), array.At(j))) return false;
    }
  }
  return true;
}

using Size = size_t (*)(json::Value);
size_t Bytes(json::Value text) { return text.string().size(); }
size_t Characters(json::Value text) { return CodePoints(text.string()).size(); }
size_t Parts(json::Value whole) { return whole.size(); }

// The order in which what fails is told. `min...` and `max...` are all of this form.
constexpr struct {
  const char* word;
  json::Kind kind;
  Size size;
  bool least;
} kSizes[] = {{"maxBytes", json::Kind::kString, Bytes, false},
              {"maxItems", json::Kind::kArray, Parts, false},
              {"maxLength", json::Kind::kString, Characters, false},
              {"maxProperties", json::Kind::kObject, Parts, false},
              {"minBytes", json::Kind::kString, Bytes, true},
              {"minItems", json::Kind::kArray, Parts, true},
              {"minLength", json::Kind::kString, Characters, true},
              {"minProperties", json::Kind::kObject, Parts, true}};

bool HasSize(const std::string& word, json::Value operand, json::Value value) {
  for (const auto& row : kSizes) {
    if (word != row.word || value.kind() != row.kind) continue;
    const size_t limit = static_cast<size_t>(operand.number());
    return row.least ? row.size(value) >= limit : row.size(value) <= limit;
  }
  return true;
}

bool IsInRange(const std::string& word, json::Value operand, json::Value value) {
  if (word == "multipleOf") return IsMultiple(value, operand);
  const int order = Compare(value, operand);
  if (word == "minimum") return order >= 0;
  if (word == "maximum") return order <= 0;
  return word == "exclusiveMinimum" ? order > 0 : order < 0;
}

// What the words speak of; a value of another kind satisfies them.
enum class Of { kAny, kNumber, kString, kSized, kArray };
struct Word {
  const char* word;
  Of of;
};
// In the order in which what fails is told.
constexpr Word kWords[] = {{"type", Of::kAny},
                           {"const", Of::kAny},
                           {"email", Of::kString},
                           {"emailDomain", Of::kString},
                           {"enum", Of::kAny},
                           {"equals", Of::kAny},
                           {"exclusiveMaximum", Of::kNumber},
                           {"exclusiveMinimum", Of::kNumber},
                           {"format", Of::kString},
                           {"in", Of::kAny},
                           {"maxBytes", Of::kSized},
                           {"maxItems", Of::kSized},
                           {"maxLength", Of::kSized},
                           {"maxProperties", Of::kSized},
                           {"maximum", Of::kNumber},
                           {"minBytes", Of::kSized},
                           {"minItems", Of::kSized},
                           {"minLength", Of::kSized},
                           {"minProperties", Of::kSized},
                           {"minimum", Of::kNumber},
                           {"multipleOf", Of::kNumber},
                           {"path", Of::kString},
                           {"pattern", Of::kString},
                           {"plain", Of::kString},
                           {"uniqueItems", Of::kArray},
                           {"url", Of::kString}};

bool SpeaksOf(Of of, json::Value value) {
  switch (of) {
    case Of::kNumber:
      return value.is_number();
    case Of::kString:
      return value.is_string();
    case Of::kArray:
      return value.is_array();
    default:
      return true;
  }
}

bool IsScopeWord(const std::string& word) {
  return word == "equals" || word == "in" || word == "email" || word == "emailDomain";
}

}  // namespace

bool Checker::CheckAssertions(json::Value schema, json::Value value, const Context& context,
                              Finding& finding) const {
  bool too_many = false;
  for (const Word& word : kWords) {
    if (absl::string_view(word.word) == "uniqueItems") {
      CheckRequired(schema, value, context, finding);
    }
    const json::Value operand = schema.Find(word.word);
    if (!operand.exists()) continue;
    if (!SpeaksOf(word.of, value)) {
      // A rule that denies what is no such text denies what is no text.
      if (rules_.denies && word.of == Of::kString && absl::string_view(word.word) != "pattern")
        Refuse(operand, context, finding);
      continue;
    }
    if (rules_.standard && absl::string_view(word.word) == "format") continue;
    if (Count(word.word, Holds(word.word, operand, value))) continue;
    const bool scope =
        (IsScopeWord(word.word) || absl::string_view(word.word) == "url") && IsOfScope(operand);
    Refuse(operand, context, finding, 0, scope);
    const absl::string_view name = word.word;
    too_many = too_many || name == "maxItems" || name == "maxProperties";
  }
  return too_many;
}

void Checker::CheckRequired(json::Value schema, json::Value value, const Context& context,
                            Finding& finding) const {
  if (!value.is_object()) return;
  const auto require = [&](const char* word, json::Value names) {
    for (json::Value name : names.items()) {
      if (Count(word, value.Find(name.string()).exists())) continue;
      Refuse(name, context, finding, 0, /*scope=*/false, /*deeper=*/1);
    }
  };
  for (const json::Member& member : schema.Find("dependentRequired").members()) {
    if (value.Find(member.key).exists()) require("dependentRequired", member.value);
  }
  require("required", schema.Find("required"));
}

bool Checker::Holds(const std::string& word, json::Value operand, json::Value value) const {
  if (word == "type") return HasType(operand, value);
  if (word == "const" || word == "enum" || IsScopeWord(word)) return IsAmong(word, operand, value);
  if (word == "uniqueItems") return !operand.boolean() || IsUnique(value);
  if (word == "format") return HasFormat(operand.string(), value.string());
  if (word == "pattern") return Finds(operand.string(), value.string());
  if (word == "path") return IsPath(operand, value.string());
  if (word == "plain") return IsPlain(value.string());
  if (word == "url") return IsUrlAmong(operand, value);
  const bool size = absl::StartsWith(word, "min") || absl::StartsWith(word, "max");
  if (size && word != "minimum" && word != "maximum") return HasSize(word, operand, value);
  return IsInRange(word, operand, value);
}

bool Checker::IsAmong(const std::string& word, json::Value operand, json::Value value) const {
  if (word == "const") return IsSame(operand, value);
  if (word == "enum") {
    for (json::Value item : operand.items()) {
      if (IsSame(item, value)) return true;
    }
    return false;
  }
  for (json::Value listed : Operands(operand, word != "equals")) {
    if (word == "email" || word == "emailDomain") {
      const std::string address = PlainAddress(value.string());
      if (address.empty() || !listed.is_string()) continue;
      if (word == "email" ? PlainAddress(listed.string()) == address
                          : IsInDomain(listed.string(), value.string())) {
        return true;
      }
      continue;
    }
    // `$$` stands for a dollar.
    const bool dollar = listed.is_string() && absl::StartsWith(listed.string(), "$$");
    if (dollar ? value.is_string() && value.string() == listed.string().substr(1)
               : IsSame(listed, value)) {
      return true;
    }
  }
  return false;
}

// The values that are meant: of a literal itself, `$$` and all.
std::vector<json::Value> Checker::Operands(json::Value operand, bool list) const {
  const auto bound = [&](json::Value one) {
    const bool name = one.is_string() && absl::StartsWith(one.string(), "$") &&
                      !absl::StartsWith(one.string(), "$$");
    return name ? rules_.bindings.Find(one.string().substr(1)) : one;
  };
  std::vector<json::Value> values;
  if (!list) {
    values.push_back(bound(operand));
  } else if (operand.is_string()) {
    for (json::Value item : bound(operand).items()) values.push_back(item);
  } else {
    for (json::Value item : operand.items()) values.push_back(bound(item));
  }
  return values;
}

bool Checker::IsUrlAmong(json::Value operand, json::Value value) const {
  const auto list = [&](const char* key) -> std::optional<std::vector<json::Value>> {
    const json::Value written = operand.Find(key);
    if (!written.exists()) return std::nullopt;
    return Operands(written, /*list=*/true);
  };
  const UrlLists lists{list("schemes"), list("hosts"), list("ports"), list("paths")};
  const bool held = IsUrl(lists, value.string());
  for (const json::Member& one : operand.members()) {
    bool bound = one.value.is_string();
    for (json::Value entry : one.value.items()) {
      bound = bound || (entry.is_string() && absl::StartsWith(entry.string(), "$"));
    }
    if (bound) Count(absl::StrCat("url: bound ", one.key).c_str(), held);
  }
  return held;
}

// Of a `url` each list has to be.
bool Checker::IsOfScope(json::Value operand) const {
  for (const json::Member& list : operand.members()) {
    if (!IsOfScope(list.value)) return false;
  }
  if (operand.is_object()) return operand.size() > 0;
  const auto of_scope = [&](json::Value one) {
    return one.is_string() && absl::StartsWith(one.string(), "$") &&
           rules_.scope.contains(std::string(one.string().substr(1)));
  };
  if (!operand.is_array()) return of_scope(operand);
  for (json::Value item : operand.items()) {
    if (!of_scope(item)) return false;
  }
  return operand.size() > 0;
}

}  // namespace tipstaff::reference
