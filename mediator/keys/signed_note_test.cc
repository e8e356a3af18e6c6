#include "mediator/keys/signed_note.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sodium.h>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"

namespace tipstaff::keys {
namespace {

using ::testing::HasSubstr;

constexpr char kText[] = "a text\nof two lines\n";

class SignedNoteTest : public ::testing::Test {
 protected:
  SignedNoteTest() {
    EXPECT_GE(sodium_init(), 0);
    key_ = std::make_unique<PrivateKey>(std::string(32, 's'));
    other_ = std::make_unique<PrivateKey>(std::string(32, 'o'));
  }
  absl::StatusOr<VerifiedNote> Verify(const std::string& note) const {
    const PublicKey key = key_->public_key();
    return VerifyNote(note, [&](absl::string_view kid) -> const PublicKey* {
      return kid == Thumbprint(key) ? &key : nullptr;
    });
  }
  std::unique_ptr<PrivateKey> key_, other_;
};

TEST_F(SignedNoteTest, VerifiesWhatItSigned) {
  for (const std::string& text : {std::string(kText), std::string("x\n\nwith a blank line\n")}) {
    const absl::StatusOr<VerifiedNote> verified = Verify(SignNote(text, *key_));
    ASSERT_TRUE(verified.ok()) << verified.status();
    EXPECT_EQ(verified->text, text);
    EXPECT_EQ(verified->kid, Thumbprint(key_->public_key()));
  }
}

// The same note was made apart, with Python's `cryptography`.
TEST_F(SignedNoteTest, HasTheFormOfTheSpecification) {
  EXPECT_EQ(SignNote(kText, *key_),
            absl::StrCat(kText, "\n\u2014 tipstaff/jQeXAq8ObAIgHtAlFpfVXviJiCSXsO6LPW0E6mMgwTw ",
                         "+TDj4izqGsOgGrsvALiM7gioElXPsW+tAdn7MrnKxi+m//PcMleYuLS+qeEMubSQQ6g2EZh",
                         "HuHXTTEySmHbS/Lg7JgA=\n"));
}

TEST_F(SignedNoteTest, RefusesWhatWasChanged) {
  const std::string note = SignNote(kText, *key_);
  const struct {
    const char* from;
    const char* to;
    absl::StatusCode code;
  } kRows[] = {
      {"two", "2", absl::StatusCode::kInvalidArgument},
      {"a text", " a text", absl::StatusCode::kInvalidArgument},
      {"lines\n\n", "lines\n", absl::StatusCode::kInvalidArgument},
      {"\u2014 tipstaff/", "- tipstaff/", absl::StatusCode::kInvalidArgument},
      {"\u2014 tipstaff/", "\u2014 somebody/", absl::StatusCode::kNotFound},
  };
  for (const auto& row : kRows) {
    const std::string changed = absl::StrReplaceAll(note, {{row.from, row.to}});
    ASSERT_NE(changed, note) << row.from;
    EXPECT_EQ(Verify(changed).status().code(), row.code) << changed;
  }
  // Every byte of it counts, but a signature's name may be of an unknown key then.
  for (size_t i = 0; i < note.size(); ++i) {
    std::string flipped = note;
    flipped[i] ^= 1;
    EXPECT_FALSE(Verify(flipped).ok()) << i;
  }
  EXPECT_FALSE(Verify(note + "\n").ok());
  EXPECT_FALSE(Verify(note.substr(0, note.size() - 1)).ok());
  EXPECT_FALSE(Verify("").ok());
  EXPECT_FALSE(Verify("\n\n").ok());
}

TEST_F(SignedNoteTest, OneKnownKeyIsEnough) {
  const std::string both = absl::StrCat(
      SignNote(kText, *other_), SignNote(kText, *key_).substr(absl::string_view(kText).size() + 1));
  EXPECT_TRUE(Verify(both).ok());
  const absl::Status unknown = Verify(SignNote(kText, *other_)).status();
  EXPECT_EQ(unknown.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(unknown.message(), HasSubstr("a key that nobody vouched for"));
}

}  // namespace
}  // namespace tipstaff::keys
