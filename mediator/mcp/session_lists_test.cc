// Capabilities and lists: what follows from the run's catalog.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mediator/json/write.h"
#include "mediator/mcp/session.h"
#include "mediator/mcp/testing/session_driver.h"

namespace tipstaff::mcp {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr char kAllCapabilities[] =
    R"({"tools":{"listChanged":true},"resources":{"listChanged":true,"subscribe":true},)"
    R"("prompts":{"listChanged":true},"completions":{},"logging":{}})";
constexpr char kToolsOnly[] = R"({"tools":{"listChanged":true}})";

std::string Modern(absl::string_view members = "") {
  return absl::StrCat("{", members, ModernMeta(), "}");
}

TEST(Capabilities, AreThoseOfTheRun) {
  SessionDriver driver;
  driver.catalog = FullCatalog();
  driver.Initialize();
  EXPECT_EQ(json::Dump(driver.Answer().root().Find("result").Find("capabilities")),
            kAllCapabilities);
  driver.RequestAndList("2", "server/discover", Modern());
  EXPECT_EQ(json::Dump(driver.Answer().root().Find("result").Find("capabilities")),
            kAllCapabilities);
  driver.catalog.subscriptions = false;
  driver.catalog.resources.clear();
  driver.RequestAndList("3", "server/discover", Modern());
  EXPECT_EQ(
      json::Dump(driver.Answer().root().Find("result").Find("capabilities").Find("resources")),
      R"({"listChanged":true})")
      << "templates are resources too";
}

TEST(Capabilities, WaitFiveSecondsForTheMediatorAndThenPromiseToolsOnly) {
  SessionDriver driver;
  driver.Request("1", "initialize", R"({"protocolVersion":"2025-11-25"})");
  ASSERT_THAT(driver.lists, SizeIs(1));
  EXPECT_EQ(driver.lists[0].patience, absl::Seconds(5));
  driver.List(absl::DeadlineExceededError("no answer"));
  EXPECT_EQ(json::Dump(driver.Answer().root().Find("result").Find("capabilities")), kToolsOnly);
  driver.Request("2", "server/discover", Modern());
  EXPECT_EQ(driver.lists[0].patience, absl::Seconds(5));
  driver.List(absl::UnavailableError("gone"));
  const json::Document answer = driver.Answer();
  EXPECT_EQ(json::Dump(answer.root().Find("result").Find("capabilities")), kToolsOnly);
  EXPECT_EQ(answer.root().Find("result").IntegerOr("ttlMs", -1), 0) << "not to be remembered";
  driver.Request("3", "tools/list");
  EXPECT_EQ(driver.lists[0].patience, absl::ZeroDuration()) << "as long as it takes";
}

TEST(Capabilities, WhatTheMediatorDidNotSayAtFirstIsThereLater) {
  SessionDriver driver;
  driver.Request("1", "initialize", R"({"protocolVersion":"2025-11-25"})");
  driver.List(absl::UnavailableError("gone"));
  driver.catalog = FullCatalog();
  driver.RequestAndList("2", "prompts/list");
  EXPECT_EQ(json::Dump(driver.Answer().root().Find("result")), R"({"prompts":[{"name":"p"}]})");
}

TEST(Lists, OfEachKindInBothGenerations) {
  struct Case {
    const char* method;
    const char* items;
  };
  const Case kCases[] = {
      {"tools/list", R"("tools":[{"name":"t","inputSchema":{"type":"object"},)"
                     R"("annotations":{"readOnlyHint":false}}])"},
      {"resources/list", R"("resources":[{"uri":"file:///a","name":"a"}])"},
      {"resources/templates/list",
       R"("resourceTemplates":[{"uriTemplate":"file:///{x}","name":"x"}])"},
      {"prompts/list", R"("prompts":[{"name":"p"}])"},
  };
  for (const Case& c : kCases) {
    SessionDriver driver;
    driver.catalog = FullCatalog();
    driver.Initialize();
    driver.RequestAndList("1", c.method, R"({"cursor":""})");
    EXPECT_EQ(json::Dump(driver.Answer().root().Find("result")), absl::StrCat("{", c.items, "}"))
        << "an empty cursor is a cursor";
    driver.RequestAndList("2", c.method, Modern());
    EXPECT_EQ(json::Dump(driver.Answer().root().Find("result")),
              absl::StrCat(R"({"resultType":"complete","_meta":{"io.modelcontextprotocol/)"
                           R"(serverInfo":{"name":"tipstaff-guest","version":"1.2"}},)",
                           c.items, R"(,"ttlMs":60000,"cacheScope":"private"})"));
  }
}

TEST(Lists, InPages) {
  SessionDriver driver;
  driver.Initialize();
  for (int i = 0; i < 101; ++i) {
    driver.catalog.tools.push_back(
        {.name = absl::StrCat("t", i), .input_schema = R"({"type":"object"})"});
    driver.catalog.prompts.push_back(absl::StrCat(R"({"name":"p)", i, R"("})"));
    driver.catalog.resources.push_back(absl::StrCat(R"({"name":"r","uri":"r:)", i, R"("})"));
    driver.catalog.resource_templates.push_back(
        absl::StrCat(R"({"name":"r","uriTemplate":"r:)", i, R"("})"));
  }
  const std::pair<const char*, const char*> kLists[] = {
      {"tools/list", "tools"},
      {"prompts/list", "prompts"},
      {"resources/list", "resources"},
      {"resources/templates/list", "resourceTemplates"}};
  for (const auto& [method, key] : kLists) {
    driver.RequestAndList("1", method);
    const json::Document first = driver.Answer();
    EXPECT_EQ(first.root().Find("result").Find(key).size(), 100u) << method;
    const std::string cursor(first.root().Find("result").StringOr("nextCursor", ""));
    driver.RequestAndList("2", method, absl::StrCat(R"({"cursor":)", json::Quote(cursor), "}"));
    EXPECT_EQ(driver.Answer().root().Find("result").Find(key).size(), 1u) << method;
    EXPECT_FALSE(driver.Answer().root().Find("result").Find("nextCursor").exists()) << method;
    driver.RequestAndList("3", method, R"({"cursor":"x"})");
    EXPECT_EQ(driver.ErrorCode(), kInvalidParams) << method;
  }
}

TEST(Lists, NoteWhatIsLeftOut) {
  SessionDriver driver;
  driver.Initialize();
  driver.catalog = FullCatalog();
  driver.catalog.tools[0].input_schema = R"({"oneOf":[]})";
  driver.catalog.prompts.push_back("{}");
  driver.RequestAndList("1", "tools/list");
  EXPECT_THAT(driver.notes, ElementsAre(HasSubstr("left out of `tools`: `t`")));
  EXPECT_EQ(json::Dump(driver.Answer().root().Find("result")), R"({"tools":[]})");
  driver.RequestAndList("2", "prompts/list");
  EXPECT_THAT(driver.notes, ElementsAre(HasSubstr("left out of `prompts`")));
}

TEST(Lists, SayWhyTheyCannot) {
  SessionDriver driver;
  driver.Initialize();
  driver.Request("1", "tools/list");
  driver.List(absl::UnavailableError("gone"));
  EXPECT_EQ(driver.ErrorCode(), kInternalError);
  EXPECT_THAT(driver.sent[0], HasSubstr("the tools of this run cannot be listed: gone"));
  driver.Request("2", "prompts/get", R"({"name":"p"})");
  driver.List(absl::UnavailableError("gone"));
  EXPECT_EQ(driver.ErrorCode(), kInternalError);
  EXPECT_THAT(driver.sent[0], HasSubstr("the prompts of this run cannot be listed: gone"));
}

// prompts/list when there are none: -32601, connection stays.
TEST(Lists, OfWhatThereIsNotAreNotFoundAndTheConnectionStays) {
  for (const char* method : {"prompts/list", "resources/list", "resources/templates/list"}) {
    SessionDriver driver;
    driver.RequestAndList("1", method, Modern());
    EXPECT_EQ(driver.ErrorCode(), kMethodNotFound) << method;
    EXPECT_EQ(driver.sends[0].error, kMethodNotFound) << method;
    driver.Initialize();
    driver.RequestAndList("2", method);
    EXPECT_EQ(driver.ErrorCode(), kMethodNotFound) << method;
    driver.RequestAndList("3", "tools/list");
    EXPECT_EQ(driver.ErrorCode(), 0) << method;
  }
}

}  // namespace
}  // namespace tipstaff::mcp
