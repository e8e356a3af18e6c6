#include "tests/differential/make_schema.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "tests/differential/make_strings.h"

namespace tipstaff::differential {

bool SchemaMaker::Has(const std::string& binding) const {
  return std::find(bindings_.begin(), bindings_.end(), binding) != bindings_.end();
}

std::string SchemaMaker::AnyType() {
  return dice_.Pick({"string", "string", "string", "integer", "number", "array", "array", "object",
                     "object", "boolean", "null"});
}

Tree SchemaMaker::Argument() {
  definitions_.clear();
  if (dice_.Chance(3)) return Dynamic();
  for (size_t n = dice_.Chance(30) ? 1 + dice_.Below(3) : 0; n > 0; --n) {
    definitions_.push_back(AnyType());
  }
  Tree schema = Any(3);
  if (schema.kind != Tree::Kind::kObject) schema = Tree::Object();
  if (definitions_.empty()) return schema;
  if (dice_.Chance(70) && schema.Find("type") != nullptr) {
    AddReference(schema, schema.Find("type")->text);
  }
  AddDefinitions(schema);
  return schema;
}

// Each leads only to later ones, or, as a part, to itself.
void SchemaMaker::AddDefinitions(Tree& schema) {
  const std::vector<std::string> types = definitions_;
  Tree definitions = Tree::Object();
  definitions_.clear();
  for (size_t i = 0; i < types.size(); ++i) {
    Tree definition = OfType(types[i], 2);
    if (types[i] == "object" && dice_.Chance(50)) {
      if (definition.Find("properties") == nullptr) definition.Set("properties", Tree::Object());
      definition.Find("properties")
          ->Set("again", Tree::Object({{"$ref", Tree::Text(absl::StrCat("#/$defs/s", i))}}));
    }
    if (dice_.Chance(40)) definition.Set("$anchor", Tree::Text(absl::StrCat("n", i)));
    if (dice_.Chance(20)) definition.Set("$id", Tree::Text(absl::StrCat("r", i)));
    definitions.Set(absl::StrCat("s", i), std::move(definition));
  }
  // An `$id` makes names within it its own, and those outside know it by that.
  ForEach(schema, [&](Tree& part) {
    Tree* reference = part.kind == Tree::Kind::kObject ? part.Find("$ref") : nullptr;
    if (reference == nullptr || reference->text.size() != 9) return;
    const std::string number = reference->text.substr(8);
    const Tree* target = definitions.Find("s" + number);
    if (target == nullptr || !dice_.Chance(60)) return;
    if (target->Find("$id") != nullptr) {
      reference->text =
          "r" + number + (target->Find("$anchor") && dice_.Chance(40) ? "#n" + number : "");
    } else if (target->Find("$anchor") != nullptr) {
      reference->text = "#n" + number;
    }
  });
  for (auto& [name, definition] : definitions.members) {
    if (definition.Find("$id") == nullptr) continue;
    ForEach(definition, [](Tree& part) {
      Tree* reference = part.kind == Tree::Kind::kObject ? part.Find("$ref") : nullptr;
      if (reference != nullptr) reference->text = "#";
    });
  }
  schema.Set("$defs", std::move(definitions));
}

Tree SchemaMaker::Any(int depth) {
  if (dice_.Chance(3)) return Tree::Literal(dice_.Pick({"true", "false"}));
  if (dice_.Chance(4)) return Tree::Object();
  if (dice_.Chance(6)) {  // nothing but one of several
    Tree schema = Tree::Object();
    Tree branches = Tree::List();
    for (size_t n = 2 + dice_.Below(2); n > 0; --n) branches.items.push_back(Any(depth - 1));
    schema.Set(dice_.Pick({"anyOf", "oneOf", "allOf"}), std::move(branches));
    return schema;
  }
  return OfType(AnyType(), depth);
}

Tree SchemaMaker::OfType(const std::string& type, int depth) {
  Tree schema = Tree::Object();
  if (dice_.Chance(8)) {
    AddListed(schema, type);
    if (dice_.Chance(50)) schema.Set("type", Tree::Text(type));
    return schema;
  }
  if (dice_.Chance(5) && type != "null") {
    schema.Set("type", Tree::Texts({type, "null"}));
  } else {
    schema.Set("type", Tree::Text(type));
  }
  if (type == "string") AddString(schema);
  if (type == "integer" || type == "number") AddNumber(schema, type);
  if (type == "array") AddArray(schema, depth);
  if (type == "object") AddObject(schema, depth);
  if (depth > 0 && dice_.Chance(15)) AddInPlace(schema, type, depth);
  if (!definitions_.empty() && depth < 3 && dice_.Chance(25)) AddReference(schema, type);
  AddNotes(schema);
  return schema;
}

Tree SchemaMaker::Literal(const std::string& type) {
  if (type == "string") return Tree::Text(dice_.Pick({"a", "ab", "open", "closed", "rep_a", ""}));
  if (type == "integer")
    return Tree::Literal(dice_.Pick({"0", "1", "7", "-3", "9007199254740993"}));
  if (type == "number") return Tree::Literal(dice_.Pick({"0.5", "1", "2.25", "-1e30"}));
  if (type == "boolean") return Tree::Literal(dice_.Pick({"true", "false"}));
  if (type == "array") return Tree::Literal(dice_.Pick({"[]", "[1]", "[\"a\",{\"b\":null}]"}));
  if (type == "object")
    return Tree::Literal(dice_.Pick({"{}", "{\"a\":1}", "{\"b\":[2],\"a\":0}"}));
  return Tree::Literal("null");
}

// A word that lists values: which the type has, or a binding does.
void SchemaMaker::AddListed(Tree& schema, const std::string& type) {
  const std::string word = dice_.Pick({"const", "enum", "equals", "in"});
  const bool list = word == "enum" || word == "in";
  const std::string one = type == "string"   ? "id"
                          : type == "number" ? "number"
                          : type == "object" ? "thing"
                                             : "numbers";
  const std::string many = type == "string" ? "people" : "numbers";
  const bool scope = word == "equals" || word == "in";
  if (scope && dice_.Chance(60)) {
    const bool whole = word == "in" && dice_.Chance(60);
    const std::string& name = whole ? many : one;
    if (Has(name)) {
      Tree reference = Tree::Text("$" + name);
      schema.Set(word, list && !whole ? Tree::List({reference}) : reference);
      if (list && !whole && dice_.Chance(40)) schema.Find(word)->items.push_back(Literal(type));
      return;
    }
  }
  Tree values = Tree::List();
  for (size_t n = list ? 1 + dice_.Below(dice_.Chance(10) ? 12 : 3) : 1; n > 0; --n) {
    values.items.push_back(Literal(type));
  }
  if (scope && type == "string" && dice_.Chance(20)) values.items[0] = Tree::Text("$$x");
  schema.Set(word, list ? values : values.items[0]);
}

void SchemaMaker::AddInPlace(Tree& schema, const std::string& type, int depth) {
  const auto branch = [&] {
    Tree part = dice_.Chance(80) ? OfType(type, depth - 1) : Any(depth - 1);
    if (dice_.Chance(30) && part.kind == Tree::Kind::kObject) part.Remove("type");
    return part;
  };
  const std::string word = dice_.Pick({"allOf", "anyOf", "anyOf", "oneOf", "oneOf", "not", "if"});
  if (word == "not") {
    schema.Set("not", branch());
  } else if (word == "if") {
    schema.Set("if", branch());
    if (dice_.Chance(70)) schema.Set("then", branch());
    if (schema.Find("then") == nullptr || dice_.Chance(60)) schema.Set("else", branch());
  } else {
    Tree branches = Tree::List();
    for (size_t n = 1 + dice_.Below(3); n > 0; --n) branches.items.push_back(branch());
    schema.Set(word, std::move(branches));
  }
}

void SchemaMaker::AddReference(Tree& schema, const std::string& type) {
  for (size_t i = 0; i < definitions_.size(); ++i) {
    if (definitions_[i] != type && !dice_.Chance(10)) continue;
    schema.Set("$ref", Tree::Text(absl::StrCat("#/$defs/s", i)));
    return;
  }
}

void SchemaMaker::AddNotes(Tree& schema) {
  if (!dice_.Chance(8)) return;
  const std::string word =
      dice_.Pick({"title", "description", "$comment", "examples", "deprecated"});
  schema.Set(word, word == "examples"     ? Tree::Texts({"$id"})
                   : word == "deprecated" ? Tree::Literal("true")
                                          : Tree::Text("says nothing"));
}

// A tree whose nodes are, or are not, allowed to have more than the inner schema lists.
Tree SchemaMaker::Dynamic() {
  Tree inner = Tree::Object(
      {{"$id", Tree::Text("inner")},
       {"$dynamicAnchor", Tree::Text("node")},
       {"type", Tree::Text("object")},
       {"properties",
        Tree::Object({{"a", OfType(dice_.Pick({"string", "integer"}), 0)},
                      {"again", Tree::Object({{"$dynamicRef", Tree::Text("#node")}})},
                      {"b", Tree::Object({{"type", Tree::Text("array")},
                                          {"items", Tree::Object({{"$dynamicRef",
                                                                   Tree::Text("#node")}})}})}})}});
  Tree outer = Tree::Object({{"$id", Tree::Text("outer")},
                             {"type", Tree::Text("object")},
                             {"$ref", Tree::Text("inner")},
                             {"$defs", Tree::Object({{"inner", std::move(inner)}})}});
  if (dice_.Chance(70)) outer.Set("$dynamicAnchor", Tree::Text("node"));
  if (dice_.Chance(70)) outer.Set("unevaluatedProperties", Tree::Literal("false"));
  if (dice_.Chance(30)) outer.Set("maxProperties", Tree::Number(2));
  return outer;
}

}  // namespace tipstaff::differential
