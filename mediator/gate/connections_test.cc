// Which connections a gate serves, and how it parts from the others.
#include "mediator/gate/connections.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/socket.h>

#include "mediator/gate/limits.h"
#include "mediator/gate/preface.h"
#include "mediator/gate/testing/gate_fixture.h"
#include "mediator/transport/listen/listen.h"

namespace tipstaff::gate {
namespace {

using std::chrono::steady_clock;
using ::testing::HasSubstr;

// Long enough for what happens at once, on a busy machine too.
constexpr int kAtOnce = 2'000;

TEST(Preface, IsKnownFromAnyPart) {
  const std::string whole(kPreface);
  for (size_t size = 0; size < whole.size(); ++size) {
    EXPECT_EQ(CheckPreface(absl::string_view(whole).substr(0, size)), Preface::kPart) << size;
    std::string wrong = whole.substr(0, size + 1);
    wrong.back() ^= 1;
    EXPECT_EQ(CheckPreface(wrong), Preface::kWrong) << size;
  }
  EXPECT_EQ(CheckPreface(whole), Preface::kWhole);
  EXPECT_EQ(CheckPreface(whole + "anything"), Preface::kWhole);
}

TEST(Connections, FindsByPeerNameWhileItIsTheSameSocket) {
  auto [a, b] = SocketPair();
  Connections connections;
  const auto added = connections.Add(a.get());
  ASSERT_TRUE(added.ok());
  const std::string peer = "fd:" + std::to_string(a.get());
  EXPECT_EQ(connections.Find(peer), *added);
  for (const char* other : {"", "fd:", "fd:x", "fd:99999", "unix:/x", "7"}) {
    EXPECT_EQ(connections.Find(other), nullptr) << other;
  }
  const int number = a.get();
  a.reset();
  EXPECT_FALSE((*added)->Held());
  EXPECT_EQ(connections.Find(peer), nullptr);
  // The number is another socket's now: not found by it.
  ASSERT_EQ(::dup2(b.get(), number), number);
  const base::Fd reused(number);
  EXPECT_EQ(connections.Find(peer), nullptr);
  const auto again = connections.Add(number);
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(connections.Find(peer), *again);
  connections.Remove(*again);
  EXPECT_EQ(connections.Find(peer), nullptr);
}

// Hostile case 40.
TEST_F(GateTest, ClosesAConnectionThatIsNotHttp2AtOnce) {
  for (const char* bytes :
       {"GET / HTTP/1.1\r\n\r\n", "\x16\x03\x01\x02", "PRI * HTTP/2.0\r\n\r\nSM\r\n\rX", "\xff"}) {
    const base::Fd connection = Connect();
    ASSERT_TRUE(SendAll(connection.get(), bytes));
    EXPECT_TRUE(ClosesWithin(connection.get(), kAtOnce)) << bytes;
  }
  EXPECT_THAT(gate_->Errors(), HasSubstr("tipstaff-gate test: closed a connection that is not"));
  ExpectACallWorks(*NewGuest());
}

TEST_F(GateTest, SurvivesRandomBytesBehindThePreface) {
  const base::Fd healthy = Connect();
  for (const std::string& bytes :
       {std::string(4096, '\xff'), std::string(9, '\0') + std::string(100, 'z'),
        std::string("\x00\x40\x01\x01\x05\x00\x00\x00\x01", 9) + std::string(16385, '\x82')}) {
    const base::Fd connection = Connect();
    ASSERT_TRUE(SendAll(connection.get(), std::string(kPreface) + bytes));
    EXPECT_TRUE(ClosesWithin(connection.get(), kAtOnce));
  }
  ExpectACallWorks(*NewGuest());
}

TEST_F(GateTest, ClosesAConnectionThatIsHungUpBeforeItBegan) {
  for (int i = 0; i < 20; ++i) {
    const base::Fd connection = Connect();
    ASSERT_TRUE(SendAll(connection.get(), "PRI"));
    ::shutdown(connection.get(), SHUT_WR);
    EXPECT_TRUE(ClosesWithin(connection.get(), kAtOnce)) << i;
  }
  ExpectACallWorks(*NewGuest());
}

// Hostile case 30: silent, and slow enough to look alive.
TEST_F(GateTest, ClosesASilentConnectionAfterTheHandshakeTime) {
  const auto begun = steady_clock::now();
  const base::Fd silent = Connect();
  const base::Fd slow = Connect();
  for (const char c : std::string("PRI *")) {
    ASSERT_TRUE(SendAll(slow.get(), std::string(1, c)));
    EXPECT_FALSE(ClosesWithin(slow.get(), 400));
  }
  ExpectACallWorks(*NewGuest());
  EXPECT_TRUE(ClosesWithin(silent.get(), 2'000 + kAtOnce));
  EXPECT_GE(steady_clock::now() - begun, kHandshakeTime - std::chrono::milliseconds(50));
  EXPECT_TRUE(ClosesWithin(slow.get(), kAtOnce));
}

TEST_F(GateTest, ServesAGuestThatBeginsSlowly) {
  const base::Fd connection = Connect();
  const std::string begin = std::string(kPreface) + std::string("\0\0\0\x04\0\0\0\0\0", 9);
  for (const char c : begin) {
    ASSERT_TRUE(SendAll(connection.get(), std::string(1, c)));
    EXPECT_FALSE(ClosesWithin(connection.get(), 5));
  }
  // Answered with the server's own SETTINGS, and kept.
  EXPECT_FALSE(ClosesWithin(connection.get(), 300));
}

// Hostile case 41.
TEST_F(GateTest, RefusesConnectionsOverTheLimitAndTakesNewOnesLater) {
  std::vector<std::unique_ptr<GuestClient>> guests;
  for (size_t i = 0; i < kMaxConnections; ++i) {
    guests.push_back(NewGuest());
    ExpectACallWorks(*guests.back());
  }
  for (int i = 0; i < 200; ++i) {
    const base::Fd over = Connect();
    ASSERT_TRUE(ClosesWithin(over.get(), kAtOnce)) << i;
  }
  const std::string errors = gate_->Errors();
  EXPECT_THAT(errors, HasSubstr("refused a connection: 4 are open (128 so far)"));
  EXPECT_LT(std::count(errors.begin(), errors.end(), '\n'), 12) << "a flood fills no log";
  for (const auto& guest : guests) ExpectACallWorks(*guest);
  guests.pop_back();
  const auto deadline = steady_clock::now() + std::chrono::seconds(10);
  for (;;) {
    base::Fd next = Connect();
    if (!ClosesWithin(next.get(), 100)) {
      GuestClient guest(std::move(next));
      ExpectACallWorks(guest);
      break;
    }
    ASSERT_LT(steady_clock::now(), deadline) << "the place of the closed one is not free";
  }
}

// Hostile case 7: the connection that showed another run's token goes, with all its calls.
TEST_F(GateTest, ClosesTheConnectionWhereTheMediatorSaysSo) {
  const auto bystander = NewGuest();
  ExpectACallWorks(*bystander);
  const auto thief = NewGuest();
  auto pending = thief->Call("pending");
  const auto pending_frame = mediator_->Next();
  ASSERT_TRUE(pending_frame.has_value());
  auto hello = std::async(std::launch::async, [&] {
    guest::v1::HelloReply ignored;
    return thief->Hello("of another run", &ignored);
  });
  const auto frame = mediator_->Next();
  ASSERT_TRUE(frame.has_value());
  ASSERT_TRUE(mediator_->SendFailure(frame->stream(), grpc::StatusCode::PERMISSION_DENIED,
                                     "token of another run", /*close=*/true));
  const grpc::Status refused = hello.get();
  EXPECT_EQ(refused.error_code(), grpc::StatusCode::PERMISSION_DENIED);
  EXPECT_EQ(refused.error_message(), "token of another run");
  const auto cancel = mediator_->Next();
  ASSERT_TRUE(cancel.has_value());
  EXPECT_TRUE(cancel->has_cancel());
  EXPECT_EQ(cancel->stream(), pending_frame->stream());
  EXPECT_EQ(pending.get().status.error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_FALSE(thief->Call("again").get().status.ok());
  ExpectACallWorks(*bystander);
}

TEST(GateHandoff, ServesTheConnectionsThatArePassedToIt) {
  const base::TempFolder folder;
  auto [mediator_socket, gate_socket] = SocketPair();
  auto [passing, passed] = SocketPair();
  FakeMediator mediator(std::move(mediator_socket));
  GateProcess gate({"--connections", "handoff", "--channel", "vsock:7"}, passed.get(),
                   gate_socket.get(), folder.Path("errors"));
  gate_socket.reset();
  passed.reset();
  for (int i = 0; i < 2; ++i) {
    auto [guest_end, gate_end] = SocketPair();
    ASSERT_TRUE(transport::SendFd(passing.get(), gate_end.get()).ok());
    gate_end.reset();
    ASSERT_EQ(::fcntl(guest_end.get(), F_SETFL, O_NONBLOCK), 0);
    GuestClient guest(std::move(guest_end));
    auto call = guest.Call("c-1");
    const auto frame = mediator.Next();
    ASSERT_TRUE(frame.has_value()) << gate.Errors();
    // That nothing more is passed ends nothing.
    if (i == 1) passing.reset();
    ASSERT_TRUE(mediator.SendEnd(frame->stream(), "{}"));
    EXPECT_TRUE(call.get().status.ok());
  }
  EXPECT_TRUE(gate.Running());
  mediator.Close();
  EXPECT_EQ(gate.Wait(5'000), 0);
}

}  // namespace
}  // namespace tipstaff::gate
