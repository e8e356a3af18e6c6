// The exact shapes that clients read. testdata/ has a file for each, to be read by the clients' own
// parsers too (tests/e2e/parsers).
#include "mediator/clients/entry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "absl/strings/str_cat.h"
#include "mediator/base/file.h"
#include "mediator/clients/merge.h"
#include "mediator/clients/snippet.h"
#include "mediator/json/write.h"

namespace tipstaff::clients {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Server Process() {
  return {.command = "/opt/tip \"staff\"/bin/tipstaff-guest",
          .arguments = {"--connect", "/run/tipstaff/guest.sock", "--token-file",
                        "/run/tipstaff/token"}};
}

Server Address(const std::string& variable = "") {
  return {.url = "http://127.0.0.1:8787/mcp", .token_variable = variable};
}

// What --print shows.
absl::StatusOr<std::string> Printed(const Client& client, const Server& server) {
  if (client.servers_key.empty()) return Snippet(client, "tipstaff", server);
  const absl::StatusOr<json::Document> entry = Entry(client, server);
  if (!entry.ok()) return entry.status();
  const absl::StatusOr<Merged> merged =
      Merge("", client.servers_key, "tipstaff", entry->root(), false);
  if (!merged.ok()) return merged.status();
  return merged->text;
}

void ExpectGolden(const std::string& name, const std::string& text) {
  const std::string path = absl::StrCat(TIPSTAFF_SOURCE_DIR "/mediator/clients/testdata/", name);
  if (std::getenv("TIPSTAFF_UPDATE_GOLDEN") != nullptr) {
    ASSERT_TRUE(base::WriteFile(path, text).ok());
  }
  EXPECT_EQ(text, base::ReadFile(path).value_or("(no file)"))
      << path << ": if the client reads this: TIPSTAFF_UPDATE_GOLDEN=1 ./dev test -R EntryTest";
}

class EntryTest : public testing::TestWithParam<Client> {};

INSTANTIATE_TEST_SUITE_P(Clients, EntryTest, testing::ValuesIn(AllClients()), [](const auto& info) {
  std::string name(info.param.name);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

std::string FileName(const Client& client, absl::string_view what) {
  return absl::StrCat(client.name, "-", what, client.servers_key.empty() ? ".py" : ".json");
}

TEST_P(EntryTest, AProcess) {
  const absl::StatusOr<std::string> text = Printed(GetParam(), Process());
  ASSERT_TRUE(text.ok()) << text.status();
  ExpectGolden(FileName(GetParam(), "stdio"), *text);
}

TEST_P(EntryTest, AnAddress) {
  const absl::StatusOr<std::string> text = Printed(GetParam(), Address());
  if (!GetParam().takes_http) {
    EXPECT_EQ(text.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(text.status().message()), HasSubstr("no place for an address"));
    return;
  }
  ASSERT_TRUE(text.ok()) << text.status();
  ExpectGolden(FileName(GetParam(), "http"), *text);
}

TEST_P(EntryTest, ATokenOfTheEnvironment) {
  const absl::StatusOr<std::string> text = Printed(GetParam(), Address("TIPSTAFF_HTTP_TOKEN"));
  const bool can = GetParam().servers_key.empty() || GetParam().expands != Expands::kNothing;
  if (!can) {
    EXPECT_EQ(text.status().code(), absl::StatusCode::kInvalidArgument) << *text;
    return;
  }
  ASSERT_TRUE(text.ok()) << text.status();
  ExpectGolden(FileName(GetParam(), "http-token"), *text);
}

TEST(EntryTest, NoClientIsInTwoPlaces) {
  for (const Client& client : AllClients()) {
    EXPECT_EQ(FindClient(client.name), &client);
    EXPECT_EQ(Entry(client, Process()).ok(), !Snippet(client, "t", Process()).ok()) << client.name;
    const Places places = {.folder = "/w", .home = "/h", .config_home = "/h/.config"};
    EXPECT_EQ(ConfigPath(client, places).empty(), client.servers_key.empty()) << client.name;
  }
  EXPECT_EQ(FindClient("claude"), nullptr);
  EXPECT_THAT(ClientNames(), HasSubstr("claude-code, claude-desktop, cursor"));
}

TEST(EntryTest, Names) {
  for (const char* good :
       {"tipstaff", "T", "9lives", "a-b_c", "abcdefghijklmnopqrstuvwxyz012345"}) {
    EXPECT_TRUE(CheckServerName(good).ok()) << good;
  }
  for (const char* bad :
       {"", "-a", "_a", "a.b", "a b", "a\"b", "é", "\n", "abcdefghijklmnopqrstuvwxyz0123456"}) {
    const absl::Status status = CheckServerName(bad);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << bad;
    EXPECT_THAT(std::string(status.message()), HasSubstr("letters, digits"));
    EXPECT_THAT(std::string(status.message()), Not(HasSubstr("\n")));
  }
}

TEST(EntryTest, Addresses) {
  EXPECT_TRUE(CheckUrl("http://127.0.0.1:1/mcp").ok());
  EXPECT_TRUE(CheckUrl("http://[::1]:65535/mcp").ok());
  for (const char* bad :
       {"", "http://127.0.0.1/mcp", "http://127.0.0.1:/mcp", "http://127.0.0.1:0/mcp",
        "http://127.0.0.1:65536/mcp", "http://127.0.0.1:80", "http://127.0.0.1:80/mcp/",
        "https://127.0.0.1:80/mcp", "http://localhost:80/mcp", "http://127.0.0.1:80@evil:1/mcp",
        "http://10.0.0.1:80/mcp", "http://127.0.0.1:+80/mcp", "http://127.0.0.1: 80/mcp",
        "http://0.0.0.0:80/mcp"}) {
    EXPECT_EQ(CheckUrl(bad).code(), absl::StatusCode::kInvalidArgument) << bad;
  }
}

}  // namespace
}  // namespace tipstaff::clients
