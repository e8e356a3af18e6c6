#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "absl/strings/str_cat.h"
#include "mediator/base/file.h"
#include "mediator/base/testing/temp_folder.h"
#include "mediator/json/parse.h"
#include "mediator/keys/jwk.h"
#include "mediator/keys/keys.h"

namespace tipstaff::keys {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr absl::string_view kAudience = "tipstaff:test";
const absl::Time kNow = absl::FromUnixSeconds(1'767'225'600);

RunClaims Claims() {
  return {std::string(kAudience), "run_aaaaaaaaaaaa", R"({"report":"R-1"})", "acme", kNow,
          kNow + absl::Hours(1),  "token-1"};
}

int ModeOf(const std::string& path) {
  struct stat info;
  return ::stat(path.c_str(), &info) == 0 ? info.st_mode & 0777 : -1;
}

class Ring : public ::testing::Test {
 protected:
  std::unique_ptr<KeyRing> Open() {
    auto ring = KeyRing::OpenOrCreate(keys_);
    EXPECT_TRUE(ring.ok()) << ring.status();
    return *std::move(ring);
  }
  absl::Status OpenStatus() { return KeyRing::OpenOrCreate(keys_).status(); }
  std::string KeyFile(const std::string& kid) { return absl::StrCat(keys_, "/", kid, ".jwk"); }

  base::TempFolder folder_;
  const std::string keys_ = folder_.Path("keys");
};

TEST_F(Ring, MakesAFirstKeyThatOnlyTheOwnerReads) {
  const mode_t before = ::umask(0);
  const auto ring = Open();
  ::umask(before);
  EXPECT_EQ(ModeOf(keys_), 0700);
  EXPECT_EQ(ModeOf(KeyFile(ring->current())), 0600);
  EXPECT_EQ(Open()->current(), ring->current()) << "and keeps it";
}

TEST_F(Ring, VerifiesWhatItMints) {
  const auto ring = Open();
  const auto token = ring->Mint(Claims());
  ASSERT_TRUE(token.ok()) << token.status();
  const auto claims = Open()->Verify(*token, kAudience, kNow);
  ASSERT_TRUE(claims.ok()) << claims.status();
  EXPECT_EQ(claims->run, "run_aaaaaaaaaaaa");
}

TEST_F(Ring, VerifiesTheSubmissionsThatItMints) {
  const auto ring = Open();
  const auto token = ring->MintSubmission({"reports.example", "run_aaaaaaaaaaaa", "{}", "acme",
                                           "5ub", kNow, kNow + absl::Minutes(5), "t"});
  ASSERT_TRUE(token.ok()) << token.status();
  const auto claims = Open()->VerifySubmission(*token, "reports.example", kNow);
  ASSERT_TRUE(claims.ok()) << claims.status();
  EXPECT_EQ(claims->key, "5ub");
  EXPECT_EQ(Open()->Verify(*token, "reports.example", kNow).status().code(),
            absl::StatusCode::kUnauthenticated)
      << "no guest gets in with it";
  const std::string of_guest = *ring->Mint(Claims());
  EXPECT_EQ(Open()->VerifySubmission(of_guest, kAudience, kNow).status().code(),
            absl::StatusCode::kUnauthenticated)
      << "and no guest submits with its own";
}

TEST_F(Ring, ANewKeySignsAndTheOldOneStillVerifies) {
  const auto before = Open();
  const std::string old_token = *before->Mint(Claims());
  const auto added = AddSigningKey(keys_);
  ASSERT_TRUE(added.ok()) << added.status();
  const auto after = Open();
  EXPECT_EQ(after->current(), *added);
  EXPECT_NE(after->current(), before->current());
  EXPECT_TRUE(after->Verify(old_token, kAudience, kNow).ok());
  const std::string new_token = *after->Mint(Claims());
  EXPECT_EQ(before->Verify(new_token, kAudience, kNow).status().code(),
            absl::StatusCode::kUnauthenticated);

  // Retired: without its private part it verifies, without its file it does not.
  const auto old_key = ParseJwk(*base::ReadFile(KeyFile(before->current())));
  ASSERT_TRUE(
      base::WriteFile(KeyFile(before->current()), ToPublicJwk(old_key->public_key), 0600).ok());
  EXPECT_TRUE(Open()->Verify(old_token, kAudience, kNow).ok());
  std::filesystem::remove(KeyFile(before->current()));
  const absl::Status retired = Open()->Verify(old_token, kAudience, kNow).status();
  EXPECT_EQ(retired.code(), absl::StatusCode::kUnauthenticated);
  EXPECT_THAT(retired.message(), HasSubstr("its key is not one of the mediator's"));
}

TEST_F(Ring, PublishesPublicKeysOnly) {
  (void)Open();
  ASSERT_TRUE(AddSigningKey(keys_).ok());
  const auto ring = Open();
  const auto document = json::Parse(ring->Jwks());
  ASSERT_TRUE(document.ok()) << document.status();
  const json::Value keys = document->root().Find("keys");
  ASSERT_EQ(keys.size(), 2u);
  for (const json::Value key : keys.items()) {
    EXPECT_FALSE(key.Find("d").exists());
    EXPECT_EQ(key.StringOr("alg", ""), "EdDSA");
    EXPECT_EQ(key.StringOr("use", ""), "sig");
    EXPECT_TRUE(std::filesystem::exists(KeyFile(std::string(key.StringOr("kid", "")))));
  }
}

TEST_F(Ring, RefusesWhatOthersCanReadOrWrite) {
  const std::string file = KeyFile(Open()->current());
  for (const int mode : {0640, 0604, 0620, 0602, 0644}) {
    ::chmod(file.c_str(), mode);
    EXPECT_EQ(OpenStatus().code(), absl::StatusCode::kPermissionDenied) << std::oct << mode;
    EXPECT_THAT(OpenStatus().message(), AllOf(HasSubstr(file), HasSubstr("chmod 600")));
  }
  ::chmod(file.c_str(), 0400);
  EXPECT_TRUE(OpenStatus().ok());
  for (const int mode : {0770, 0702}) {
    ::chmod(keys_.c_str(), mode);
    EXPECT_EQ(OpenStatus().code(), absl::StatusCode::kPermissionDenied) << std::oct << mode;
    EXPECT_THAT(OpenStatus().message(), HasSubstr("chmod 700"));
  }
}

TEST_F(Ring, NamesADamagedKey) {
  const std::string kid = Open()->current();
  const std::string good = *base::ReadFile(KeyFile(kid));
  ASSERT_TRUE(base::WriteFile(KeyFile(kid), good.substr(0, good.size() / 2), 0600).ok());
  const absl::Status half = OpenStatus();
  EXPECT_EQ(half.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(half.message(), HasSubstr(KeyFile(kid)));

  std::filesystem::remove(KeyFile(kid));
  ASSERT_TRUE(base::WriteFile(KeyFile("mine"), good, 0600).ok());
  EXPECT_EQ(OpenStatus().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(OpenStatus().message(), HasSubstr(absl::StrCat("its name should be ", kid, ".jwk")));

  ASSERT_TRUE(base::WriteFile(KeyFile("mine"), std::string(5000, ' '), 0600).ok());
  EXPECT_EQ(OpenStatus().code(), absl::StatusCode::kFailedPrecondition);
}

TEST_F(Ring, WantsToKnowWhichKeySigns) {
  const std::string first = Open()->current();
  std::filesystem::remove(keys_ + "/current");
  EXPECT_EQ(Open()->current(), first) << "the only one";
  const std::string second = *AddSigningKey(keys_);
  std::filesystem::remove(keys_ + "/current");
  EXPECT_EQ(OpenStatus().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(OpenStatus().message(), HasSubstr("2 private keys and no file `current`"));

  ASSERT_TRUE(base::WriteFile(keys_ + "/current", first).ok());
  EXPECT_EQ(Open()->current(), first) << "with or without a newline";
  for (const char* name : {"", "\n", "nobody", "../keys/x"}) {
    ASSERT_TRUE(base::WriteFile(keys_ + "/current", name).ok());
    EXPECT_EQ(OpenStatus().code(), absl::StatusCode::kInvalidArgument) << name;
    EXPECT_THAT(OpenStatus().message(), HasSubstr("is no private key in this folder"));
  }
  const auto key = ParseJwk(*base::ReadFile(KeyFile(first)));
  ASSERT_TRUE(base::WriteFile(KeyFile(first), ToPublicJwk(key->public_key), 0600).ok());
  ASSERT_TRUE(base::WriteFile(keys_ + "/current", first).ok());
  EXPECT_EQ(OpenStatus().code(), absl::StatusCode::kInvalidArgument) << "it cannot sign any more";
}

TEST_F(Ring, NamesAFolderThatCannotBe) {
  const absl::Status absent = KeyRing::OpenOrCreate(folder_.Path("no/keys")).status();
  EXPECT_EQ(absent.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(absent.message(), HasSubstr(folder_.Path("no/keys")));
  ASSERT_TRUE(base::WriteFile(folder_.Path("file"), "").ok());
  EXPECT_EQ(KeyRing::OpenOrCreate(folder_.Path("file")).status().code(),
            absl::StatusCode::kFailedPrecondition);
}

TEST_F(Ring, NoKeyLooksLikeAnOption) {
  const base::TempFolder folder;
  for (int i = 0; i < 200; ++i) {
    const absl::StatusOr<std::string> kid = AddSigningKey(folder.Path("keys"));
    ASSERT_TRUE(kid.ok()) << kid.status();
    EXPECT_NE(kid->front(), '-');
  }
}

}  // namespace
}  // namespace tipstaff::keys
