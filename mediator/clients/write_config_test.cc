#include "mediator/clients/write_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "mediator/base/file.h"
#include "mediator/base/testing/temp_folder.h"
#include "mediator/json/builder.h"

namespace tipstaff::clients {
namespace {

namespace fs = std::filesystem;

using ::testing::HasSubstr;

class WriteConfigTest : public testing::Test {
 protected:
  absl::StatusOr<Written> Write(const std::string& name, const char* command = "/g",
                                bool replaces = false) {
    json::Builder b;
    b.StartObject().Field("command", command).EndObject();
    const json::Document entry = *std::move(b).Build();
    return WriteConfig(folder_.Path(name), "mcpServers", "tipstaff", entry.root(), replaces);
  }
  std::string Text(const std::string& name) {
    return base::ReadFile(folder_.Path(name)).value_or("(none)");
  }
  void Put(const std::string& name, const std::string& text, mode_t mode = 0644) {
    ASSERT_TRUE(base::WriteFile(folder_.Path(name), text).ok());
    ASSERT_EQ(::chmod(folder_.Path(name).c_str(), mode), 0);
  }
  mode_t Mode(const std::string& name) {
    struct stat status = {};
    EXPECT_EQ(::stat(folder_.Path(name).c_str(), &status), 0);
    return status.st_mode & 07777;
  }
  size_t Files() { return base::ListFiles(folder_.path())->size(); }

  base::TempFolder folder_;
};

TEST_F(WriteConfigTest, MakesTheFileAndItsFolders) {
  const absl::StatusOr<Written> written = Write("a/b/mcp.json");
  ASSERT_TRUE(written.ok()) << written.status();
  EXPECT_EQ(written->change, Change::kAdded);
  EXPECT_EQ(written->backup, "") << "there was none to keep";
  EXPECT_THAT(Text("a/b/mcp.json"), HasSubstr("\"command\": \"/g\""));
  EXPECT_EQ(Mode("a/b/mcp.json"), 0600u);
}

TEST_F(WriteConfigTest, KeepsTheOldFileAndItsMode) {
  Put("mcp.json", "{\"a\": 1}", 0664);
  const absl::StatusOr<Written> first = Write("mcp.json");
  ASSERT_TRUE(first.ok()) << first.status();
  EXPECT_EQ(first->backup, folder_.Path("mcp.json.bak"));
  EXPECT_EQ(Text("mcp.json.bak"), "{\"a\": 1}");
  EXPECT_EQ(Mode("mcp.json"), 0664u) << "whatever the umask";
  const std::string once = Text("mcp.json");

  const absl::StatusOr<Written> same = Write("mcp.json");
  EXPECT_EQ(same->change, Change::kNone);
  EXPECT_EQ(Files(), 2u) << "no second backup of what did not change";

  const absl::StatusOr<Written> replaced = Write("mcp.json", "/h", /*replaces=*/true);
  EXPECT_EQ(replaced->change, Change::kReplaced);
  EXPECT_EQ(replaced->backup, folder_.Path("mcp.json.bak2")) << "the first one stays";
  EXPECT_EQ(Text("mcp.json.bak2"), once);
  EXPECT_EQ(Text("mcp.json.bak"), "{\"a\": 1}");
}

TEST_F(WriteConfigTest, ARefusalLeavesEverythingAsItWas) {
  const struct {
    const char* text;
    absl::StatusCode code;
  } kRows[] = {
      {"{\"mcpServers\": {\"tipstaff\": {}}}", absl::StatusCode::kAlreadyExists},
      {"// mine\n{}", absl::StatusCode::kFailedPrecondition},
      {"{", absl::StatusCode::kInvalidArgument},
  };
  for (const auto& row : kRows) {
    Put("mcp.json", row.text);
    const absl::StatusOr<Written> written = Write("mcp.json");
    EXPECT_EQ(written.status().code(), row.code) << row.text;
    EXPECT_THAT(std::string(written.status().message()), HasSubstr(folder_.Path("mcp.json")));
    EXPECT_EQ(Text("mcp.json"), row.text);
    EXPECT_EQ(Files(), 1u) << row.text;
  }
}

TEST_F(WriteConfigTest, ALinkStaysALink) {
  Put("real.json", "{}");
  fs::create_symlink("real.json", folder_.Path("mcp.json"));
  const absl::StatusOr<Written> written = Write("mcp.json");
  ASSERT_TRUE(written.ok()) << written.status();
  EXPECT_TRUE(fs::is_symlink(folder_.Path("mcp.json")));
  EXPECT_THAT(Text("real.json"), HasSubstr("tipstaff"));
  fs::create_symlink("nowhere", folder_.Path("dangling.json"));
  EXPECT_EQ(Write("dangling.json").status().code(), absl::StatusCode::kInvalidArgument);
}

TEST_F(WriteConfigTest, WhatIsNoFileIsRefused) {
  fs::create_directory(folder_.Path("folder.json"));
  EXPECT_FALSE(Write("folder.json").ok());
  Put("file", "x");
  EXPECT_FALSE(Write("file/mcp.json").ok());
  ASSERT_EQ(::mkfifo(folder_.Path("pipe").c_str(), 0600), 0);
  EXPECT_FALSE(Write("pipe").ok()) << "and it does not hang";
}

}  // namespace
}  // namespace tipstaff::clients
