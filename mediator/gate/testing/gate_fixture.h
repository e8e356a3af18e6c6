// A channel: its socket, a running gate, and the mediator's end.
#pragma once

#include <gtest/gtest.h>

#include <memory>

#include "mediator/base/testing/temp_folder.h"
#include "mediator/gate/testing/fake_mediator.h"
#include "mediator/gate/testing/gate_process.h"
#include "mediator/gate/testing/guest_client.h"

namespace tipstaff::gate {

class GateTest : public ::testing::Test {
 protected:
  void SetUp() override { Start(); }
  // Also in place of a gate that has ended.
  void Start();

  std::string socket_path() const { return folder_.Path("guest.sock"); }
  base::Fd Connect() const { return gate::Connect(socket_path()); }
  std::unique_ptr<GuestClient> NewGuest() const { return std::make_unique<GuestClient>(Connect()); }
  // One whole call, to see that the gate works.
  void ExpectACallWorks(GuestClient& guest);

  base::TempFolder folder_;
  std::unique_ptr<FakeMediator> mediator_;
  std::unique_ptr<GateProcess> gate_;
};

// Two connected, blocking, close-on-exec Unix sockets.
std::pair<base::Fd, base::Fd> SocketPair();

}  // namespace tipstaff::gate
