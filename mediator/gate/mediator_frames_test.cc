#include "mediator/gate/mediator_frames.h"

#include <gtest/gtest.h>

#include <vector>

#include "tipstaff/gate/v1/gate.pb.h"

namespace tipstaff::gate {
namespace {

struct Recorder : Stream {
  bool Take(v1::ToGate& frame) override {
    pieces.push_back(frame.event().piece());
    return true;
  }
  void Lost() override { ++lost; }
  std::vector<std::string> pieces;
  int lost = 0;
};

std::string Piece(uint64_t stream, const std::string& piece) {
  v1::ToGate frame;
  frame.set_stream(stream);
  frame.mutable_event()->set_piece(piece);
  std::string bytes;
  transport::AppendFrame(frame.SerializeAsString(), bytes);
  return bytes;
}

TEST(MediatorFrames, DeliversInOrderHoweverTheBytesAreCut) {
  for (const size_t cut : {1, 5, 1000}) {
    StreamTable streams;
    Recorder a, b;
    const uint64_t first = streams.Open(a), second = streams.Open(b);
    MediatorFrames frames(streams);
    const std::string bytes = Piece(first, "1") + Piece(second, "x") + Piece(first, "2");
    for (size_t at = 0; at < bytes.size(); at += cut) {
      ASSERT_TRUE(frames.Take(absl::string_view(bytes).substr(at, cut)).ok()) << cut;
    }
    EXPECT_EQ(a.pieces, (std::vector<std::string>{"1", "2"})) << cut;
    EXPECT_EQ(b.pieces, std::vector<std::string>{"x"}) << cut;
    EXPECT_TRUE(frames.AtEnd().ok());
  }
}

TEST(MediatorFrames, DeliversWhatCameBeforeABadFrame) {
  StreamTable streams;
  Recorder stream;
  const uint64_t number = streams.Open(stream);
  MediatorFrames frames(streams);
  EXPECT_EQ(
      frames.Take(Piece(number, "good") + Piece(number + 1, "bad") + Piece(number, "late")).code(),
      absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(stream.pieces, std::vector<std::string>{"good"});
}

TEST(MediatorFrames, TellsOfAnEndWithinAFrame) {
  StreamTable streams;
  Recorder stream;
  const std::string bytes = Piece(streams.Open(stream), "whole");
  MediatorFrames frames(streams);
  ASSERT_TRUE(frames.Take(bytes + bytes.substr(0, 3)).ok());
  EXPECT_EQ(frames.AtEnd().code(), absl::StatusCode::kInvalidArgument);
  ASSERT_TRUE(frames.Take(bytes.substr(3)).ok());
  EXPECT_TRUE(frames.AtEnd().ok());
}

}  // namespace
}  // namespace tipstaff::gate
