// What authors of stubs do: begin one, call it, try it out, save that as a test, run the tests.
#include <gmock/gmock.h>

#include <csignal>
#include <filesystem>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "mediator/base/file.h"
#include "mediator/json/parse.h"
#include "tests/e2e/fixture.h"

namespace tipstaff::e2e {
namespace {

namespace fs = std::filesystem;

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class StubAuthoringTest : public E2eTest {
 protected:
  void SetUp() override {
    const harness::Finished made = Stub({"new", "orders"});
    ASSERT_EQ(made.status, 0) << made.err;
  }
  harness::Finished Stub(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "stub");
    return Bare(std::move(arguments));
  }
  // `stub dev` with these lines on standard input.
  harness::Finished Dev(const std::string& lines, const std::string& more = "") {
    Must(base::WriteFile(Path("lines"), lines));
    return Must(harness::RunCommand(
        {"sh", "-c",
         absl::StrCat(TIPSTAFF_BIN_DIR "/tipstaff stub dev stubs/orders ", more, " < lines")},
        {.folder = Path("")}));
  }
  void Replace(const std::string& file, const std::string& from, const std::string& to) {
    const std::string path = Path("stubs/orders/" + file);
    const std::string text = Must(base::ReadFile(path));
    ASSERT_THAT(text, HasSubstr(from));
    Must(base::WriteFile(path, absl::StrReplaceAll(text, {{from, to}})));
  }
};

// Lines up to one that has `part`.
std::string ReadTo(harness::Process& process, const std::string& part) {
  std::string text;
  while (!absl::StrContains(text, part)) {
    absl::StrAppend(&text, Must(process.ReadLine(absl::Seconds(30))), "\n");
  }
  return text;
}

TEST_F(StubAuthoringTest, ANewStubChecksAndPassesByThePrintedCommands) {
  EXPECT_THAT(Bare({"check", "--strict", "stubs/orders"}).out,
              HasSubstr("1 file, 0 errors, 0 warnings"));
  const harness::Finished again = Stub({"new", "orders"});
  ExpectFails(again, 2, {"`stubs/orders` is already there, and nothing was written"});
  const harness::Finished other = Stub({"new", "it-s", "--into", "other folder"});
  ASSERT_EQ(other.status, 0) << other.err;
  int commands = 0;
  for (absl::string_view line : absl::StrSplit(other.out, '\n')) {
    if (!absl::ConsumePrefix(&line, "  tipstaff ")) continue;
    ++commands;
    const harness::Finished ran = Must(harness::RunCommand(
        {"sh", "-c", absl::StrCat(TIPSTAFF_BIN_DIR "/tipstaff ", line)}, {.folder = Path("")}));
    EXPECT_EQ(ran.status, 0) << line << ran.err;
  }
  EXPECT_EQ(commands, 3) << other.out;
  const harness::Finished strict = Stub({"test", "stubs/orders", "--require-coverage"});
  EXPECT_EQ(strict.status, 0) << strict.out << strict.err;
  EXPECT_THAT(strict.out,
              HasSubstr("the tests exercise 4 of 4 tools, 3 of 3 errors, 0 of 0 faults"));
}

TEST_F(StubAuthoringTest, OneCallShowsWhatItChanged) {
  const std::string arguments = R"({"item_id":"item_0001","reason":"done"})";
  const harness::Finished closed = Stub({"call", "stubs/orders", "close_item", arguments});
  EXPECT_EQ(closed.status, 0);
  EXPECT_THAT(closed.out, AllOf(HasSubstr("status   \"closed\""), HasSubstr("changed items\n"),
                                HasSubstr("\"open\" -> \"closed\""), HasSubstr("log  closing")));
  Must(base::WriteFile(Path("calls.yaml"),
                       "- {tool: get_item, args: {item_id: zzz}}\n"
                       "- {tool: close_item, args: {item_id: item_0001, reason: before}}\n"));
  const harness::Finished after = Stub({"call", "stubs/orders", "close_item", arguments, "--after",
                                        "calls.yaml", "--format", "json"});
  EXPECT_EQ(after.status, 1);
  EXPECT_THAT(after.err, HasSubstr("call 1 of `calls.yaml`, get_item: error not_found"));
  const json::Document reply = Must(json::Parse(after.out));
  EXPECT_EQ(reply.root().StringOr("kind", ""), "error");
  EXPECT_EQ(reply.root().StringOr("error", ""), "already_closed");
  EXPECT_EQ(reply.root().Find("changes").size(), 0u);
  const harness::Finished piped = Must(
      harness::RunCommand({"sh", "-c",
                           "echo '" + arguments +
                               "' | " TIPSTAFF_BIN_DIR
                               "/tipstaff stub call stubs/orders/stub.yaml close_item - --seed s"},
                          {.folder = Path("")}));
  EXPECT_EQ(piped.status, 0) << piped.err;
}

TEST_F(StubAuthoringTest, AStubIsFoundByNameInTheConfiguration) {
  Must(base::WriteFile(Path("tipstaff.yaml"), "ledger: t.db\nstubs: [stubs]\n"));
  const harness::Finished call = Stub({"call", "orders", "get_item", R"({"item_id":"item_0001"})"});
  EXPECT_EQ(call.status, 0) << call.err;
  EXPECT_EQ(Stub({"test", "orders"}).status, 0);
  EXPECT_EQ(Stub({"test"}).status, 0);
  ExpectFails(Stub({"call", "order", "get_item"}), 2, {"`orders`"});
}

TEST_F(StubAuthoringTest, BadInputIsRefusedWithWhatToDo) {
  fs::create_directories(Path("stubs/empty"));
  fs::create_directories(Path("broken"));
  Must(base::WriteFile(Path("broken/stub.yaml"), "stub: broken\ntools: [\n"));
  Must(base::WriteFile(Path("bad.jsonl"), "{\"tool\":\"get_item\"}\n{\"tool\":\n"));
  const struct {
    const char* reason;
    std::vector<std::string> arguments;
    std::vector<std::string> parts;
  } kCases[] = {
      {"a name with a slash", {"new", "a/b"}, {"`a/b` is no name for a stub", "`a-b`"}},
      {"no such folder", {"call", "stubs/none", "x"}, {"there is no folder `stubs/none`"}},
      {"no such folder", {"dev", "./none"}, {"there is no folder `./none`"}},
      {"a folder without a stub",
       {"call", "stubs/empty", "x"},
       {"there is no stub.yaml in `stubs/empty`", "tipstaff stub new"}},
      {"no such stub", {"call", "nothing_like_it", "x"}, {"`nothing_like_it`"}},
      {"no such stub", {"test", "nothing_like_it"}, {"`nothing_like_it`"}},
      {"a stub with errors",
       {"call", "broken", "x"},
       {"error[Y001]", "broken/stub.yaml", "see above"}},
      {"a stub with errors", {"dev", "broken"}, {"error[Y001]", "see above"}},
      {"an unknown tool", {"call", "stubs/orders", "get_itm"}, {"did you mean `get_item`?"}},
      {"no JSON", {"call", "stubs/orders", "get_item", "{\"a\":"}, {"not JSON at byte 5"}},
      {"no object", {"call", "stubs/orders", "get_item", "[1]"}, {"are array, not an object"}},
      {"a bad file of calls",
       {"call", "stubs/orders", "get_item", "{}", "--after", "bad.jsonl"},
       {"bad.jsonl:2: not JSON"}},
      {"no file of calls",
       {"call", "stubs/orders", "get_item", "{}", "--after", "none.yaml"},
       {"none.yaml"}},
      {"a folder for a file of calls",
       {"call", "stubs/orders", "get_item", "{}", "--after", "stubs"},
       {"`stubs` is not a regular file"}},
      {"a bad binding",
       {"call", "stubs/orders", "get_item", "{}", "--bind", "x"},
       {"--bind `x` is not of the form name=text"}},
      {"an unknown command", {"nwe"}, {"there is no command `nwe`"}},
  };
  for (const auto& c : kCases) {
    SCOPED_TRACE(c.reason);
    ExpectFails(Stub(c.arguments), 2, c.parts);
  }
  const harness::Finished only = Stub({"test", "stubs/orders", "--only", "zzz"});
  EXPECT_EQ(only.status, 2);
  EXPECT_THAT(only.err, HasSubstr("no test has `zzz` in its name"));
  ExpectFails(Stub({"test", "stubs/orders", "--only", "x", "--require-coverage"}), 2, {"--only"});
}

TEST_F(StubAuthoringTest, ASessionSavedAsATestPasses) {
  const harness::Finished dev =
      Dev("get_item item_id=item_0001\nadd_note {\"item_id\":\"item_0001\",\"text\":\"a: b\"}\n"
          "close_item item_id=item_0001 reason=done\nclose_item item_id=item_0001 reason=done\n"
          "save tried_out\n",
          "--seed mine --bind customer=ann");
  EXPECT_EQ(dev.status, 0) << dev.out << dev.err;
  EXPECT_THAT(dev.out, AllOf(HasSubstr("wrote stubs/orders/tests/tried_out.yaml"),
                             Not(HasSubstr("orders>"))))
      << "a pipe gets no prompt";
  const harness::Finished tests =
      Stub({"test", "stubs/orders", "--only", "tried out", "--junit", "results.xml"});
  EXPECT_EQ(tests.status, 0) << tests.out << tests.err;
  EXPECT_THAT(tests.out, HasSubstr("1 passed, 0 failed"));
  EXPECT_THAT(Must(base::ReadFile(Path("results.xml"))), HasSubstr("tried out"));
  // And fails when the stub does something else.
  Replace("close_item.lua", "\"already_closed\"", "\"closed_before\"");
  const harness::Finished failed = Stub({"test", "stubs/orders"});
  EXPECT_EQ(failed.status, 1);
  EXPECT_THAT(failed.out, AllOf(HasSubstr("call 4, close_item: expected `already_closed`"),
                                HasSubstr("no test that passes reaches error `closed_before`")));
  EXPECT_EQ(Stub({"test", "stubs/orders", "--only", "is read"}).status, 0);
}

TEST_F(StubAuthoringTest, ALineThatIsNotUnderstoodShowsInTheExit) {
  const harness::Finished dev = Dev("get_itm\nget_item item_id=item_0001");
  EXPECT_EQ(dev.status, 1);
  EXPECT_THAT(dev.out, AllOf(HasSubstr("? there is no tool and no command `get_itm`"),
                             HasSubstr("First item")));
  EXPECT_EQ(Dev("get_item item_id=none").status, 0) << "an answer of the stub is understood";
  EXPECT_THAT(Dev(std::string(3 << 20, 'x') + "\ntables\n").out,
              AllOf(HasSubstr("longer than 1 MiB"), HasSubstr("items  3 rows")));
  EXPECT_EQ(Dev("quit\nnonsense\n").status, 0);
}

TEST_F(StubAuthoringTest, DevLoadsWhatIsSaved) {
  harness::Process dev = Must(harness::Process::Start(
      {TIPSTAFF_BIN_DIR "/tipstaff", "stub", "dev", "stubs/orders"}, {.folder = Path("")}));
  Must(dev.Write("get_item item_id=item_0001\n"));
  ReadTo(dev, "First item");
  // Nothing is typed meanwhile.
  Replace("fixtures/items.yaml", "First item", "The first");
  EXPECT_THAT(ReadTo(dev, "found"),
              AllOf(HasSubstr("reloaded; made 1 call again: 1 differs"),
                    HasSubstr("call 1, get_item: the result differs at /title")));
  Replace("close_item.lua", "return function", "return functoin");
  EXPECT_THAT(ReadTo(dev, "stays"),
              AllOf(HasSubstr("error[S014]"), HasSubstr("stubs/orders/close_item.lua:4"),
                    HasSubstr("not reloaded")));
  Must(dev.Write("close_item item_id=item_0001 reason=x\n"));
  EXPECT_THAT(ReadTo(dev, "log"), HasSubstr("ok\n"));
  Replace("close_item.lua", "return functoin", "return function");
  EXPECT_THAT(ReadTo(dev, "again"), HasSubstr("reloaded; made 2 calls again: the same results"));
  dev.Signal(SIGINT);
  EXPECT_EQ(Must(dev.Wait(absl::Seconds(30))), 0) << "Ctrl-C";
}

}  // namespace
}  // namespace tipstaff::e2e
