// What passes between a guest and the mediator, through the real gate.
#include <gmock/gmock.h>
#include <grpcpp/create_channel_posix.h>
#include <grpcpp/generic/generic_stub.h>

#include "mediator/gate/testing/gate_fixture.h"

namespace tipstaff::gate {
namespace {

using grpc::StatusCode;
using ::testing::HasSubstr;

TEST_F(GateTest, CarriesHelloAndItsReply) {
  const auto guest = NewGuest();
  auto reply = std::async(std::launch::async, [&] {
    guest::v1::HelloReply got;
    const grpc::Status status = guest->Hello("the token", &got);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return got;
  });
  const auto frame = mediator_->Next();
  ASSERT_TRUE(frame.has_value()) << gate_->Errors();
  EXPECT_EQ(frame->hello().token(), "the token");
  v1::ToGate answer;
  answer.set_stream(frame->stream());
  answer.mutable_hello()->set_session("s-1");
  answer.mutable_hello()->set_run("run_abcdefghijkl");
  ASSERT_TRUE(mediator_->Send(answer));
  const guest::v1::HelloReply got = reply.get();
  EXPECT_EQ(got.session(), "s-1");
  EXPECT_EQ(got.run(), "run_abcdefghijkl");
}

TEST_F(GateTest, CarriesTheListOfTools) {
  const auto guest = NewGuest();
  auto reply = std::async(std::launch::async, [&] {
    guest::v1::ListReply got;
    EXPECT_TRUE(guest->List("s-1", &got).ok());
    return got;
  });
  const auto frame = mediator_->Next();
  ASSERT_TRUE(frame.has_value());
  EXPECT_EQ(frame->list().session(), "s-1");
  v1::ToGate answer;
  answer.set_stream(frame->stream());
  answer.mutable_list()->add_tools()->set_name("reports_get_report");
  answer.mutable_list()->add_tools()->set_name("reports_submit");
  ASSERT_TRUE(mediator_->Send(answer));
  const guest::v1::ListReply got = reply.get();
  ASSERT_EQ(got.tools_size(), 2);
  EXPECT_EQ(got.tools(1).name(), "reports_submit");
}

TEST_F(GateTest, CarriesProgressPiecesAndEndInOrder) {
  const auto guest = NewGuest();
  guest::v1::CallRequest request;
  request.set_session("s-1");
  request.set_call_id("c-1");
  request.set_tool("reports.get_report");
  request.set_arguments(R"({"report_id":"R-1"})");
  request.set_want_progress(true);
  auto call = guest->Call(request);
  const auto frame = mediator_->Next();
  ASSERT_TRUE(frame.has_value());
  EXPECT_EQ(frame->call().SerializeAsString(), request.SerializeAsString());
  ASSERT_TRUE(mediator_->SendProgress(frame->stream(), 1));
  ASSERT_TRUE(mediator_->SendPiece(frame->stream(), "one "));
  ASSERT_TRUE(mediator_->SendPiece(frame->stream(), "two "));
  ASSERT_TRUE(mediator_->SendEnd(frame->stream(), "three"));
  const CallResult result = call.get();
  EXPECT_TRUE(result.status.ok());
  ASSERT_EQ(result.events.size(), 4u);
  EXPECT_EQ(result.events[0].progress().progress(), 1);
  EXPECT_EQ(result.Result(), "one two three");
}

TEST_F(GateTest, CarriesTheLargestResultWhole) {
  const auto guest = NewGuest();
  auto call = guest->Call("large");
  const auto frame = mediator_->Next();
  ASSERT_TRUE(frame.has_value());
  std::string whole;
  for (int i = 0; i < 32; ++i) {
    const std::string piece(256 << 10, static_cast<char>('a' + i % 26));
    whole += piece;
    ASSERT_TRUE(mediator_->SendPiece(frame->stream(), piece));
  }
  ASSERT_TRUE(mediator_->SendEnd(frame->stream(), ""));
  const CallResult result = call.get();
  EXPECT_TRUE(result.status.ok()) << result.status.error_message();
  EXPECT_TRUE(result.Result() == whole);
}

TEST_F(GateTest, CallsEndInTheMediatorsOrder) {
  const auto guest = NewGuest();
  auto first = guest->Call("first");
  const auto first_frame = mediator_->Next();
  auto second = guest->Call("second");
  const auto second_frame = mediator_->Next();
  ASSERT_TRUE(first_frame.has_value() && second_frame.has_value());
  EXPECT_NE(first_frame->stream(), second_frame->stream());
  EXPECT_EQ(second_frame->call().call_id(), "second");
  ASSERT_TRUE(mediator_->SendEnd(second_frame->stream(), "of the second"));
  EXPECT_EQ(second.get().Result(), "of the second");
  EXPECT_EQ(first.wait_for(std::chrono::seconds(0)), std::future_status::timeout);
  ASSERT_TRUE(mediator_->SendEnd(first_frame->stream(), "of the first"));
  EXPECT_EQ(first.get().Result(), "of the first");
}

TEST_F(GateTest, TellsTheMediatorOfACancelOnce) {
  const auto guest = NewGuest();
  const auto context = std::make_shared<grpc::ClientContext>();
  auto call = guest->Call(guest::v1::CallRequest(), context);
  const auto frame = mediator_->Next();
  ASSERT_TRUE(frame.has_value());
  context->TryCancel();
  const auto cancel = mediator_->Next();
  ASSERT_TRUE(cancel.has_value());
  EXPECT_TRUE(cancel->has_cancel());
  EXPECT_EQ(cancel->stream(), frame->stream());
  EXPECT_EQ(call.get().status.error_code(), StatusCode::CANCELLED);
  // An end that crossed the cancel is passed over, and no second cancel comes.
  ASSERT_TRUE(mediator_->SendEnd(frame->stream(), "too late"));
  ExpectACallWorks(*guest);
}

TEST_F(GateTest, TellsTheMediatorWhenTheConnectionIsGone) {
  auto guest = NewGuest();
  const auto context = std::make_shared<grpc::ClientContext>();
  auto call = guest->Call(guest::v1::CallRequest(), context);
  const auto frame = mediator_->Next();
  ASSERT_TRUE(frame.has_value());
  context->TryCancel();
  call.get();
  guest.reset();
  const auto cancel = mediator_->Next();
  ASSERT_TRUE(cancel.has_value());
  EXPECT_TRUE(cancel->has_cancel());
}

TEST_F(GateTest, SendsNoCancelAfterTheEnd) {
  auto guest = NewGuest();
  ExpectACallWorks(*guest);
  guest = NewGuest();
  ExpectACallWorks(*guest);  // its call is the next frame: nothing came of the first connection
}

TEST_F(GateTest, PassesAFailureOn) {
  const auto guest = NewGuest();
  struct Row {
    int sent;
    StatusCode code;
    const char* reason;
  };
  for (const Row& row : {Row{8, StatusCode::RESOURCE_EXHAUSTED, "as it is"},
                         Row{14, StatusCode::UNAVAILABLE, "as it is"},
                         Row{0, StatusCode::INTERNAL, "a failure is never OK"},
                         Row{99, StatusCode::INTERNAL, "no code of gRPC's"},
                         Row{-1, StatusCode::INTERNAL, "no code of gRPC's"}}) {
    auto call = guest->Call("fails");
    const auto frame = mediator_->Next();
    ASSERT_TRUE(frame.has_value());
    ASSERT_TRUE(mediator_->SendFailure(frame->stream(), row.sent, "why"));
    const CallResult result = call.get();
    EXPECT_EQ(result.status.error_code(), row.code) << row.reason;
    EXPECT_EQ(result.status.error_message(), "why");
  }
  ExpectACallWorks(*guest);
}

// Hostile case 29: neither a large message nor a compressed one reaches the mediator.
TEST_F(GateTest, RefusesALargeMessageAndGoesOn) {
  const auto guest = NewGuest();
  auto other = guest->Call("other");
  const auto other_frame = mediator_->Next();
  ASSERT_TRUE(other_frame.has_value());
  const CallResult large = guest->Call("large", std::string(5 << 20, ' ')).get();
  EXPECT_EQ(large.status.error_code(), StatusCode::RESOURCE_EXHAUSTED);
  ASSERT_TRUE(mediator_->SendEnd(other_frame->stream(), "undisturbed"));
  EXPECT_EQ(other.get().Result(), "undisturbed");
  ExpectACallWorks(*guest);
}

TEST_F(GateTest, TakesTheLargestArguments) {
  const auto guest = NewGuest();
  auto call = guest->Call("large", std::string(256 << 10, ' '));
  const auto frame = mediator_->Next();
  ASSERT_TRUE(frame.has_value());
  EXPECT_EQ(frame->call().arguments().size(), size_t{256 << 10});
  ASSERT_TRUE(mediator_->SendEnd(frame->stream(), "{}"));
  EXPECT_TRUE(call.get().status.ok());
}

TEST_F(GateTest, RefusesACompressedMessageAndGoesOn) {
  const auto guest = NewGuest();
  for (const auto algorithm : {GRPC_COMPRESS_GZIP, GRPC_COMPRESS_DEFLATE}) {
    const auto context = std::make_shared<grpc::ClientContext>();
    context->set_compression_algorithm(algorithm);
    guest::v1::CallRequest request;
    request.set_arguments(std::string(200 << 10, ' '));
    const CallResult result = guest->Call(request, context).get();
    EXPECT_EQ(result.status.error_code(), StatusCode::UNIMPLEMENTED);
    EXPECT_THAT(result.status.error_message(), HasSubstr("disabled"));
  }
  ExpectACallWorks(*guest);
}

// Hostile case 9.
TEST_F(GateTest, OffersNothingButTheGuestService) {
  grpc::TemplatedGenericStub<guest::v1::HelloRequest, guest::v1::HelloReply> any(
      grpc::CreateInsecureChannelFromFd("guest", Connect().release()));
  for (const char* method : {"/grpc.health.v1.Health/Check", "/tipstaff.admin.v1.Admin/Status",
                             "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
                             "/tipstaff.guest.v1.Guest/Other"}) {
    grpc::ClientContext context;
    guest::v1::HelloRequest request;
    guest::v1::HelloReply reply;
    std::promise<grpc::Status> status;
    any.UnaryCall(&context, method, grpc::StubOptions(), &request, &reply,
                  [&](grpc::Status got) { status.set_value(std::move(got)); });
    EXPECT_EQ(status.get_future().get().error_code(), StatusCode::UNIMPLEMENTED) << method;
  }
}

// A guest that does not read its result costs 9 MiB and its call, nothing more.
TEST_F(GateTest, EndsACallWhoseGuestDoesNotRead) {
  const auto slow = NewGuest();
  const auto quick = NewGuest();
  grpc::ClientContext context;
  guest::v1::CallRequest request;
  request.set_call_id("slow");
  const auto unread = slow->stub().Call(&context, request);
  const auto frame = mediator_->Next();
  ASSERT_TRUE(frame.has_value());
  int pieces = 0;
  std::optional<v1::FromGate> cancel;
  while (!cancel.has_value() && pieces < 100) {
    ASSERT_TRUE(mediator_->SendPiece(frame->stream(), std::string(256 << 10, 'x')));
    ++pieces;
    cancel = mediator_->Next(pieces < 36 ? 0 : 200);
  }
  ASSERT_TRUE(cancel.has_value());
  EXPECT_TRUE(cancel->has_cancel());
  EXPECT_EQ(cancel->stream(), frame->stream());
  EXPECT_GE(pieces, 36);
  EXPECT_LE(pieces, 44);
  ExpectACallWorks(*quick);
  for (guest::v1::CallEvent event; unread->Read(&event);) {
  }
  EXPECT_EQ(unread->Finish().error_code(), StatusCode::CANCELLED);
}

// Many at once: every answer goes to its own call, and every slot comes back.
TEST_F(GateTest, ManyCallsAtOnceOverManyRounds) {
  const auto guest = NewGuest();
  for (int round = 0; round < 20; ++round) {
    std::vector<std::future<CallResult>> calls;
    for (int i = 0; i < 16; ++i) calls.push_back(guest->Call("c-" + std::to_string(i)));
    std::vector<v1::FromGate> frames;
    for (int i = 0; i < 16; ++i) {
      frames.push_back(mediator_->Next().value_or(v1::FromGate()));
    }
    for (auto it = frames.rbegin(); it != frames.rend(); ++it) {
      ASSERT_TRUE(it->has_call());
      ASSERT_TRUE(mediator_->SendEnd(it->stream(), it->call().call_id()));
    }
    for (int i = 0; i < 16; ++i) {
      const CallResult result = calls[i].get();
      ASSERT_TRUE(result.status.ok()) << result.status.error_message();
      EXPECT_EQ(result.Result(), "c-" + std::to_string(i));
    }
  }
}

}  // namespace
}  // namespace tipstaff::gate
