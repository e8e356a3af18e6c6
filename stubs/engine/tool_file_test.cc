#include "stubs/engine/tool_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mediator/json/parse.h"
#include "mediator/source/codes.h"
#include "stubs/engine/codes.h"

namespace tipstaff::engine {
namespace {

using ::testing::HasSubstr;

std::optional<std::vector<DeclaredTool>> Load(const std::string& text,
                                              source::Diagnostics& diagnostics) {
  return LoadToolFile(std::make_shared<source::File>(source::File{"tools.yaml", text}),
                      diagnostics);
}

TEST(ToolFile, HasWhatAgentsSeeOfTools) {
  source::Diagnostics diagnostics;
  const auto tools = Load(R"(tools:
  - name: submit
    title: Submit
    description: Takes a result.
    effect: finalize
    input: {type: object, properties: {text: {type: string}, key: {type: string}}}
    output: {type: object, properties: {id: {type: integer}}, required: [id]}
    idempotency_key: key
    audience: https://results.example
  - name: look
    effect: read
    input: {type: object}
)",
                          diagnostics);
  ASSERT_TRUE(tools) << source::RenderText(diagnostics);
  ASSERT_EQ(tools->size(), 2u);
  const DeclaredTool& submit = tools->front();
  EXPECT_EQ(submit.tool.name, "submit");
  EXPECT_EQ(submit.tool.title, "Submit");
  EXPECT_EQ(submit.tool.effect, call::Effect::kFinalize);
  EXPECT_EQ(submit.tool.idempotency_key, "key");
  EXPECT_EQ(submit.tool.audience, "https://results.example");
  EXPECT_TRUE(submit.tool.input_schema.root().Find("properties").Find("text").exists());
  ASSERT_TRUE(submit.checks_output);
  EXPECT_FALSE(submit.checks_output->Check(json::MustParse(R"({"id":1})").root()));
  EXPECT_TRUE(submit.checks_output->Check(json::MustParse(R"({"id":"1"})").root()));
  EXPECT_FALSE(tools->back().checks_output);
}

TEST(ToolFile, RefusesWhatItCannotMean) {
  const struct {
    const char* reason;
    std::string text;
    const char* code;
    int line;
    const char* message;
  } kCases[] = {
      {"no tools", "{}\n", kMissingKeyCode, 1, "`tools`"},
      {"an empty list", "tools: []\n", kValueCode, 1, "at least one tool"},
      {"a list as the file", "- a\n", kTypeCode, 1, "a file of tools"},
      {"an action, which a system outside has itself",
       "tools:\n  - name: a\n    effect: read\n    input: {type: object}\n    lua: a.lua\n",
       kUnknownKeyCode, 5, "`lua`"},
      {"a schema in another file, which no run would pin",
       "tools:\n  - name: a\n    effect: read\n    input: a.json\n", kFileCode, 4,
       "stands in this file itself"},
      {"an effect that is none",
       "tools:\n  - name: a\n    effect: send\n    input: {type: object}\n", kValueCode, 3,
       "unknown effect `send`"},
      {"two of one name",
       "tools:\n  - {name: a, effect: read, input: {type: object}}\n"
       "  - {name: a, effect: read, input: {type: object}}\n",
       kTwiceCode, 3, "a second tool `a`"},
      {"a key for a write",
       "tools:\n  - name: a\n    effect: write\n    input: {type: object}\n"
       "    idempotency_key: k\n",
       kValueCode, 5, "`effect: finalize`"},
      {"an audience for a read",
       "tools:\n  - name: a\n    effect: read\n    input: {type: object}\n    audience: b\n",
       kValueCode, 5, "`effect: finalize`"},
      {"a schema that does not compile",
       "tools:\n  - {name: a, effect: read, input: {type: object, minProperties: x}}\n",
       kSchemaCode, 2, "`input`"},
      {"what is no YAML of ours", "tools: &a []\n", source::kAnchorOrAlias, 1, "anchor"},
  };
  for (const auto& c : kCases) {
    source::Diagnostics diagnostics;
    EXPECT_FALSE(Load(c.text, diagnostics)) << c.reason;
    ASSERT_FALSE(diagnostics.empty()) << c.reason;
    EXPECT_EQ(diagnostics[0].code, c.code) << c.reason;
    EXPECT_EQ(diagnostics[0].span.line, c.line) << c.reason;
    EXPECT_THAT(diagnostics[0].message, HasSubstr(c.message)) << c.reason;
  }
}

}  // namespace
}  // namespace tipstaff::engine
