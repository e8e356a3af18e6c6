#include "mediator/gate/testing/gate_fixture.h"

#include <sys/socket.h>

#include "mediator/transport/listen/listen.h"

namespace tipstaff::gate {

std::pair<base::Fd, base::Fd> SocketPair() {
  int fds[2] = {-1, -1};
  EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), 0);
  return {base::Fd(fds[0]), base::Fd(fds[1])};
}

void GateTest::Start() {
  auto [ours, theirs] = SocketPair();
  mediator_ = std::make_unique<FakeMediator>(std::move(ours));
  const auto listener = transport::ListenUnix(socket_path(), 0600);
  ASSERT_TRUE(listener.ok()) << listener.status();
  gate_ = std::make_unique<GateProcess>(
      std::vector<std::string>{"--channel", "test", "--connections", "listen"}, listener->get(),
      theirs.get(), folder_.Path("errors"));
}

void GateTest::ExpectACallWorks(GuestClient& guest) {
  auto call = guest.Call("works");
  const auto frame = mediator_->Next();
  ASSERT_TRUE(frame.has_value()) << gate_->Errors();
  ASSERT_EQ(frame->call().call_id(), "works");
  ASSERT_TRUE(mediator_->SendEnd(frame->stream(), "{}"));
  const CallResult result = call.get();
  EXPECT_TRUE(result.status.ok()) << result.status.error_message();
  EXPECT_EQ(result.Result(), "{}");
}

}  // namespace tipstaff::gate
