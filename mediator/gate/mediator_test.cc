// How a gate ends: with its mediator, or because it was started wrongly.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/socket.h>

#include "mediator/gate/options.h"
#include "mediator/gate/testing/gate_fixture.h"
#include "mediator/transport/listen/listen.h"

namespace tipstaff::gate {
namespace {

using std::chrono::steady_clock;
using ::testing::HasSubstr;

TEST_F(GateTest, EndsWithinASecondOfItsMediator) {
  const auto guest = NewGuest();
  auto call = guest->Call("pending");
  ASSERT_TRUE(mediator_->Next().has_value());
  const base::Fd silent = Connect();
  mediator_->Close();
  EXPECT_EQ(gate_->Wait(1'000), 0) << gate_->Errors();
  EXPECT_EQ(call.get().status.error_code(), grpc::StatusCode::UNAVAILABLE);
}

TEST_F(GateTest, EndsThoughAGuestDoesNotRead) {
  const auto guest = NewGuest();
  grpc::ClientContext context;
  const auto unread = guest->stub().Call(&context, guest::v1::CallRequest());
  const auto frame = mediator_->Next();
  ASSERT_TRUE(frame.has_value());
  for (int i = 0; i < 8; ++i) {
    ASSERT_TRUE(mediator_->SendPiece(frame->stream(), std::string(256 << 10, 'x')));
  }
  mediator_->Close();
  EXPECT_EQ(gate_->Wait(1'500), 0);
}

std::string Framed(const v1::ToGate& frame) {
  std::string bytes;
  transport::AppendFrame(frame.SerializeAsString(), bytes);
  return bytes;
}

// The gate's own stand against a mediator that is not one: it ends, and its guest learns nothing.
TEST_F(GateTest, EndsOnAFrameThatBreaksTheProtocol) {
  v1::ToGate no_message, not_opened, zero, wrong_kind, no_event;
  no_message.set_stream(1);
  not_opened.set_stream(2);
  not_opened.mutable_event()->mutable_end();
  zero.mutable_event()->mutable_end();
  wrong_kind.set_stream(1);
  wrong_kind.mutable_hello()->set_session("s");
  no_event.set_stream(1);
  no_event.mutable_event();
  struct Row {
    const char* name;
    std::string bytes;
    const char* message;
  };
  for (const Row& row : {Row{"a frame of 4 GiB", "\xff\xff\xff\xff", "at most 524288"},
                         Row{"no protobuf", std::string("\3\0\0\0\xff\xff\xff", 7), "no ToGate"},
                         Row{"no message", Framed(no_message), "holds no message"},
                         Row{"a stream not opened", Framed(not_opened), "stream 2, not opened"},
                         Row{"stream 0", Framed(zero), "stream 0, not opened"},
                         Row{"a hello for a call", Framed(wrong_kind), "no answer"},
                         Row{"an event of no kind", Framed(no_event), "no answer"}}) {
    if (!gate_->Running()) Start();
    const auto guest = NewGuest();
    auto call = guest->Call("pending");
    ASSERT_TRUE(mediator_->Next().has_value()) << row.name;
    ASSERT_TRUE(mediator_->SendBytes(row.bytes));
    EXPECT_EQ(gate_->Wait(2'000), 3) << row.name;
    EXPECT_THAT(gate_->Errors(), HasSubstr(row.message)) << row.name;
    const CallResult result = call.get();
    EXPECT_EQ(result.status.error_code(), grpc::StatusCode::UNAVAILABLE) << row.name;
    EXPECT_TRUE(result.events.empty()) << row.name;
  }
}

TEST_F(GateTest, EndsOnHalfAFrame) {
  ASSERT_TRUE(mediator_->SendBytes("\x09"));
  mediator_->Close();
  EXPECT_EQ(gate_->Wait(2'000), 3);
  EXPECT_THAT(gate_->Errors(), HasSubstr("in the middle of a frame"));
}

TEST(GateOptions, NameWhatIsWrong) {
  struct Row {
    const char* name;
    std::vector<std::string> arguments;
    const char* message;
  };
  const std::string long_name(201, 'x');
  for (const Row& row :
       {Row{"nothing", {}, "--channel NAME is missing"},
        Row{"no source", {"--channel", "a"}, "--connections listen|handoff is missing"},
        Row{"no channel", {"--connections", "listen"}, "--channel NAME is missing"},
        Row{"no value", {"--channel"}, "--channel needs a value"},
        Row{"unknown", {"--listen"}, "unknown argument `--listen`"},
        Row{"wrong source", {"--connections", "both"}, "`both`: `listen` or `handoff`"},
        Row{"empty name", {"--channel", ""}, "1 to 200"},
        Row{"long name", {"--channel", long_name}, "1 to 200"},
        Row{"hostile name", {"--channel", "a\x1b[2J"}, "`a\\x1b[2J`"}}) {
    const auto options = ParseOptions(row.arguments);
    EXPECT_EQ(options.status().code(), absl::StatusCode::kInvalidArgument) << row.name;
    EXPECT_THAT(std::string(options.status().message()), HasSubstr(row.message)) << row.name;
  }
}

TEST(GateOptions, AreTaken) {
  const auto options = ParseOptions({"--channel", "run_x", "--connections", "handoff"});
  ASSERT_TRUE(options.ok());
  EXPECT_EQ(options->channel, "run_x");
  EXPECT_EQ(options->source, ConnectionSource::kHandoff);
}

TEST(GateStart, RefusesDescriptorsOfTheWrongKind) {
  const base::TempFolder folder;
  auto [a, b] = SocketPair();
  const auto listening = transport::ListenUnix(folder.Path("s"), 0600);
  ASSERT_TRUE(listening.ok());
  const base::Fd& listener = *listening;
  const base::Fd datagram(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  const base::Fd unconnected(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const base::Fd file(::open("/dev/null", O_RDWR | O_CLOEXEC));
  struct Row {
    const char* name;
    const char* source;
    int connections, mediator;
    const char* message;
  };
  for (const Row& row :
       {Row{"3 closed", "listen", -1, a.get(), "descriptor 3 is not open"},
        Row{"4 closed", "listen", listener.get(), -1, "descriptor 4 is not open"},
        Row{"3 a file", "listen", file.get(), a.get(), "descriptor 3 is no stream socket"},
        Row{"3 connected", "listen", b.get(), a.get(), "descriptor 3 is no listening Unix"},
        Row{"3 listening", "handoff", listener.get(), a.get(), "descriptor 3 is not connected"},
        Row{"3 a datagram socket", "handoff", datagram.get(), a.get(), "no stream socket"},
        Row{"4 a file", "listen", listener.get(), file.get(), "descriptor 4 is no stream socket"},
        Row{"4 unconnected", "handoff", b.get(), unconnected.get(), "descriptor 4 is not"},
        Row{"4 listening", "handoff", b.get(), listener.get(), "descriptor 4 is not conn"}}) {
    const std::string errors = folder.Path(std::string("errors of ") + row.name);
    GateProcess gate({"--channel", "c", "--connections", row.source}, row.connections, row.mediator,
                     errors);
    EXPECT_EQ(gate.Wait(5'000), 2) << row.name;
    EXPECT_THAT(gate.Errors(), HasSubstr(row.message)) << row.name;
  }
}

TEST(GateStart, RefusesWrongArguments) {
  const base::TempFolder folder;
  GateProcess gate({"--channel", "c"}, -1, -1, folder.Path("errors of arguments"));
  EXPECT_EQ(gate.Wait(5'000), 2);
  EXPECT_EQ(gate.Errors(), "tipstaff-gate: --connections listen|handoff is missing\n");
}

}  // namespace
}  // namespace tipstaff::gate
