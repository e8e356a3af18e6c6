#include "mediator/transport/framing.h"

#include <gtest/gtest.h>

namespace tipstaff::transport {
namespace {

TEST(Framing, CutsAnyChunkingIntoTheSameMessages) {
  const std::string messages[] = {"", "a", std::string(70000, 'x'), "end"};
  std::string stream;
  for (const std::string& message : messages) AppendFrame(message, stream);
  for (const size_t chunk : {size_t{1}, size_t{3}, size_t{4096}, stream.size()}) {
    FrameReader reader;
    std::vector<std::string> got;
    for (size_t at = 0; at < stream.size(); at += chunk) {
      reader.Add(absl::string_view(stream).substr(at, chunk));
      for (;;) {
        const auto next = reader.Next();
        ASSERT_TRUE(next.ok());
        if (!next->has_value()) break;
        got.emplace_back((*next)->data(), (*next)->size());
      }
    }
    ASSERT_EQ(got.size(), 4) << chunk;
    for (size_t i = 0; i < 4; ++i) EXPECT_EQ(got[i], messages[i]) << chunk;
    EXPECT_EQ(reader.pending(), 0);
  }
}

TEST(Framing, RefusesALengthOverTheMaximumAtOnce) {
  FrameReader reader(16);
  reader.Add(absl::string_view("\x11\x00\x00\x00", 4));
  EXPECT_EQ(reader.Next().status().code(), absl::StatusCode::kOutOfRange);
  FrameReader huge;
  huge.Add("\xff\xff\xff\xff");
  EXPECT_EQ(huge.Next().status().code(), absl::StatusCode::kOutOfRange);
}

TEST(Framing, WaitsForTheRestOfAFrame) {
  FrameReader reader;
  std::string stream;
  AppendFrame("hello", stream);
  reader.Add(absl::string_view(stream).substr(0, 6));
  EXPECT_FALSE(reader.Next()->has_value());
  EXPECT_EQ(reader.pending(), 6);
  reader.Add(absl::string_view(stream).substr(6));
  EXPECT_EQ(**reader.Next(), "hello");
}

}  // namespace
}  // namespace tipstaff::transport
