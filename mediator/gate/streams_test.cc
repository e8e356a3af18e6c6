#include "mediator/gate/streams.h"

#include <gtest/gtest.h>

#include "tipstaff/gate/v1/gate.pb.h"

namespace tipstaff::gate {
namespace {

struct Recorder : Stream {
  bool Take(v1::ToGate&) override { return ++taken, takes; }
  void Lost() override { ++lost; }
  bool takes = true;
  int taken = 0, lost = 0;
};

v1::ToGate Event(uint64_t stream, bool end) {
  v1::ToGate frame;
  frame.set_stream(stream);
  end ? (void)frame.mutable_event()->mutable_end() : frame.mutable_event()->set_piece("x");
  return frame;
}

TEST(StreamTable, DeliversUntilTheLastMessage) {
  StreamTable table;
  Recorder a, b;
  const uint64_t first = table.Open(a), second = table.Open(b);
  EXPECT_NE(first, second);
  for (const bool end : {false, false, true, true}) {
    v1::ToGate frame = Event(first, end);
    EXPECT_TRUE(table.Route(frame).ok());
  }
  EXPECT_EQ(a.taken, 3) << "what follows the end is passed over";
  EXPECT_EQ(b.taken, 0);
  EXPECT_FALSE(table.Forget(first)) << "the end took it out";
  EXPECT_TRUE(table.Forget(second));
  EXPECT_FALSE(table.Forget(second)) << "only one side ends a stream";
  v1::ToGate late = Event(second, false);
  EXPECT_TRUE(table.Route(late).ok());
  EXPECT_EQ(b.taken, 0);
}

TEST(StreamTable, RefusesWhatNoStreamAskedFor) {
  StreamTable table;
  Recorder stream;
  const uint64_t number = table.Open(stream);
  v1::ToGate unopened = Event(number + 1, false), zero = Event(0, false), empty;
  empty.set_stream(number);
  for (v1::ToGate* frame : {&unopened, &zero, &empty}) {
    EXPECT_EQ(table.Route(*frame).code(), absl::StatusCode::kInvalidArgument);
  }
  EXPECT_EQ(stream.taken, 0);
  stream.takes = false;
  v1::ToGate frame = Event(number, true);
  EXPECT_EQ(table.Route(frame).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(stream.lost, 1) << "a last message that is no answer still ends the stream";
}

TEST(StreamTable, CloseEndsAllAndOpensNoMore) {
  StreamTable table;
  Recorder stream;
  const uint64_t number = table.Open(stream);
  table.Close();
  EXPECT_EQ(stream.lost, 1);
  EXPECT_FALSE(table.Forget(number));
  EXPECT_EQ(table.Open(stream), 0u);
  table.Close();
  EXPECT_EQ(stream.lost, 1);
}

}  // namespace
}  // namespace tipstaff::gate
