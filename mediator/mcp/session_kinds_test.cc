// Calls of the kinds that are not tools, and log messages.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mediator/json/write.h"
#include "mediator/mcp/session.h"
#include "mediator/mcp/testing/session_driver.h"

namespace tipstaff::mcp {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const Decision kAllowed = {"run_a#1", "allow", "permitted", false};
const Decision kDenied = {"run_a#2", "deny", "no_permission", false};

class Kinds : public ::testing::Test {
 protected:
  Kinds() {
    driver_.catalog = FullCatalog();
    driver_.Initialize();
  }
  // A request that becomes a call; its ticket.
  uint64_t Call(absl::string_view method, absl::string_view params) {
    driver_.RequestAndList("1", method, params);
    EXPECT_THAT(driver_.calls, SizeIs(1)) << method;
    return driver_.calls.empty() ? 0 : driver_.calls[0].ticket;
  }
  void End(uint64_t ticket, const CallEnd& end) {
    driver_.Take(driver_.session().OnCallEnd(ticket, end));
  }
  static std::string Modern(absl::string_view members) {
    return absl::StrCat("{", members, ",", ModernMeta(), "}");
  }

  SessionDriver driver_;
};

TEST_F(Kinds, AskTheMediatorInItsWords) {
  struct Case {
    const char* method;
    const char* params;
    CallKind kind;
    const char* name;
    const char* arguments;
  };
  const Case kCases[] = {
      {"resources/read", R"({"uri":"file:///a"})", CallKind::kResource, "",
       R"({"uri":"file:///a"})"},
      {"resources/subscribe", R"({"uri":"file:///a"})", CallKind::kSubscription, "",
       R"({"uri":"file:///a"})"},
      {"prompts/get", R"({"name":"p","arguments":{"a":"b"}})", CallKind::kPrompt, "p",
       R"({"a":"b"})"},
      {"prompts/get", R"({"name":"p"})", CallKind::kPrompt, "p", "{}"},
      {"completion/complete",
       R"({"x":1,"argument":{"name":"a","value":"v"},"ref":{"type":"ref/prompt","name":"p"}})",
       CallKind::kCompletion, "",
       R"({"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a","value":"v"}})"},
      {"completion/complete", R"({"ref":{},"argument":{},"context":{"arguments":{"a":"b"}}})",
       CallKind::kCompletion, "", R"({"ref":{},"argument":{},"context":{"arguments":{"a":"b"}}})"},
  };
  for (const Case& c : kCases) {
    const uint64_t ticket = Call(c.method, c.params);
    EXPECT_EQ(driver_.calls[0].kind, c.kind) << c.params;
    EXPECT_EQ(driver_.calls[0].name, c.name) << c.params;
    EXPECT_EQ(driver_.calls[0].arguments, c.arguments) << c.params;
    End(ticket, {"", kDenied, CallError{kInvalidParams, "no"}});
  }
}

TEST_F(Kinds, AnswerWithTheResultAndItsDecision) {
  End(Call("resources/read", R"({"uri":"file:///a"})"),
      {R"({"contents":[{"uri":"u"}]})", kAllowed});
  EXPECT_EQ(json::Dump(driver_.Answer().root().Find("result")),
            R"({"contents":[{"uri":"u"}],"_meta":{"tipstaff/decision":{"id":"run_a#1",)"
            R"("verdict":"allow","reason":"permitted","retry":false}}})");
  End(Call("prompts/get", R"({"name":"p"})"), {R"({"messages":[]})"});
  EXPECT_EQ(json::Dump(driver_.Answer().root().Find("result")), R"({"messages":[]})");
  End(Call("completion/complete", R"({"ref":{},"argument":{}})"),
      {R"({"completion":{"values":["v"]}})"});
  EXPECT_EQ(json::Dump(driver_.Answer().root().Find("result")),
            R"({"completion":{"values":["v"]}})");
  End(Call("resources/subscribe", R"({"uri":"file:///a"})"), {"{}"});
  EXPECT_EQ(json::Dump(driver_.Answer().root().Find("result")), "{}");
  End(Call("resources/read", R"({"uri":"file:///a"})"), {R"({"content":[]})", kAllowed});
  EXPECT_EQ(driver_.ErrorCode(), kInternalError) << "no result of a read";
}

TEST_F(Kinds, ARefusalIsAnErrorWithTheDecision) {
  for (const char* method : {"resources/read", "resources/subscribe"}) {
    End(Call(method, R"({"uri":"file:///a"})"),
        {"", kDenied, CallError{kInvalidParams, "not permitted"}});
    EXPECT_EQ(driver_.sent[0],
              R"({"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"not permitted",)"
              R"("data":{"uri":"file:///a","tipstaff/decision":{"id":"run_a#2",)"
              R"("verdict":"deny","reason":"no_permission","retry":false}}}})");
  }
  End(Call("resources/subscribe", R"({"uri":"file:///a"})"), {"{}", kDenied});
  EXPECT_EQ(driver_.ErrorCode(), kInternalError) << "a denial without an error is one";
  EXPECT_THAT(driver_.sent[0], HasSubstr("no_permission"));
}

TEST_F(Kinds, ErrorsHaveTheCodeOfTheGeneration) {
  struct Case {
    const char* reason;
    const char* method;
    const char* members;
    CallEnd end;
    int legacy;
    int modern;
  };
  const Decision unknown = {"run_a#3", "deny", "unknown_tool", false};
  const Case kCases[] = {
      {"an upstream's resource that is not there",
       "resources/read",
       R"("uri":"a:b")",
       {"", kAllowed, CallError{-32002, "not found"}},
       -32002,
       -32602},
      {"one that no backend has",
       "resources/read",
       R"("uri":"a:b")",
       {"", unknown, CallError{-32602, "x"}},
       -32002,
       -32602},
      {"a prompt that no backend has",
       "prompts/get",
       R"("name":"q")",
       {"", unknown, CallError{-32602, "x"}},
       -32602,
       -32602},
      {"an upstream's own code",
       "prompts/get",
       R"("name":"q")",
       {"", kAllowed, CallError{-32050, "x"}},
       -32050,
       -32050},
      {"not about this connection's version",
       "prompts/get",
       R"("name":"q")",
       {"", kAllowed, CallError{-32022, "x"}},
       -32603,
       -32603},
      {"nor its headers",
       "prompts/get",
       R"("name":"q")",
       {"", kAllowed, CallError{-32020, "x"}},
       -32603,
       -32603},
      {"nor its methods",
       "completion/complete",
       R"("ref":{},"argument":{})",
       {"", kAllowed, CallError{-32601, "x"}},
       -32603,
       -32603},
      {"no code",
       "resources/read",
       R"("uri":"a:b")",
       {"", kAllowed, CallError{0, "x"}},
       -32603,
       -32603},
  };
  for (const Case& c : kCases) {
    End(Call(c.method, absl::StrCat("{", c.members, "}")), c.end);
    EXPECT_EQ(driver_.ErrorCode(), c.legacy) << c.reason;
    EXPECT_EQ(driver_.Answer().root().IntegerOr("id", 0), 1) << c.reason;
    End(Call(c.method, Modern(c.members)), c.end);
    EXPECT_EQ(driver_.ErrorCode(), c.modern) << c.reason;
  }
}

TEST_F(Kinds, RefuseBadParams) {
  const std::string long_uri(kMaxUriBytes + 1, 'a');
  const std::pair<const char*, std::string> kCases[] = {
      {"resources/read", "{}"},
      {"resources/read", R"({"uri":7})"},
      {"resources/read", R"({"uri":""})"},
      {"resources/read", absl::StrCat(R"({"uri":")", long_uri, R"("})")},
      {"resources/subscribe", R"({"uri":null})"},
      {"resources/unsubscribe", "{}"},
      {"prompts/get", R"({"arguments":{}})"},
      {"prompts/get", R"({"name":"p","arguments":[]})"},
      {"completion/complete", R"({"ref":{}})"},
      {"completion/complete", R"({"argument":{}})"},
      {"completion/complete", R"({"ref":[],"argument":{}})"},
      {"logging/setLevel", "{}"},
      {"logging/setLevel", R"({"level":"loud"})"},
      {"logging/setLevel", R"({"level":6})"},
  };
  for (const auto& [method, params] : kCases) {
    driver_.Request("1", method, params);
    EXPECT_EQ(driver_.ErrorCode(), kInvalidParams) << method << params.substr(0, 60);
    EXPECT_THAT(driver_.calls, IsEmpty()) << method;
  }
}

TEST_F(Kinds, LegacyMethodsAreNotThereForModernClients) {
  for (const char* method : {"resources/subscribe", "resources/unsubscribe", "logging/setLevel"}) {
    driver_.Request("1", method, Modern(R"("uri":"a:b","level":"info")"));
    EXPECT_EQ(driver_.ErrorCode(), kMethodNotFound) << method;
  }
}

TEST_F(Kinds, ProgressOfAReadIsPassedOn) {
  const uint64_t ticket =
      Call("resources/read", R"({"uri":"file:///a","_meta":{"progressToken":"t"}})");
  EXPECT_TRUE(driver_.calls[0].want_progress);
  driver_.Take(driver_.session().OnProgress(ticket, {1}));
  EXPECT_EQ(driver_.sends.at(0).kind, Send::Kind::kEvent);
  EXPECT_EQ(driver_.sends.at(0).ticket, ticket);
}

TEST_F(Kinds, ACancelledOneIsNotAnswered) {
  driver_.Request("1", "resources/read", R"({"uri":"file:///a"})");
  const uint64_t ticket = driver_.lists.at(0).ticket;
  driver_.Request("", "notifications/cancelled", R"({"requestId":1})");
  EXPECT_EQ(driver_.cancels, std::vector<uint64_t>{ticket});
  driver_.Take(driver_.session().OnList(ticket, std::make_shared<Catalog>(FullCatalog())));
  EXPECT_THAT(driver_.calls, IsEmpty()) << "never made";
  EXPECT_THAT(driver_.sent, IsEmpty());
}

class Logs : public Kinds {
 protected:
  void Log(uint64_t ticket, absl::string_view params) {
    driver_.Take(driver_.session().OnLog(ticket, params));
  }
};

TEST_F(Logs, ALegacySessionSetsItsLevel) {
  driver_.Request("1", "tools/call", R"({"name":"t"})");
  EXPECT_EQ(driver_.calls.at(0).log_level, "info") << "unless it says otherwise";
  driver_.RequestAndList("2", "logging/setLevel", R"({"level":"error"})");
  EXPECT_EQ(json::Dump(driver_.Answer().root().Find("result")), "{}");
  driver_.Request("3", "tools/call", R"({"name":"t"})");
  EXPECT_EQ(driver_.calls.at(0).log_level, "error");
  const uint64_t ticket = driver_.calls[0].ticket;
  Log(ticket, R"({"level":"warning","data":"x"})");
  EXPECT_THAT(driver_.sent, IsEmpty()) << "below the level, whatever the mediator sends";
  Log(ticket, R"({"level":"error","logger":"l","data":{"n":9007199254740993},"_meta":{"a":1}})");
  EXPECT_EQ(json::Dump(driver_.Answer().root()),
            R"({"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error",)"
            R"("logger":"l","data":{"n":9007199254740993}}})");
  EXPECT_EQ(driver_.sends.at(0).kind, Send::Kind::kEvent);
  EXPECT_EQ(driver_.sends.at(0).ticket, ticket);
}

TEST_F(Logs, AModernRequestSaysItsOwnLevel) {
  driver_.RequestAndList("1", "logging/setLevel", R"({"level":"debug"})");
  driver_.Request("2", "tools/call", Modern(R"("name":"t")"));
  EXPECT_EQ(driver_.calls.at(0).log_level, "") << "none unless asked for";
  Log(driver_.calls[0].ticket, R"({"level":"emergency","data":1})");
  EXPECT_THAT(driver_.sent, IsEmpty());
  driver_.Request("3", "tools/call",
                  absl::StrCat(R"({"name":"t",)",
                               ModernMeta(R"("io.modelcontextprotocol/logLevel":"notice")"), "}"));
  EXPECT_EQ(driver_.calls.at(0).log_level, "notice");
  Log(driver_.calls[0].ticket, R"({"level":"notice","data":1})");
  EXPECT_THAT(driver_.sent, SizeIs(1));
  for (const char* level : {R"("loud")", "7", "null"}) {
    driver_.Request(
        "4", "tools/call",
        absl::StrCat(R"({"name":"t",)",
                     ModernMeta(absl::StrCat(R"("io.modelcontextprotocol/logLevel":)", level)),
                     "}"));
    EXPECT_EQ(driver_.ErrorCode(), kInvalidParams) << level;
  }
}

TEST_F(Logs, WhatIsNoLogMessageIsDropped) {
  driver_.Request("1", "tools/call", R"({"name":"t"})");
  const uint64_t ticket = driver_.calls.at(0).ticket;
  for (const char* params : {"", "{", "[]", R"({"level":"error"})", R"({"data":1})",
                             R"({"level":"loud","data":1})", R"({"level":7,"data":1})"}) {
    Log(ticket, params);
    EXPECT_THAT(driver_.sent, IsEmpty()) << params;
  }
  End(ticket, {R"({"content":[]})"});
  Log(ticket, R"({"level":"error","data":1})");
  EXPECT_THAT(driver_.sent, IsEmpty()) << "over";
}

}  // namespace
}  // namespace tipstaff::mcp
