// The real machine, as far as a test may make it.
#include "mediator/doctor/host_machine.h"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>

#include "mediator/base/fd.h"
#include "mediator/base/file.h"
#include "mediator/base/testing/temp_folder.h"

namespace tipstaff::doctor {
namespace {

class HostMachineTest : public testing::Test {
 protected:
  base::TempFolder folder_;
  HostMachine machine_;
};

TEST_F(HostMachineTest, LooksAtPaths) {
  ASSERT_TRUE(base::WriteFile(folder_.Path("file"), "x", 0640).ok());
  ASSERT_EQ(::chmod(folder_.Path("file").c_str(), 0640), 0);
  const PathFacts file = machine_.Look(folder_.Path("file"));
  EXPECT_EQ(file.kind, PathFacts::Kind::kFile);
  EXPECT_EQ(file.mode, 0640u);
  EXPECT_TRUE(file.readable && file.writable);
  EXPECT_FALSE(file.executable) << "not even for root";
  EXPECT_EQ(machine_.Look(folder_.path()).kind, PathFacts::Kind::kFolder);
  EXPECT_EQ(machine_.Look("/dev/null").kind, PathFacts::Kind::kOther);
  EXPECT_EQ(machine_.Look(folder_.Path("none")).kind, PathFacts::Kind::kAbsent);
  EXPECT_EQ(machine_.Look(folder_.Path("file/x")).kind, PathFacts::Kind::kAbsent);
  std::filesystem::create_symlink("file", folder_.Path("link"));
  EXPECT_EQ(machine_.Look(folder_.Path("link")).kind, PathFacts::Kind::kFile);
}

TEST_F(HostMachineTest, ConnectsToUnixSockets) {
  const std::string path = folder_.Path("s");
  EXPECT_FALSE(machine_.Connect(path).ok());
  const base::Fd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
  ASSERT_EQ(::bind(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  EXPECT_EQ(machine_.Look(path).kind, PathFacts::Kind::kSocket);
  EXPECT_FALSE(machine_.Connect(path).ok()) << "nobody listens yet";
  ASSERT_EQ(::listen(socket.get(), 1), 0);
  EXPECT_TRUE(machine_.Connect(path).ok());
}

TEST_F(HostMachineTest, ConnectsToLoopback) {
  const base::Fd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  ASSERT_EQ(::bind(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  socklen_t size = sizeof address;
  ASSERT_EQ(::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&address), &size), 0);
  const uint16_t port = ntohs(address.sin_port);
  EXPECT_FALSE(machine_.ConnectLoopback(false, port).ok());
  ASSERT_EQ(::listen(socket.get(), 1), 0);
  EXPECT_TRUE(machine_.ConnectLoopback(false, port).ok());
  EXPECT_FALSE(machine_.ConnectLoopback(true, port).ok()) << "it listens on the other family only";
}

TEST_F(HostMachineTest, RoomAndUpstreams) {
  const absl::StatusOr<Room> room = machine_.RoomAt(folder_.path());
  ASSERT_TRUE(room.ok()) << room.status();
  EXPECT_GT(room->total_bytes, 0u);
  EXPECT_LE(room->free_bytes, room->total_bytes);
  EXPECT_FALSE(machine_.RoomAt(folder_.Path("none")).ok());
  config::McpServer server;
  server.name = "tickets";
  server.pins = folder_.Path("pins.json");
  EXPECT_EQ(machine_.CanUse(server, {}).code(), absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace tipstaff::doctor
