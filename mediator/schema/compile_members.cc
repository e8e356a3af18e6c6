// The Compiler's writing of a node: its constraints, and the schemas of members and items.
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "mediator/json/parse.h"
#include "mediator/json/pointer.h"
#include "mediator/schema/compiler.h"

namespace tipstaff::schema::internal {
namespace {

constexpr Types kHasText = kStringType | kArrayType | kObjectType;

bool IsFalse(json::Value schema) { return schema.is_bool() && !schema.boolean(); }

}  // namespace

Extra& ExtraOf(Code& code, uint32_t node) {
  if (code.nodes[node].extra == kNone) {
    code.nodes[node].extra = static_cast<uint32_t>(code.extras.size());
    code.extras.emplace_back();
  }
  return code.extras[code.nodes[node].extra];
}

void Compiler::Write(Reading& reading) {
  const uint32_t node = reading.request.node;
  if (skill()) AddText(reading);
  WritePatterns(reading);
  const json::Value others = reading.Part(Keyword::kAdditionalProperties);
  const bool closed = IsFalse(others) && !reading.open_members;
  if (closed) {
    reading.constraints.push_back(
        {.keyword = Keyword::kAdditionalProperties, .origin = others.index()});
  }
  if (reading.request.foreign != nullptr) {
    for (Constraint& constraint : reading.constraints) {
      constraint.origin = reading.request.foreign->at.index();
    }
  }
  WriteConstraints(node, reading.constraints);
  WriteItems(reading);
  WriteProperties(reading);
  WriteOthers(reading, closed);
  if (const json::Value names = reading.Part(Keyword::kPropertyNames); names.exists()) {
    const uint32_t part = WantPart(reading, names, reading.PointerOf("propertyNames"));
    ExtraOf(*code_, node).names = part;
  }
  WriteContains(reading);
  WriteInPlace(reading);
  WriteUnevaluated(reading);
  WriteDefinitions(reading);
}

void Compiler::WriteConstraints(uint32_t node, std::vector<Constraint>& constraints) {
  const auto names =
      [this](const Constraint& c) -> std::pair<absl::string_view, absl::string_view> {
    if (c.keyword == Keyword::kRequired) return {code_->names[c.index], ""};
    const bool dependent =
        c.keyword == Keyword::kDependentRequired || c.keyword == Keyword::kDependencies;
    if (!dependent) return {};
    return {code_->names[c.index], code_->names[c.count]};
  };
  std::stable_sort(constraints.begin(), constraints.end(),
                   [&](const Constraint& a, const Constraint& b) {
                     if (a.keyword != b.keyword) return a.keyword < b.keyword;
                     return names(a) < names(b);
                   });
  Node& written = code_->nodes[node];
  written.first = static_cast<uint32_t>(code_->constraints.size());
  for (Constraint& constraint : constraints) {
    const uint32_t index = static_cast<uint32_t>(code_->constraints.size());
    if (constraint.keyword == Keyword::kAdditionalProperties) written.closed = index;
    if (constraint.keyword == Keyword::kText) written.text = index;
    code_->constraints.push_back(std::move(constraint));
  }
  written.last = static_cast<uint32_t>(code_->constraints.size());
}

uint32_t Compiler::AddConstraint(const Reading& reading, Constraint constraint) {
  if (reading.request.foreign != nullptr) constraint.origin = reading.request.foreign->at.index();
  code_->constraints.push_back(std::move(constraint));
  return static_cast<uint32_t>(code_->constraints.size() - 1);
}

void Compiler::AddText(Reading& reading) {
  if (options_.denies || (reading.types & kHasText) == 0) return;
  if (reading.request.role == Role::kInPlace) return;
  for (const Constraint& constraint : reading.constraints) {
    if (constraint.keyword == Keyword::kText) return;
  }
  reading.constraints.push_back(
      {.keyword = Keyword::kText, .implied = true, .origin = reading.schema.index()});
}

void Compiler::WritePatterns(Reading& reading) {
  const json::Value patterns = reading.Part(Keyword::kPatternProperties);
  if (!patterns.exists()) return;
  const std::string pointer = reading.PointerOf("patternProperties");
  if (!patterns.is_object()) {
    return operands_.Fail(ProblemKind::kBadValue, patterns, pointer,
                          "`patternProperties` takes a mapping from patterns to schemas");
  }
  std::vector<json::Member> sorted;
  for (const json::Member& member : patterns.members()) sorted.push_back(member);
  std::sort(sorted.begin(), sorted.end(),
            [](const json::Member& a, const json::Member& b) { return a.key < b.key; });
  for (const json::Member& member : sorted) {
    const std::string at = absl::StrCat(pointer, "/", json::PointerToken(member.key));
    const uint32_t pattern = operands_.CompilePattern(member.key, member.value, at);
    if (pattern == kNone) {
      reading.open_members = true;
      continue;
    }
    const uint32_t node = WantPart(reading, member.value, at);
    ExtraOf(*code_, reading.request.node).patterns.push_back({pattern, node});
  }
}

void Compiler::WriteItems(const Reading& reading) {
  const uint32_t node = reading.request.node;
  const json::Value prefix = reading.Part(Keyword::kPrefixItems);
  if (prefix.exists()) WritePrefix(reading, prefix, reading.PointerOf("prefixItems"));
  json::Value items = reading.Part(Keyword::kItems);
  std::string pointer = reading.PointerOf("items");
  if (!items.exists()) return;
  if (items.is_array() && reading.language.draft == Draft::k7) {
    WritePrefix(reading, items, pointer);
    items = reading.Part(Keyword::kAdditionalItems);
    pointer = reading.PointerOf("additionalItems");
    if (!items.exists()) return;
  }
  // A tuple of an older draft in a tool's schema of the newest.
  if (!skill() && items.is_array()) return operands_.NotChecked(pointer);
  const uint32_t part = WantPart(reading, items, pointer);
  code_->nodes[node].items = part;
}

void Compiler::WritePrefix(const Reading& reading, json::Value schemas,
                           const std::string& pointer) {
  if (!schemas.is_array() || (skill() && schemas.size() == 0)) {
    return operands_.Fail(ProblemKind::kBadValue, schemas, pointer,
                          "`prefixItems` takes a list of at least one schema");
  }
  std::vector<uint32_t> prefix;
  for (json::Value schema : schemas.items()) {
    prefix.push_back(WantPart(reading, schema, absl::StrCat(pointer, "/", prefix.size())));
  }
  if (!prefix.empty()) ExtraOf(*code_, reading.request.node).prefix = std::move(prefix);
}

void Compiler::WriteProperties(const Reading& reading) {
  const json::Value properties = reading.Part(Keyword::kProperties);
  if (!properties.exists()) return;
  const std::string pointer = reading.PointerOf("properties");
  if (!properties.is_object()) {
    return operands_.Fail(ProblemKind::kBadValue, properties, pointer,
                          "`properties` takes a mapping from names to schemas");
  }
  Members members;
  for (const json::Member& member : properties.members()) {
    members.Add(member.key, WantPart(reading, member.value,
                                     absl::StrCat(pointer, "/", json::PointerToken(member.key))));
  }
  AddMembers(reading.request.node, std::move(members));
}

void Compiler::AddMembers(uint32_t node, Members members) {
  code_->nodes[node].members = static_cast<uint32_t>(code_->members.size());
  code_->members.push_back(std::move(members));
}

void Compiler::WriteOthers(const Reading& reading, bool closed) {
  const json::Value others = reading.Part(Keyword::kAdditionalProperties);
  if (!others.exists() || closed) return;
  const std::string pointer = reading.PointerOf("additionalProperties");
  if (reading.open_members) {
    // In skills the pattern has been reported.
    if (!skill()) operands_.NotChecked(pointer);
    return;
  }
  const uint32_t part = WantPart(reading, others, pointer);
  code_->nodes[reading.request.node].others = part;
}

void Compiler::WriteContains(const Reading& reading) {
  const json::Value contains = reading.Part(Keyword::kContains);
  if (!contains.exists()) return;
  const uint32_t part = WantPart(reading, contains, reading.PointerOf("contains"));
  Constraint least{.keyword = Keyword::kContains, .origin = contains.index(), .count = 1};
  const auto read = [&](Keyword keyword, const char* word, Constraint& constraint) {
    const json::Value count = reading.Part(keyword);
    if (!count.exists()) return false;
    std::vector<Constraint> read_constraints;
    operands_.Read(keyword, {word, count}, reading.PointerOf(word), read_constraints);
    constraint = read_constraints.front();
    return true;
  };
  read(Keyword::kMinContains, "minContains", least);
  const uint32_t least_constraint = AddConstraint(reading, least);
  Constraint most;
  const bool bounded = read(Keyword::kMaxContains, "maxContains", most);
  const uint32_t most_constraint = bounded ? AddConstraint(reading, most) : kNone;
  Extra& extra = ExtraOf(*code_, reading.request.node);
  extra.contains = part;
  extra.least = least.count;
  extra.least_constraint = least_constraint;
  extra.most_constraint = most_constraint;
  if (bounded) extra.most = most.count;
}

void Compiler::WriteUnevaluated(const Reading& reading) {
  const struct {
    Keyword keyword;
    const char* word;
    uint32_t Extra::*node;
    uint32_t Extra::*constraint;
  } kRows[] = {{Keyword::kUnevaluatedItems, "unevaluatedItems", &Extra::unevaluated_items,
                &Extra::no_unevaluated_items},
               {Keyword::kUnevaluatedProperties, "unevaluatedProperties",
                &Extra::unevaluated_members, &Extra::no_unevaluated_members}};
  for (const auto& row : kRows) {
    const json::Value schema = reading.Part(row.keyword);
    if (!schema.exists()) continue;
    if (IsFalse(schema)) {
      const uint32_t constraint =
          AddConstraint(reading, {.keyword = row.keyword, .origin = schema.index()});
      ExtraOf(*code_, reading.request.node).*row.constraint = constraint;
    } else {
      const uint32_t part = WantPart(reading, schema, reading.PointerOf(row.word));
      ExtraOf(*code_, reading.request.node).*row.node = part;
    }
  }
}

// In skills, so that their mistakes are found before something refers to them.
void Compiler::WriteDefinitions(const Reading& reading) {
  const json::Value definitions = reading.Part(Keyword::kDefinitions);
  if (!definitions.exists()) return;
  const std::string pointer = reading.PointerOf("$defs");
  if (!definitions.is_object()) {
    if (!skill()) return;
    return operands_.Fail(ProblemKind::kBadValue, definitions, pointer,
                          "`$defs` takes a mapping from names to schemas");
  }
  if (!skill()) return;
  for (const json::Member& member : definitions.members()) {
    WantPart(reading, member.value, absl::StrCat(pointer, "/", json::PointerToken(member.key)),
             Role::kDefinition);
  }
}

void Compiler::CompileArguments(json::Value args) {
  if (!args.is_object()) {
    operands_.Fail(ProblemKind::kBadValue, args, "",
                   "`args` takes a mapping from arguments to schemas");
    return operands_.Help("for instance `args: {report_id: {type: string}}`");
  }
  std::vector<json::Member> members;
  for (const json::Member& member : args.members()) members.push_back(member);
  AddArguments(members, args.index());
}

void Compiler::AddArguments(const std::vector<json::Member>& args, uint32_t origin) {
  code_->arguments = true;
  const uint32_t node = NewNode();
  std::vector<Constraint> constraints;
  constraints.push_back({.keyword = Keyword::kType, .types = kObjectType, .origin = origin});
  if (!options_.denies) {
    constraints.push_back({.keyword = Keyword::kAdditionalProperties, .origin = origin});
  }
  for (const json::Member& member : args) {
    if (own_keyword_ != "optional" || !operands_.ReadOptional(member)) {
      constraints.push_back({.keyword = Keyword::kRequired,
                             .origin = member.value.index(),
                             .index = operands_.AddName(member.key)});
    }
  }
  WriteConstraints(node, constraints);
  Members members;
  for (const json::Member& member : args) {
    members.Add(member.key, static_cast<uint32_t>(code_->nodes.size()));
    AddRoot(member.value, absl::StrCat("/", json::PointerToken(member.key)));
  }
  AddMembers(node, std::move(members));
}

}  // namespace tipstaff::schema::internal
