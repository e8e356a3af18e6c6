// The SchemaMaker's keywords of one type each.
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "tests/differential/make_schema.h"
#include "tests/differential/make_strings.h"

namespace tipstaff::differential {

void SchemaMaker::AddNumber(Tree& schema, const std::string& type) {
  const int64_t low = dice_.Between(-4, 6), high = low + dice_.Between(1, 8);
  const std::string half = type == "number" && dice_.Chance(40) ? ".5" : "";
  if (dice_.Chance(35)) {
    schema.Set(dice_.Pick({"minimum", "exclusiveMinimum"}), Tree::Literal(absl::StrCat(low, half)));
  }
  if (dice_.Chance(35)) {
    schema.Set(dice_.Pick({"maximum", "exclusiveMaximum"}),
               Tree::Literal(absl::StrCat(high, half)));
  }
  if (dice_.Chance(25)) {
    schema.Set("multipleOf",
               Tree::Literal(type == "integer" ? dice_.Pick({"2", "3", "1.5"})
                                               : dice_.Pick({"0.1", "0.5", "2", "1e-3"})));
  }
  if (dice_.Chance(4)) {
    schema.Set("minimum", Tree::Literal("-9007199254740993"));
    schema.Set("maximum",
               Tree::Literal(dice_.Pick({"9007199254740993", "1e30", "18446744073709551615"})));
    schema.Remove("exclusiveMinimum");
    schema.Remove("exclusiveMaximum");
  }
}

void SchemaMaker::AddString(Tree& schema) {
  if (dice_.Chance(20)) {
    schema.Set("text", Tree::Text(dice_.Pick({"line", "lines", "lines", "any"})));
  }
  if (dice_.Chance(50)) return AddNarrowString(schema);
  const int64_t low = dice_.Between(0, 3), high = low + dice_.Between(0, 6);
  const std::string unit = dice_.Pick({"Length", "Bytes"});
  if (dice_.Chance(40)) schema.Set("min" + unit, Tree::Number(low));
  if (dice_.Chance(60)) schema.Set("max" + unit, Tree::Number(high));
}

void SchemaMaker::AddNarrowString(Tree& schema) {
  const std::string word =
      dice_.Pick({"pattern", "format", "path", "url", "plain", "email", "emailDomain", "listed"});
  if (word == "pattern") schema.Set(word, Tree::Text(dice_.Pick(Patterns()).pattern));
  if (word == "format")
    schema.Set(word, Tree::Text(dice_.Pick({"date", "date-time", "uuid", "ipv4"})));
  if (word == "path") AddPath(schema);
  if (word == "url") AddUrl(schema);
  if (word == "plain") schema.Set(word, Tree::Literal("true"));
  if (word == "listed") AddListed(schema, "string");
  if (word != "email" && word != "emailDomain") return;
  const std::string binding = word == "email" ? "people" : "domains";
  if (dice_.Chance(50) && Has(binding)) {
    schema.Set(word, Tree::Text("$" + binding));
  } else if (dice_.Chance(30) && Has("id")) {
    schema.Set(word, Tree::Texts({"$id"}));
  } else if (word == "email") {
    schema.Set(word, Tree::Texts({"d@a.example", "e@B.example"}));
  } else {
    schema.Set(word, Tree::Texts({dice_.Pick({"a.example", "A.Example"}), "*.b.example"}));
  }
}

void SchemaMaker::AddPath(Tree& schema) {
  Tree rule = Tree::Object();
  if (dice_.Chance(40)) rule.Set("under", Tree::Texts({"out", "in"}));
  if (dice_.Chance(40)) rule.Set("extensions", Tree::Texts({"txt", "tar.gz", "JSON"}));
  if (dice_.Chance(30)) rule.Set("hidden", Tree::Literal(dice_.Pick({"true", "false"})));
  schema.Set("path", std::move(rule));
}

void SchemaMaker::AddUrlList(Tree& rule, const char* name, Tree literal) {
  const std::string one = name == std::string("ports") ? "port" : "site";
  if (Has(name) && dice_.Chance(30)) {
    rule.Set(name, Tree::Text(absl::StrCat("$", name)));
  } else if (Has(one) && dice_.Chance(30)) {
    if (dice_.Chance(50)) literal.items.clear();
    literal.items.push_back(Tree::Text("$" + one));
    rule.Set(name, std::move(literal));
  } else {
    rule.Set(name, std::move(literal));
  }
}

void SchemaMaker::AddUrl(Tree& schema) {
  Tree rule = Tree::Object();
  Tree hosts = Tree::Texts({"a.example", "*.B.example"});
  if (dice_.Chance(30)) hosts.items.push_back(Tree::Text("127.0.0.1"));
  AddUrlList(rule, "hosts", std::move(hosts));
  if (dice_.Chance(30)) AddUrlList(rule, "schemes", Tree::Texts({"https", "http", "FTP"}));
  if (dice_.Chance(30)) {
    AddUrlList(rule, "ports", Tree::Parse(dice_.Pick({"[443]", "[8443,443]", "[80]"})));
  }
  if (dice_.Chance(40)) AddUrlList(rule, "paths", Tree::Texts({"/w/", "/docs"}));
  schema.Set("url", std::move(rule));
}

void SchemaMaker::AddArray(Tree& schema, int depth) {
  const int64_t low = dice_.Between(0, 2), high = low + dice_.Between(0, 3);
  if (dice_.Chance(30)) schema.Set("minItems", Tree::Number(low));
  if (dice_.Chance(30)) schema.Set("maxItems", Tree::Number(high));
  if (dice_.Chance(25)) schema.Set("uniqueItems", Tree::Literal("true"));
  if (dice_.Chance(10)) schema.Set("text", Tree::Text(dice_.Pick({"lines", "any", "line"})));
  if (depth <= 0) return;
  if (dice_.Chance(20)) {
    Tree prefix = Tree::List();
    for (size_t n = 1 + dice_.Below(2); n > 0; --n) prefix.items.push_back(Any(depth - 1));
    schema.Set("prefixItems", std::move(prefix));
  }
  if (dice_.Chance(55)) schema.Set("items", Any(depth - 1));
  if (dice_.Chance(20)) {
    schema.Set("contains", OfType(AnyType(), depth - 1));
    const int64_t least = dice_.Between(0, 2);
    if (dice_.Chance(40)) schema.Set("minContains", Tree::Number(least));
    if (dice_.Chance(40)) schema.Set("maxContains", Tree::Number(least + dice_.Between(0, 2)));
    const Tree* most = schema.Find("maxItems");
    if (most != nullptr && std::stoll(most->text) < least) schema.Remove("maxItems");
  }
  if (dice_.Chance(12)) {
    schema.Set("unevaluatedItems", dice_.Chance(60) ? Tree::Literal("false") : Any(depth - 1));
  }
}

void SchemaMaker::AddObject(Tree& schema, int depth) {
  if (dice_.Chance(15)) schema.Set("minProperties", Tree::Number(dice_.Between(0, 2)));
  if (dice_.Chance(15)) schema.Set("maxProperties", Tree::Number(dice_.Between(2, 4)));
  if (dice_.Chance(10)) schema.Set("text", Tree::Text(dice_.Pick({"lines", "any", "line"})));
  if (depth <= 0) return;
  Tree properties = Tree::Object(), required = Tree::List();
  for (const std::string& name : Names()) {
    if (!dice_.Chance(name.size() == 1 ? 30 : 6)) continue;
    properties.Set(name, Any(depth - 1));
    if (dice_.Chance(35)) required.items.push_back(Tree::Text(name));
  }
  const bool closed = dice_.Chance(25);
  if (!closed && dice_.Chance(10)) required.items.push_back(Tree::Text("z"));
  if (!properties.members.empty()) schema.Set("properties", std::move(properties));
  if (!required.items.empty()) schema.Set("required", std::move(required));
  if (dice_.Chance(15)) {
    schema.Set("patternProperties",
               Tree::Object({{dice_.Pick({"^x", "[0-9]$", "a"}), Any(depth - 1)}}));
  }
  if (closed) {
    schema.Set("additionalProperties", Tree::Literal("false"));
  } else if (dice_.Chance(20)) {
    schema.Set("additionalProperties", Any(depth - 1));
  }
  if (dice_.Chance(12)) schema.Set("propertyNames", OfType("string", 0));
  if (dice_.Chance(12)) {
    schema.Set("unevaluatedProperties", dice_.Chance(60) ? Tree::Literal("false") : Any(depth - 1));
  }
  AddDependent(schema, depth);
}

void SchemaMaker::AddDependent(Tree& schema, int depth) {
  if (dice_.Chance(12)) {
    schema.Set("dependentRequired",
               Tree::Object({{dice_.Pick({"a", "b"}), Tree::Texts({dice_.Pick({"c", "d"})})}}));
  }
  if (dice_.Chance(12)) {
    schema.Set("dependentSchemas",
               Tree::Object({{dice_.Pick({"a", "b", "c"}), OfType("object", depth - 1)}}));
  }
}

}  // namespace tipstaff::differential
