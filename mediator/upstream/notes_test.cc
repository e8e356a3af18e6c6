#include "mediator/upstream/notes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "mediator/upstream/limits.h"

namespace tipstaff::upstream {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Notes, CutsBytesIntoLines) {
  Notes notes;
  EXPECT_THAT(notes.TakeBytes("lis"), IsEmpty());
  EXPECT_THAT(notes.TakeBytes("tening\r\n\n  \nsecond\nthi"), ElementsAre("listening", "second"));
  EXPECT_THAT(notes.TakeEnd(), ElementsAre("thi"));
  EXPECT_THAT(notes.TakeEnd(), IsEmpty());
}

TEST(Notes, EscapesWhatActsOnATerminal) {
  Notes notes;
  EXPECT_THAT(notes.Take("a\x1b[2Jb"), ElementsAre("a\\x1b[2Jb"));
}

TEST(Notes, BoundsEachAndAll) {
  Notes notes;
  EXPECT_THAT(notes.TakeBytes(std::string(1 << 20, 'x')), IsEmpty());
  EXPECT_THAT(notes.TakeBytes("\n"), ElementsAre(std::string(kMaxNoteBytes, 'x')));
  for (int i = 1; i < kMaxNotes; ++i) ASSERT_EQ(notes.Take("again").size(), 1u);
  EXPECT_FALSE(notes.full());
  EXPECT_THAT(
      notes.TakeBytes("one\ntwo\n"),
      ElementsAre(absl::StrCat("said more than ", kMaxNotes, " lines: the rest is dropped")));
  EXPECT_TRUE(notes.full());
  EXPECT_THAT(notes.Take("more"), IsEmpty());
}

TEST(Notes, LeaveOutALineWithASecret) {
  Notes notes(Secrets({"Bearer s3cr3t-token", "1"}));
  EXPECT_THAT(notes.Take("got s3cr3t-token"), ElementsAre("said a line with a credential in it"));
  EXPECT_THAT(notes.Take("port 1"), ElementsAre("port 1")) << "too short to be one";
  // No part of it stays where the line is cut.
  const std::string pad(kMaxNoteBytes - 4, 'x');
  EXPECT_THAT(notes.TakeBytes(absl::StrCat(pad, "s3cr3t-token\n")),
              ElementsAre("said a line with a credential in it"));
}

}  // namespace
}  // namespace tipstaff::upstream
