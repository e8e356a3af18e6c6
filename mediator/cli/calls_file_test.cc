#include "mediator/cli/calls_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mediator/base/file.h"
#include "mediator/base/testing/temp_folder.h"
#include "mediator/json/write.h"

namespace tipstaff::cli {
namespace {

using ::testing::HasSubstr;

class CallsFile : public ::testing::Test {
 protected:
  absl::StatusOr<std::vector<FileCall>> Read(const char* name, const std::string& text) {
    EXPECT_TRUE(base::WriteFile(folder_.Path(name), text).ok());
    return ReadCalls(folder_.Path(name));
  }
  base::TempFolder folder_;
};

TEST_F(CallsFile, ReadsYamlAndJsonLines) {
  const struct {
    const char* reason;
    const char* name;
    const char* text;
  } kCases[] = {
      {"a sequence", "calls.yaml", "- {tool: a, args: {x: 1}}\n- tool: b\n"},
      {"a mapping", "calls.yaml", "calls:\n  - {tool: a, args: {x: 1}}\n  - tool: b\n"},
      {"JSON", "calls.json", R"([{"tool":"a","args":{"x":1}},{"tool":"b"}])"},
      {"JSON lines", "calls.jsonl", "{\"tool\":\"a\",\"args\":{\"x\":1}}\n\n{\"tool\":\"b\"}"},
      {"JSON lines by another name", "calls",
       "{\"args\":{\"x\":1},\"tool\":\"a\"}\n{\"tool\":\"b\"}\n"},
  };
  for (const auto& c : kCases) {
    const auto calls = Read(c.name, c.text);
    ASSERT_TRUE(calls.ok()) << c.reason << ": " << calls.status();
    ASSERT_EQ(calls->size(), 2u) << c.reason;
    EXPECT_EQ((*calls)[0].tool, "a") << c.reason;
    EXPECT_EQ(json::Canonical((*calls)[0].arguments.root()), R"({"x":1})") << c.reason;
    EXPECT_EQ(json::Canonical((*calls)[1].arguments.root()), "{}") << c.reason;
  }
}

TEST_F(CallsFile, NamesTheLineThatIsWrong) {
  const struct {
    const char* reason;
    const char* name;
    const char* text;
    const char* message;
  } kCases[] = {
      {"no YAML", "a.yaml", "- {tool: a\n", "a.yaml:"},
      {"no sequence", "a.yaml", "tool: a\nx: 1\n", "expected a sequence of calls"},
      {"no call", "a.yaml", "- {tool: a}\n- 3\n", "a.yaml:2: a call is a mapping"},
      {"no tool", "a.yaml", "- {args: {}}\n", "a.yaml:1: a call needs `tool`"},
      {"a misspelt key", "a.yaml", "- {tool: a, arg: {}}\n", "unknown key `arg`"},
      {"arguments that are a list", "a.yaml", "- {tool: a, args: []}\n",
       "`args` must be a mapping"},
      {"bad JSON", "a.jsonl", "{\"tool\":\"a\"}\n{\"tool\":", "a.jsonl:2: not JSON at byte 8"},
      {"a line that is no object", "a.jsonl", "{\"tool\":\"a\"}\n3",
       "a.jsonl:2: a call is a mapping"},
  };
  for (const auto& c : kCases) {
    const absl::Status status = Read(c.name, c.text).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << c.reason << ": " << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr(c.message)) << c.reason;
  }
  for (const std::string& path : {folder_.Path("nothing"), folder_.path()}) {
    EXPECT_TRUE(absl::IsInvalidArgument(ReadCalls(path).status())) << path;
  }
}

}  // namespace
}  // namespace tipstaff::cli
