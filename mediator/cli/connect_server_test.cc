#include "mediator/cli/connect_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "mediator/base/file.h"
#include "mediator/base/testing/temp_folder.h"

namespace tipstaff::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kGuest[] = "/b/tipstaff-guest";

TEST(ServerOfTest, EachWay) {
  const RunPlaces places = {"/r/guest.sock", "/r/token"};
  const auto arguments = [&](const ConnectWay& way) {
    const absl::StatusOr<clients::Server> server = ServerOf(way, places, kGuest);
    EXPECT_TRUE(server.ok()) << server.status();
    return server->arguments;
  };
  EXPECT_THAT(arguments({}), ElementsAre("--connect", "/run/tipstaff/guest.sock", "--token-file",
                                         "/run/tipstaff/token"));
  EXPECT_THAT(arguments({.run = "run_x"}),
              ElementsAre("--connect", "/r/guest.sock", "--token-file", "/r/token"));
  EXPECT_THAT(arguments({.socket = "/a/../s", .token_file = "/t"}),
              ElementsAre("--connect", "/s", "--token-file", "/t"));
  EXPECT_THAT(arguments({.token_file = "/t", .vsock = "2:5000"}),
              ElementsAre("--vsock", "2:5000", "--token-file", "/t"));
  EXPECT_EQ(arguments({.socket = "s", .token_file = "t"})[1],
            (std::filesystem::current_path() / "s").string())
      << "a client starts it in another folder";
  EXPECT_EQ(ServerOf({.guest = "/g"}, places, kGuest)->command, "/g");
  EXPECT_EQ(ServerOf({}, places, kGuest)->command, kGuest);
  const absl::StatusOr<clients::Server> http =
      ServerOf({.http = "http://127.0.0.1:1/mcp", .token_variable = "T"}, places, kGuest);
  EXPECT_EQ(http->url, "http://127.0.0.1:1/mcp");
  EXPECT_EQ(http->token_variable, "T");
  EXPECT_EQ(http->command, "");
}

TEST(ServerOfTest, WhatDoesNotGoTogetherIsRefused) {
  const struct {
    ConnectWay way;
    const char* message;
  } kRows[] = {
      {{.run = "run_x", .socket = "/s"}, "exclude each other"},
      {{.vsock = "2:1", .http = "http://127.0.0.1:1/mcp"}, "exclude each other"},
      {{.run = "run_x", .token_file = "/t"}, "--token-file goes with --socket or --vsock"},
      {{.socket = "/s"}, "--token-file is missing"},
      {{.vsock = "2:1"}, "--token-file is missing"},
      {{.token_file = "/t", .vsock = "2"}, "is not CID:PORT"},
      {{.token_file = "/t", .vsock = "2:-1"}, "is not CID:PORT"},
      {{.token_file = "/t", .vsock = "4294967295:1"}, "is not CID:PORT"},
      {{.token_variable = "T"}, "goes with --http"},
      {{.http = "http://127.0.0.1:1/mcp", .token_variable = "1T"}, "no name of a variable"},
      {{.http = "http://127.0.0.1:1/mcp", .token_variable = "A-B"}, "no name of a variable"},
      {{.http = "http://127.0.0.1:1/mcp", .guest = "/g"}, "--guest goes with"},
      {{.http = "http://example.com/mcp"}, "is not http://127.0.0.1:PORT/mcp"},
      {{.guest = "tipstaff-guest"}, "is not absolute"},
      {{.socket = "${HOME}/s", .token_file = "/t"}, "write the path itself"},
      {{.socket = "/s", .token_file = "~/t"}, "write the path itself"},
      {{.socket = "%APPDATA%/s", .token_file = "/t"}, "write the path itself"},
  };
  for (const auto& row : kRows) {
    const absl::Status status = ServerOf(row.way, {}, kGuest).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << row.message;
    EXPECT_THAT(std::string(status.message()), HasSubstr(row.message));
  }
}

TEST(PlacesOfTest, OnlyOpenRunsWithASocket) {
  const base::TempFolder folder;
  config::Config config;
  config.runs_dir = folder.path();
  EXPECT_EQ(PlacesOf(config, "../etc").status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(PlacesOf(config, "run_abcdefghijkl").status().code(), absl::StatusCode::kNotFound);
  std::filesystem::create_directory(folder.Path("run_abcdefghijkl"));
  ASSERT_TRUE(base::WriteFile(folder.Path("run_abcdefghijkl/token"), "t").ok());
  EXPECT_EQ(PlacesOf(config, "run_abcdefghijkl").status().code(),
            absl::StatusCode::kFailedPrecondition)
      << "in a VM";
  ASSERT_TRUE(base::WriteFile(folder.Path("run_abcdefghijkl/guest.sock"), "").ok());
  const absl::StatusOr<RunPlaces> places = PlacesOf(config, "run_abcdefghijkl");
  ASSERT_TRUE(places.ok()) << places.status();
  EXPECT_EQ(places->socket, folder.Path("run_abcdefghijkl/guest.sock"));
  EXPECT_EQ(places->token_file, folder.Path("run_abcdefghijkl/token"));
}

}  // namespace
}  // namespace tipstaff::cli
