// Bytes on a run's socket that are no gRPC: that connection ends, nothing else notices.
#include <fcntl.h>
#include <gmock/gmock.h>

#include "absl/strings/str_cat.h"
#include "mediator/base/ids.h"
#include "mediator/gate/testing/guest_client.h"
#include "tests/e2e/fixture.h"
#include "tests/e2e/raw_guest.h"

namespace tipstaff::e2e {
namespace {

using ::testing::HasSubstr;

constexpr char kPreface[] = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

// The nine bytes before an HTTP/2 frame (RFC 9113, section 4.1).
std::string FrameHeader(uint32_t length, char type, uint32_t stream) {
  std::string header;
  for (const int shift : {16, 8, 0}) header += static_cast<char>(length >> shift);
  header += {type, '\0'};
  for (const int shift : {24, 16, 8, 0}) header += static_cast<char>(stream >> shift);
  return header;
}

const std::string& Settings() {
  static const std::string settings = FrameHeader(0, 4, 0);
  return settings;
}

struct Bytes {
  const char* name;
  std::string bytes;
};

// Hostile case 40.
TEST_F(E2eTest, GarbageOnARunsSocketEndsThatConnectionOnly) {
  Start();
  const harness::OpenedRun run = OpenTriage();
  Bystander same_run(run, StartAgent(run));
  const harness::OpenedRun other = OpenTriage();
  Bystander other_run(other, StartAgent(other));
  const Bytes kCases[] = {
      {"64 KiB of random bytes", base::RandomBytes(64 << 10)},
      {"another protocol", "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"},
      {"half a preface, and then nothing", std::string(kPreface).substr(0, 12)},
      {"a preface and random bytes", kPreface + base::RandomBytes(64 << 10)},
      {"a frame that says 5 MiB, and 5 MiB",
       absl::StrCat(kPreface, Settings(), FrameHeader(5 << 20, 0, 1), std::string(5 << 20, 'x'))},
      {"a frame that says 16 MiB, and nothing",
       absl::StrCat(kPreface, Settings(), FrameHeader((16 << 20) - 1, 1, 1))},
  };
  for (const Bytes& bad : kCases) {
    SCOPED_TRACE(bad.name);
    const base::Fd connection = gate::Connect(run.socket);
    ASSERT_TRUE(connection);
    // Blocking, as all of it is to be sent; the gate may close before that.
    ASSERT_EQ(::fcntl(connection.get(), F_SETFL, 0), 0);
    gate::SendAll(connection.get(), bad.bytes);
    EXPECT_TRUE(gate::ClosesWithin(connection.get(), 30'000));
    same_run.ExpectUndisturbed();
    other_run.ExpectUndisturbed();
  }
  EXPECT_THAT(Tipstaff({"run", "list"}).out, HasSubstr(run.run));
}

TEST_F(E2eTest, SilentConnectionsDoNotKeepAGuestOut) {
  Start();
  const harness::OpenedRun run = OpenTriage();
  std::vector<base::Fd> silent;
  for (int i = 0; i < 20; ++i) silent.push_back(gate::Connect(run.socket));
  // Each is given a few seconds to speak; the guest agent tries until a place is free.
  Bystander guest(run, StartAgent(run));
  for (const base::Fd& connection : silent) {
    EXPECT_TRUE(gate::ClosesWithin(connection.get(), 30'000));
  }
  guest.ExpectUndisturbed();
}

}  // namespace
}  // namespace tipstaff::e2e
