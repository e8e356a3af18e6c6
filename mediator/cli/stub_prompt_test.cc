// Lines at the prompt, reloading, and tests that sessions are saved as.
#include "mediator/cli/stub_prompt.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "mediator/base/clock.h"
#include "mediator/base/file.h"
#include "mediator/base/testing/temp_folder.h"
#include "mediator/cli/new_stub.h"
#include "mediator/cli/saved_test.h"
#include "mediator/cli/stub_folder.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"
#include "mediator/source/document.h"
#include "stubs/engine/stub_tests.h"

namespace tipstaff::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class Prompt : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(WriteFiles(folder_.path(), MakeStub("orders", "orders", "").value()).ok());
  }
  StubPrompt Open(const char* bindings = "{}") {
    LoadedFolder loaded = LoadStubFolder(folder_.path());
    EXPECT_TRUE(loaded.problem.ok()) << loaded.diagnostics;
    return StubPrompt(folder_.path(),
                      StubSession::Start(loaded.stub, "seed", json::MustParse(bindings)).value());
  }
  void Replace(const char* file, const char* from, const std::string& to) {
    const std::string text = base::ReadFile(folder_.Path(file)).value();
    ASSERT_NE(text.find(from), std::string::npos) << from;
    ASSERT_TRUE(base::WriteFile(folder_.Path(file), absl::StrReplaceAll(text, {{from, to}})).ok());
  }
  base::TempFolder folder_;
};

TEST_F(Prompt, UnderstandsItsLines) {
  StubPrompt prompt = Open();
  const struct {
    const char* line;
    std::vector<const char*> parts;
  } kLines[] = {
      {"", {}},
      {"# a remark", {}},
      {"tools", {"get_item    read      item_id", "find_items  read      [text] [status]"}},
      {"tool close_item",
       {"reason: string, minLength 1, maxLength 200, required", "try: close_item"}},
      {"tables", {"items  3 rows\n", "notes  0 rows, captures"}},
      {"get_item item_id=item_0001", {"ok\n", "title   \"First item\""}},
      {"get_item{\"item_id\":\"item_0001\"}", {"\"First item\""}},
      {"find_items text=ITEM status=open", {"- {\"id\":\"item_0001\""}},
      {"  add_note {\"item_id\":\"item_0001\",\"text\":\"seen\"}  ",
       {"changed notes\n    insert note_0001\n", "text     \"seen\""}},
      {"close_item item_id=item_0002 reason='all done'",
       {"update item_0002", "status     \"open\" -> \"closed\"", "log  closing item_0002"}},
      {"table items", {"id         title        status", "item_0002  Second item  closed"}},
      {"table notes note_0001", {"item_id  \"item_0001\""}},
      {"get_item item_id=item_002", {"error not_found", "note", "which fails `id` equals"}},
      {"call get_itm item_id=x", {"error unknown_tool", "did you mean `get_item`?"}},
      {"help", {"save NAME"}},
      {"replay", {"made 7 calls again: the same results", "4  add_note: ok"}},
  };
  for (const auto& c : kLines) {
    const StubPrompt::Answer answer = prompt.Run(c.line);
    EXPECT_TRUE(answer.understood) << c.line << answer.text;
    EXPECT_FALSE(answer.ends) << c.line;
    for (const char* part : c.parts) EXPECT_THAT(answer.text, HasSubstr(part)) << c.line;
  }
  EXPECT_EQ(prompt.session().made().size(), 7u);
  EXPECT_THAT(prompt.Run("reset").text, HasSubstr("the fixtures again"));
  EXPECT_TRUE(prompt.session().made().empty());
  EXPECT_THAT(prompt.Run("tables").text, HasSubstr("notes  0 rows"));
  EXPECT_TRUE(prompt.Run("quit").ends);
}

TEST_F(Prompt, SaysWhatItDoesNotUnderstand) {
  StubPrompt prompt = Open();
  const struct {
    const char* line;
    const char* message;
  } kLines[] = {
      {"get_itm item_id=x", "there is no tool and no command `get_itm`: did you mean `get_item`?"},
      {"zzzzzz", "`zzzzzz`; `tools` and `help` list them"},
      {"get_item {\"item_id\":", "the arguments: not JSON at byte 11"},
      {"get_item item_0001", "`item_0001` is no argument: write name=text"},
      {"get_item item_id='x", "a quote ' has no end"},
      {"tool", "`tool` needs a name"},
      {"tool get_itm", "did you mean `get_item`?"},
      {"table", "write `table NAME`"},
      {"table item", "no table `item`; it has `items` and `notes`"},
      {"table items item_001", "has no row `item_001`: did you mean `item_0001`?"},
      {"tables now", "`tables` stands alone, without `now`"},
      {"reset all", "`reset` stands alone"},
      {"call", "`call` needs a tool"},
      {"save", "`save` needs one name"},
      {"save x", "no call was made yet"},
      {"get_item item_id=\xff", "not UTF-8"},
  };
  for (const auto& c : kLines) {
    const StubPrompt::Answer answer = prompt.Run(c.line);
    EXPECT_FALSE(answer.understood) << c.line;
    EXPECT_THAT(answer.text, AllOf(StartsWith("? "), HasSubstr(c.message))) << c.line;
  }
  EXPECT_TRUE(prompt.session().made().empty()) << "none of them is a call";
}

TEST_F(Prompt, SaysThatATextIsNoNumber) {
  Replace("stub.yaml", "text: {type: string, maxLength: 200}", "text: {type: integer}");
  EXPECT_THAT(Open().Run("find_items text=3").text,
              HasSubstr("hint  `text=...` is a text; for integer write `text:=...`"));
}

TEST_F(Prompt, EscapesWhatActsOnATerminal) {
  StubPrompt prompt = Open();
  const std::string text =
      prompt.Run("add_note {\"item_id\":\"\\u001b[31m\",\"text\":\"\\u202ex\"}").text;
  EXPECT_THAT(text,
              AllOf(HasSubstr("\\u001b[31m"), Not(HasSubstr("\x1b")), Not(HasSubstr("\u202e"))));
  EXPECT_THAT(prompt.Run("table notes").text, Not(HasSubstr("\x1b")));
}

TEST_F(Prompt, ReloadsAndSaysWhatDiffers) {
  StubPrompt prompt = Open();
  EXPECT_EQ(prompt.Reload(), "") << "nothing was saved";
  prompt.Run("get_item item_id=item_0001");
  prompt.Run("close_item item_id=item_0001 reason=done");
  prompt.Run("close_item item_id=item_0001 reason=done");
  Replace("close_item.lua", "\"already_closed\"", "\"closed_before\"");
  EXPECT_EQ(prompt.Reload(),
            "reloaded; made 3 calls again: 1 differs\n"
            "  call 3, close_item: was error already_closed: the item was closed before, is error "
            "closed_before: the item was closed before\n");
  EXPECT_EQ(prompt.Reload(), "") << "it is said once";
  Replace("fixtures/items.yaml", "First item", "The first");
  EXPECT_THAT(prompt.Reload(),
              HasSubstr("call 1, get_item: the result differs at /title: expected \"First item\", "
                        "found \"The first\""));
  Replace("stub.yaml", "description: Reads one item.", "description: Reads.");
  EXPECT_EQ(prompt.Reload(), "reloaded; made 3 calls again: the same results\n");
  EXPECT_THAT(prompt.Run("get_item item_id=item_0001").text, HasSubstr("The first"));
}

TEST_F(Prompt, KeepsTheStubWhenTheNewOneHasErrors) {
  StubPrompt prompt = Open();
  Replace("close_item.lua", "return function", "return functoin");
  EXPECT_THAT(prompt.Reload(), AllOf(HasSubstr("S014"), HasSubstr("close_item.lua"),
                                     HasSubstr("not reloaded: the files have errors")));
  EXPECT_EQ(prompt.Reload(), "");
  EXPECT_THAT(prompt.Run("close_item item_id=item_0001 reason=x").text, StartsWith("ok\n"));
  std::filesystem::remove(folder_.Path("stub.yaml"));
  EXPECT_THAT(prompt.Reload(), HasSubstr("not reloaded: no stub.yaml in"));
  EXPECT_EQ(prompt.Reload(), "");
  ASSERT_TRUE(WriteFiles(folder_.path(), {MakeStub("orders", "orders", "").value()[4]}).ok());
  Replace("close_item.lua", "return functoin", "return function");
  EXPECT_THAT(prompt.Reload(), StartsWith("reloaded; made 1 call again"));
}

TEST_F(Prompt, SavesASessionAsATestThatPasses) {
  StubPrompt prompt = Open(R"({"customer":"ann@acme.example","list":["y","no","3"]})");
  prompt.Run("get_item item_id=item_0001");
  prompt.Run("get_item item_id=item_9999");
  prompt.Run("get_item");
  prompt.Run("call nothing x:=1.5");
  // Every kind of text that YAML reads another way, and what no line may hold.
  prompt.Run(
      R"(add_note {"item_id":"yes","text":"a: b # c\n- \"d\" \\ \u202e \u0007 \u007f 😀 'e'"})");
  prompt.Run(R"(add_note {"item_id":"- x","text":"~"})");
  prompt.Run(R"(add_note {"item_id":"1e3","text":"2026-05-01"})");
  prompt.Run("close_item item_id=item_0002 reason=inf");
  const std::string said = prompt.Run("save first_try").text;
  EXPECT_THAT(said, AllOf(HasSubstr("tests/first_try.yaml, a test of 8 calls"),
                          HasSubstr("tipstaff stub test")));
  const engine::TestRun run = engine::RunTestsOf(folder_.path(), "first try", base::SystemClock());
  ASSERT_EQ(run.results.size(), 1u);
  EXPECT_TRUE(run.results[0].passed) << run.results[0].message;
  const std::string text = base::ReadFile(folder_.Path("tests/first_try.yaml")).value();
  EXPECT_THAT(text, AllOf(HasSubstr("seed: seed"), HasSubstr("error: unknown_tool"),
                          HasSubstr("captured:\n"), Not(HasSubstr("unchanged"))));
  // It is a test: another stub fails it.
  Replace("fixtures/items.yaml", "First item", "The first");
  EXPECT_FALSE(
      engine::RunTestsOf(folder_.path(), "first try", base::SystemClock()).results[0].passed);
  EXPECT_THAT(prompt.Run("save first_try").text, HasSubstr("is there already"));
  EXPECT_THAT(prompt.Run("save .hidden").text, HasSubstr("is no name for a file of tests"));
}

TEST_F(Prompt, SavesFaultsAndScriptsThatFail) {
  Replace("stub.yaml", "# faults:\n#   -", "faults:\n  -");
  Replace("close_item.lua", "ctx.log(", "error(\"broken: \" .. ");
  StubPrompt prompt = Open();
  for (const char* line : {"add_note item_id=a text=b", "add_note item_id=a text=b",
                           "close_item item_id=item_0001 reason=x"}) {
    EXPECT_TRUE(prompt.Run(line).understood);
  }
  EXPECT_THAT(prompt.Run("save faults").text, StartsWith("wrote "));
  const auto results = engine::RunTestsOf(folder_.path(), "faults", base::SystemClock()).results;
  ASSERT_EQ(results.size(), 1u);
  EXPECT_TRUE(results[0].passed) << results[0].message;
  EXPECT_THAT(base::ReadFile(folder_.Path("tests/faults.yaml")).value(),
              AllOf(HasSubstr("error: too_busy"), HasSubstr("stub_error: ")));
}

TEST(ToYaml, ReadsBackAsTheSame) {
  for (const char* text : {
           R"({"a":1,"b":[],"c":{},"d":null,"e":true,"f":1.5,"g":-3,"h":18446744073709551615})",
           R"({"yes":"no","null":"true","":"","a b":"c: d","#":"- x","y":"n","nan":"inf"})",
           R"([[1,[2,[{"a":[{}]}]]],"\u0000x","\ud83d\ude00","\u0085","\u2028","\ufeff"])",
           R"(["0x1F","1_000","012",".5","~","2026-05-01","on","!tag","&a","*a","%x","@x","`x`"])",
       }) {
    const json::Document value = json::MustParse(text);
    for (const size_t indent : {size_t{2}, size_t{98}}) {
      source::Diagnostics diagnostics;
      const std::string yaml = absl::StrCat("x: ", ToYaml(value.root(), indent), "\n");
      const auto read = source::ParseYaml(
          std::make_shared<source::File>(source::File{"x.yaml", yaml}), diagnostics);
      // A NUL is what no such file can hold; it must not be read as anything else.
      if (!read) {
        EXPECT_NE(std::string(text).find("u0000"), std::string::npos)
            << yaml << source::RenderText(diagnostics);
        continue;
      }
      EXPECT_TRUE(json::Equal(read->root().Find("x"), value.root())) << yaml;
    }
  }
}

}  // namespace
}  // namespace tipstaff::cli
