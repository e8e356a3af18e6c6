// Schemas and values made at random: the two ways of checking agree, and the order in which
// keywords and members are written changes neither the verdict nor what is said of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "absl/strings/str_cat.h"
#include "mediator/json/builder.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"
#include "mediator/schema/program.h"

namespace tipstaff::schema {
namespace {

constexpr int kSchemas = 1'000, kValues = 8;

class Maker {
 public:
  explicit Maker(uint32_t seed) : random_(seed) {}

  std::string Value(int depth) {
    const int kind = Below(depth > 0 ? 8 : 4);
    if (kind == 0) return "null";
    if (kind == 1) return absl::StrCat(Below(4));
    if (kind == 2) return Pick({"\"\"", "\"a\"", "\"ab\"", "\"a\\n\""});
    if (kind == 3) return Pick({"true", "false"});
    if (kind < 6) return List([&] { return Value(depth - 1); }, 0);
    return Named([&] { return Value(depth - 1); });
  }

  std::string Schema(int depth, bool root = false) {
    if (!root && (depth <= 0 || Below(8) == 0)) {
      return Pick({"true", "false", R"({"type":"string"})", R"({"type":"integer"})",
                   R"({"$ref":"#/$defs/x"})", R"({"$ref":"#/$defs/y"})", R"({"minimum":1})"});
    }
    std::vector<std::string> words = {"type",
                                      "properties",
                                      "required",
                                      "additionalProperties",
                                      "items",
                                      "prefixItems",
                                      "contains",
                                      "minContains",
                                      "patternProperties",
                                      "propertyNames",
                                      "allOf",
                                      "anyOf",
                                      "oneOf",
                                      "not",
                                      "if",
                                      "then",
                                      "else",
                                      "dependentSchemas",
                                      "dependentRequired",
                                      "maxContains",
                                      "$ref",
                                      "uniqueItems",
                                      "unevaluatedItems",
                                      "unevaluatedProperties",
                                      "maxProperties"};
    std::shuffle(words.begin(), words.end(), random_);
    words.resize(1 + Below(4));
    std::string text = "{";
    for (const std::string& word : words) {
      absl::StrAppend(&text, text.size() > 1 ? "," : "", "\"", word, "\":", Operand(word, depth));
    }
    if (root) {
      absl::StrAppend(&text, R"(,"$defs":{"x":)", Schema(2), R"(,"y":)", Schema(1), "}");
    }
    return text + "}";
  }

  // The same document with the members of its objects in another order.
  std::string Shuffled(json::Value value) {
    if (value.is_array()) {
      std::vector<std::string> items;
      for (json::Value item : value.items()) items.push_back(Shuffled(item));
      return absl::StrCat("[", Joined(items), "]");
    }
    if (!value.is_object()) return json::Dump(value);
    std::vector<std::string> members;
    for (const json::Member& member : value.members()) {
      members.push_back(absl::StrCat("\"", member.key, "\":", Shuffled(member.value)));
    }
    std::shuffle(members.begin(), members.end(), random_);
    return absl::StrCat("{", Joined(members), "}");
  }

 private:
  int Below(int n) { return static_cast<int>(random_() % static_cast<uint32_t>(n)); }
  std::string Pick(std::vector<std::string> from) {
    return from[static_cast<size_t>(Below(static_cast<int>(from.size())))];
  }
  static std::string Joined(const std::vector<std::string>& parts) {
    std::string text;
    for (const std::string& part : parts) absl::StrAppend(&text, text.empty() ? "" : ",", part);
    return text;
  }

  template <typename Make>
  std::string List(Make make, int least) {
    std::vector<std::string> items;
    for (int n = least + Below(3); n > 0; --n) items.push_back(make());
    return absl::StrCat("[", Joined(items), "]");
  }
  template <typename Make>
  std::string Named(Make make) {
    std::vector<std::string> members;
    for (const char* name : {"a", "b", "c"}) {
      if (Below(2) == 0) members.push_back(absl::StrCat("\"", name, "\":", make()));
    }
    return absl::StrCat("{", Joined(members), "}");
  }

  std::string Operand(const std::string& word, int depth) {
    const auto schema = [&] { return Schema(depth - 1); };
    const auto names = [&] { return Pick({"[]", R"(["a"])", R"(["b","c"])"}); };
    if (word == "type") {
      return Pick({R"("object")", R"("array")", R"("string")", R"(["object","array"])"});
    }
    if (word == "$ref") return Pick({R"("#/$defs/x")", R"("#/$defs/y")"});
    if (word == "uniqueItems") return "true";
    if (word == "required") return names();
    if (word == "dependentRequired") return Named(names);
    if (word == "minContains" || word == "maxContains" || word == "maxProperties") {
      return absl::StrCat(Below(3));
    }
    if (word == "allOf" || word == "anyOf" || word == "oneOf" || word == "prefixItems") {
      return List(schema, 1);
    }
    const bool named =
        word == "properties" || word == "patternProperties" || word == "dependentSchemas";
    return named ? Named(schema) : schema();
  }

  std::mt19937 random_;
};

std::string Said(const Program& program, json::Value value) {
  const Tally tally = program.CheckAll(value);
  EXPECT_EQ(program.Accepts(value), !tally.first.has_value());
  EXPECT_EQ(tally.constraints == 0, !tally.first.has_value());
  if (!tally.first.has_value()) return "passes";
  return absl::StrCat(tally.constraints, " ", tally.first->pointer, " ", tally.first->keyword, " ",
                      tally.first->expected, " ", tally.first->found);
}

class Random : public testing::TestWithParam<Dialect> {};

TEST_P(Random, BothWaysAgreeInAnyOrder) {
  Maker maker(20260501);
  int passed = 0, refused = 0;
  for (int i = 0; i < kSchemas; ++i) {
    const json::Document schema = json::MustParse(maker.Schema(3, /*root=*/true));
    const json::Document other = json::MustParse(maker.Shuffled(schema.root()));
    std::vector<Problem> problems, other_problems;
    const CompileOptions options = {.dialect = GetParam()};
    const auto program = Program::Compile(schema.root(), options, problems);
    const auto shuffled = Program::Compile(other.root(), options, other_problems);
    ASSERT_EQ(program.has_value(), shuffled.has_value()) << json::Dump(schema.root());
    EXPECT_EQ(problems.size(), other_problems.size()) << json::Dump(schema.root());
    for (int j = 0; j < kValues && program.has_value(); ++j) {
      const json::Document value = json::MustParse(maker.Value(3));
      SCOPED_TRACE(absl::StrCat(json::Dump(schema.root()), " of ", json::Dump(value.root())));
      const std::string said = Said(*program, value.root());
      (said == "passes" ? passed : refused) += 1;
      EXPECT_EQ(said, Said(*shuffled, json::MustParse(maker.Shuffled(value.root())).root()));
    }
  }
  // Neither is all there is; most of the schemas are contradictions to a skill.
  const int least = GetParam() == Dialect::kTool ? 500 : 20;
  EXPECT_GT(passed, least);
  EXPECT_GT(refused, least);
}

INSTANTIATE_TEST_SUITE_P(Dialects, Random, testing::Values(Dialect::kTool, Dialect::kSkill),
                         [](const auto& info) {
                           return info.param == Dialect::kTool ? "Tool" : "Skill";
                         });

}  // namespace
}  // namespace tipstaff::schema
