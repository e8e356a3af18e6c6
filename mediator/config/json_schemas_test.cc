// The JSON Schemas that editors load say what the loaders say.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "mediator/base/file.h"
#include "mediator/base/testing/temp_folder.h"
#include "mediator/config/config.h"
#include "mediator/config/shape.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"

namespace tipstaff::config {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAreArray;

const char* const kKinds[] = {"skill", "stub", "config"};

json::Document SchemaOf(const std::string& kind) {
  const auto text =
      base::ReadFile(absl::StrCat(TIPSTAFF_SOURCE_DIR "/schemas/json/", kind, ".schema.json"));
  EXPECT_TRUE(text.ok()) << text.status();
  const auto document = json::Parse(text.value_or("{}"));
  EXPECT_TRUE(document.ok()) << kind << ": " << document.status();
  return document.value_or(json::Document());
}

struct Place {
  std::string pointer;
  json::Value value;
};

// Every value of the document.
std::vector<Place> Everything(json::Value root) {
  std::vector<Place> places = {{"", root}};
  for (size_t i = 0; i < places.size(); ++i) {
    const Place place = places[i];
    int index = 0;
    for (json::Value item : place.value.items()) {
      places.push_back({absl::StrCat(place.pointer, "/", index++), item});
    }
    for (const json::Member& member : place.value.members()) {
      places.push_back({absl::StrCat(place.pointer, "/", member.key), member.value});
    }
  }
  return places;
}

// Whether the value at `pointer` is a mapping from names to schemas: `properties` as a keyword, not
// as the name of a property.
bool IsProperties(const std::string& pointer) {
  return absl::EndsWith(pointer, "/properties") &&
         !absl::EndsWith(pointer, "/properties/properties");
}

TEST(JsonSchemas, AreDraft7WithReferencesThatResolve) {
  for (const std::string kind : kKinds) {
    const json::Document schema = SchemaOf(kind);
    EXPECT_EQ(schema.root().StringOr("$schema", ""), "http://json-schema.org/draft-07/schema#");
    const std::vector<Place> places = Everything(schema.root());
    for (const Place& place : places) {
      if (!absl::EndsWith(place.pointer, "/$ref") || !place.value.is_string()) continue;
      const std::string target(place.value.string());
      ASSERT_EQ(target.rfind("#/definitions/", 0), 0u) << kind << place.pointer;
      EXPECT_TRUE(schema.root().Find("definitions").Find(target.substr(14)).exists())
          << kind << place.pointer << ": " << target;
    }
  }
}

// What one key asks of another that is described elsewhere.
bool IsCondition(const std::string& pointer) {
  for (const char* part : {"/dependencies/", "/upstreams/additionalProperties/oneOf/",
                           "/upstreams/additionalProperties/allOf/"}) {
    if (absl::StrContains(pointer, part)) return true;
  }
  return false;
}

TEST(JsonSchemas, ExplainEveryPropertyToEditors) {
  for (const std::string kind : kKinds) {
    const json::Document schema = SchemaOf(kind);
    EXPECT_NE(schema.root().StringOr("title", ""), "");
    int properties = 0;
    for (const Place& place : Everything(schema.root())) {
      if (!IsProperties(place.pointer) || IsCondition(place.pointer)) continue;
      for (const json::Member& member : place.value.members()) {
        ++properties;
        EXPECT_NE(member.value.StringOr("title", ""), "")
            << kind << place.pointer << "/" << member.key;
        EXPECT_NE(member.value.StringOr("description", ""), "")
            << kind << place.pointer << "/" << member.key;
      }
    }
    EXPECT_GT(properties, 10) << kind;
  }
}

TEST(JsonSchemas, RefuseUnknownKeysAsTheLoadersDo) {
  for (const std::string kind : kKinds) {
    const json::Document schema = SchemaOf(kind);
    for (const Place& place : Everything(schema.root())) {
      if (!place.value.is_object() || !place.value.Find("properties").is_object()) continue;
      if (absl::EndsWith(place.pointer, "/properties") || IsCondition(place.pointer)) continue;
      // Schemas of a stub's tools are JSON Schemas themselves, with keys of their own.
      if (absl::StrContains(place.pointer, "/tool/properties/input/") ||
          absl::StrContains(place.pointer, "/tool/properties/output/")) {
        continue;
      }
      EXPECT_TRUE(place.value.Find("additionalProperties").is_bool() &&
                  !place.value.BoolOr("additionalProperties", true))
          << kind << place.pointer;
    }
  }
}

std::vector<std::string> KeysOf(json::Value schema) {
  std::vector<std::string> keys;
  for (const json::Member& member : schema.Find("properties").members()) {
    keys.emplace_back(member.key);
  }
  return keys;
}

template <size_t N>
std::vector<std::string> Names(const absl::string_view (&keys)[N]) {
  return std::vector<std::string>(keys, keys + N);
}

TEST(ConfigSchema, HasTheLoadersKeys) {
  const json::Document schema = SchemaOf("config");
  const json::Value properties = schema.root().Find("properties");
  const json::Value channels = properties.Find("channels");
  const json::Value firecracker = channels.Find("properties").Find("firecracker");
  const json::Value vsock = channels.Find("properties").Find("vsock");
  const json::Value person = properties.Find("people").Find("additionalProperties");
  EXPECT_THAT(KeysOf(schema.root()), UnorderedElementsAreArray(Names(kFileKeys)));
  EXPECT_THAT(KeysOf(channels), UnorderedElementsAreArray(Names(kChannelKeys)));
  EXPECT_THAT(KeysOf(firecracker), UnorderedElementsAreArray(Names(kFirecrackerKeys)));
  EXPECT_THAT(KeysOf(vsock), UnorderedElementsAreArray(Names(kVsockKeys)));
  EXPECT_THAT(KeysOf(person), UnorderedElementsAreArray(Names(kPersonKeys)));
  const json::Value upstream = properties.Find("upstreams").Find("additionalProperties");
  const json::Value test_system = upstream.Find("properties").Find("test_system");
  const auto keys = [&](const char* name) {
    return KeysOf(upstream.Find("properties").Find(name));
  };
  std::vector<std::string> upstream_keys = Names(kUpstreamKinds);
  for (const std::string& key : Names(kMcpServerKeys)) upstream_keys.push_back(key);
  EXPECT_THAT(KeysOf(upstream), UnorderedElementsAreArray(upstream_keys));
  EXPECT_THAT(keys("stdio"), UnorderedElementsAreArray(Names(kStdioKeys)));
  EXPECT_THAT(keys("http"), UnorderedElementsAreArray(Names(kHttpKeys)));
  EXPECT_THAT(keys("credential"), UnorderedElementsAreArray(Names(kCredentialKeys)));
  EXPECT_THAT(keys("query"), UnorderedElementsAreArray(Names(kQueryKeys)));
  EXPECT_THAT(KeysOf(test_system), UnorderedElementsAreArray(Names(kTestSystemKeys)));
  std::vector<std::string> stops;
  for (json::Value stop : test_system.Find("properties").Find("stop").Find("enum").items()) {
    stops.emplace_back(stop.string());
  }
  EXPECT_THAT(stops, UnorderedElementsAreArray(Names(kStops)));
  EXPECT_EQ(test_system.Find("properties").Find("timeout").StringOr("default", ""),
            absl::StrCat(absl::ToInt64Seconds(kDefaultTimeout), "s"));
  for (json::Value channel : {firecracker, vsock}) {
    const json::Value port = channel.Find("properties").Find("port");
    EXPECT_EQ(port.IntegerOr("minimum", 0), kMinVsockPort);
    EXPECT_EQ(port.IntegerOr("maximum", 0), kMaxVsockPort);
  }
}

TEST(ConfigSchema, ShowsTheLoadersDefaults) {
  base::TempFolder folder;
  std::ofstream(folder.Path("tipstaff.yaml")) << "{}\n";
  source::Diagnostics diagnostics;
  const std::optional<Config> config = Load(folder.Path("tipstaff.yaml"), diagnostics);
  ASSERT_TRUE(config) << source::RenderText(diagnostics);
  const json::Document schema = SchemaOf("config");
  const json::Value properties = schema.root().Find("properties");
  const auto path = [&](json::Value property) {
    return folder.Path(std::string(property.StringOr("default", "")));
  };
  EXPECT_EQ(path(properties.Find("channels").Find("properties").Find("runs")), config->runs_dir);
  EXPECT_EQ(path(properties.Find("admin")), config->admin_socket);
  EXPECT_EQ(path(properties.Find("ledger")), config->ledger);
  EXPECT_EQ(path(properties.Find("keys")), config->keys_dir);
  EXPECT_EQ(json::Dump(properties.Find("policies").Find("default")), R"(["policies"])");
  EXPECT_THAT(config->policies, ElementsAre(folder.Path("policies")));
  EXPECT_EQ(json::Dump(properties.Find("stubs").Find("default")), R"(["stubs"])");
  EXPECT_THAT(config->stubs, ElementsAre(folder.Path("stubs")));
}

// As load_test.cc has it: channels without one of their keys are refused.
TEST(ConfigSchema, RequiresWhatTheLoaderRequires) {
  const json::Document schema = SchemaOf("config");
  const json::Value channels = schema.root().Find("properties").Find("channels").Find("properties");
  EXPECT_EQ(json::Dump(channels.Find("firecracker").Find("required")), R"(["dir","port"])");
  EXPECT_EQ(json::Dump(channels.Find("vsock").Find("required")), R"(["port"])");
  const json::Value upstream =
      schema.root().Find("properties").Find("upstreams").Find("additionalProperties");
  const json::Value kinds = upstream.Find("oneOf");
  EXPECT_EQ(json::Dump(kinds.At(0).Find("required")), R"(["stdio","owner"])");
  EXPECT_EQ(json::Dump(kinds.At(1).Find("required")), R"(["http","owner"])");
  EXPECT_EQ(json::Dump(kinds.At(2).Find("required")), R"(["test_system"])");
  EXPECT_EQ(json::Dump(upstream.Find("properties").Find("test_system").Find("required")),
            R"(["command","tools","stop"])");
}

}  // namespace
}  // namespace tipstaff::config
