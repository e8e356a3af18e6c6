#include "mediator/mcp/client_message.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "mediator/json/parse.h"

namespace tipstaff::mcp {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(ReadFromServer, TellsKindsApart) {
  struct Case {
    const char* reason;
    const char* members;
    const char* kind;  // "request", "notification", "result", "error", "malformed" or a noise
  };
  const Case kCases[] = {
      {"a request", R"("id":1,"method":"ping")", "request"},
      {"with a string for an id", R"("id":"a","method":"ping","params":{})", "request"},
      {"a notification", R"("method":"n","params":{})", "notification"},
      {"a result", R"("id":1,"result":{})", "result"},
      {"an error", R"("id":1,"error":{"code":1})", "error"},
      {"an error of nobody's", R"("error":{"code":1})", "error"},
      {"a result of nobody's", R"("result":{})", "an answer without an id"},
      {"neither result nor error", R"("id":1)", "malformed"},
      {"nothing", R"("x":1)", "an answer without an id"},
      {"a method of another kind", R"("id":1,"method":7)", "neither a request"},
      {"a request with a null id", R"("id":null,"method":"ping")", "neither a request"},
      {"a request that answers", R"("id":1,"method":"m","error":{})", "neither a request"},
      {"a fraction for an id", R"("id":1.5,"result":{})", "neither a string nor an integer"},
  };
  for (const Case& c : kCases) {
    const auto read = ReadFromServer(absl::StrCat(R"({"jsonrpc":"2.0",)", c.members, "}"));
    std::string kind;
    if (const auto* message = std::get_if<ServerMessage>(&read)) {
      kind = message->id.empty() ? "notification" : "request";
    } else if (const auto* answer = std::get_if<Answer>(&read)) {
      kind = answer->kind == Answer::Kind::kResult  ? "result"
             : answer->kind == Answer::Kind::kError ? "error"
                                                    : "malformed";
    } else {
      kind = std::get<Noise>(read).why;
    }
    EXPECT_THAT(kind, HasSubstr(c.kind)) << c.reason;
  }
}

TEST(ReadFromServer, BoundsAnIdThatIsSentBack) {
  const auto request = [](size_t size) {
    return ReadFromServer(
        absl::StrCat(R"({"jsonrpc":"2.0","method":"m","id":")", std::string(size, 'i'), R"("})"));
  };
  EXPECT_TRUE(std::holds_alternative<ServerMessage>(request(1000)));
  EXPECT_TRUE(std::holds_alternative<Noise>(request(2000)));
}

TEST(ReadFromServer, SaysNoiseEscapedAndCut) {
  const auto read = ReadFromServer("\x1b[2J" + std::string(5000, 'x'));
  const std::string& why = std::get<Noise>(read).why;
  EXPECT_THAT(why, HasSubstr(R"(`\x1b[2Jxxx)"));
  EXPECT_LT(why.size(), 300u);
}

TEST(SupportedVersions, AreTheStrings) {
  const json::Document error =
      json::MustParse(R"({"data":{"supported":["a",7,"b",null],"requested":"c"}})");
  EXPECT_THAT(SupportedVersions(error.root()), ElementsAre("a", "b"));
  for (const char* other : {R"({})", R"({"data":[]})", R"({"data":{"supported":"a"}})"}) {
    EXPECT_THAT(SupportedVersions(json::MustParse(other).root()), IsEmpty()) << other;
  }
}

TEST(AreParams, IsForObjectsOnOneLineWithoutMeta) {
  const std::tuple<const char*, const char*, bool> kCases[] = {
      {"empty", "{}", true},
      {"members", R"({"a":9007199254740993,"b":{"_meta":1}})", true},
      {"`_meta`", R"({"a":1,"_meta":{}})", false},
      {"`_meta`, escaped", R"({"\u005fmeta":{}})", false},
      {"a line feed", "{\n}", false},
      {"a carriage return", "{\r}", false},
      {"an array", "[]", false},
      {"two objects", "{},{}", false},
      {"a key twice", R"({"a":1,"a":2})", false},
      {"space around", " {}", false},
      {"nothing", "", false},
  };
  for (const auto& [reason, params, are] : kCases) EXPECT_EQ(AreParams(params), are) << reason;
}

TEST(RequestMessage, PutsMetaIntoParamsAsTheyAre) {
  EXPECT_EQ(RequestMessage(7, "m", "{}", ""),
            R"({"jsonrpc":"2.0","id":7,"method":"m","params":{}})");
  EXPECT_EQ(RequestMessage(7, "m", "{ }", R"({"x":1})"),
            R"({"jsonrpc":"2.0","id":7,"method":"m","params":{"_meta":{"x":1} }})");
  EXPECT_EQ(RequestMessage(7, "m", R"({"n":9007199254740993,"d":1e-7})", R"({"x":1})"),
            R"({"jsonrpc":"2.0","id":7,"method":"m",)"
            R"("params":{"_meta":{"x":1},"n":9007199254740993,"d":1e-7}})");
}

}  // namespace
}  // namespace tipstaff::mcp
