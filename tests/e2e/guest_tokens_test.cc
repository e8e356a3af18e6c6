// Sessions and run tokens, as a guest without the guest agent can misuse them.
#include <gmock/gmock.h>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/time/clock.h"
#include "mediator/base/file.h"
#include "mediator/json/parse.h"
#include "mediator/keys/base64url.h"
#include "mediator/keys/keys.h"
#include "tests/e2e/fixture.h"
#include "tests/e2e/raw_guest.h"

namespace tipstaff::e2e {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kTool[] = "reports.get_report";

class GuestTokensTest : public E2eTest {
 protected:
  void SetUp() override {
    Start();
    run_ = OpenTriage();
    token_ = Must(base::ReadFile(run_.token_file));
  }

  // The claims of run_'s own token, for the mediator's key to sign something else.
  keys::RunClaims Claims() {
    const std::vector<std::string> parts = absl::StrSplit(token_, '.');
    const json::Document claims = Must(json::Parse(keys::FromBase64Url(parts.at(1)).value()));
    keys::RunClaims ours;
    ours.audience = std::string(claims.root().StringOr("aud", ""));
    ours.run = run_.run;
    ours.scope = "{}";
    ours.issued = absl::FromUnixSeconds(absl::ToUnixSeconds(absl::Now())) - absl::Hours(2);
    ours.expires = ours.issued + absl::Hours(3);
    ours.token_id = "of-a-test";
    return ours;
  }
  std::string Mint(const keys::RunClaims& claims, const std::string& folder) {
    return Must(Must(keys::KeyRing::OpenOrCreate(folder))->Mint(claims));
  }

  harness::OpenedRun run_;
  std::string token_;
};

TEST_F(GuestTokensTest, ARefusedTokenIsSaidSoAndAnotherMayFollow) {
  keys::RunClaims expired = Claims(), elsewhere = Claims();
  const keys::RunClaims good = Claims();
  const std::string of_submission =
      Must(Must(keys::KeyRing::OpenOrCreate(mediator().keys_folder()))
               ->MintSubmission({good.audience, good.run, good.scope, good.tenant, "key",
                                 good.issued, good.expires, good.token_id}));
  expired.expires = expired.issued + absl::Hours(1);
  elsewhere.audience = "tipstaff:another";
  const std::vector<std::string> parts = absl::StrSplit(token_, '.');
  struct Row {
    const char* name;
    std::string token;
    const char* says;
  };
  const Row rows[] = {
      {"none", "", "run token"},
      {"garbage", "garbage", "three parts"},
      {"a variable that nobody expanded", "${TIPSTAFF_TOKEN}", "instead of its value"},
      {"without its signature", absl::StrCat(parts[0], ".", parts[1], "."), "run token refused"},
      {"alg none",
       absl::StrCat(keys::Base64Url(R"({"alg":"none","typ":"tipstaff-run+jwt"})"), ".", parts[1],
                    "."),
       "run token refused"},
      {"one byte more", token_ + "A", "run token refused"},
      {"64 KiB", std::string(64 << 10, 'A'), "run token refused"},
      {"expired", Mint(expired, mediator().keys_folder()), "expired"},
      {"for another audience", Mint(elsewhere, mediator().keys_folder()),
       "it is for `tipstaff:another`"},
      {"of a submission, as if for the mediator", of_submission,
       "it is not of type tipstaff-run+jwt"},
      {"signed with a key of the guest's own", Mint(Claims(), Path("own-keys")), "key"},
  };
  RawGuest guest(run_.socket);
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    const RawAnswer answer = guest.Hello(row.token);
    EXPECT_EQ(answer.code, "UNAUTHENTICATED");
    EXPECT_THAT(answer.message, HasSubstr(row.says));
    EXPECT_THAT(answer.message, Not(HasSubstr(parts[1])));
    EXPECT_EQ(guest.session(), "");
  }
  EXPECT_EQ(guest.Hello(Mint(Claims(), mediator().keys_folder())).code, "OK")
      << "the claims above are good but for what each row changes";
  EXPECT_EQ(guest.Hello(token_).code, "OK");
  EXPECT_EQ(guest.Call("c1", kTool, kReadArguments).reason, "permitted");
}

TEST_F(GuestTokensTest, NothingWorksWithoutASession) {
  RawGuest guest(run_.socket);
  for (const char* session : {"", "not-a-session"}) {
    guest.set_session(session);
    for (const RawAnswer& answer : {guest.ListTools(), guest.Call("c1", kTool, kReadArguments)}) {
      EXPECT_EQ(answer.code, "UNAUTHENTICATED") << session;
      EXPECT_THAT(answer.message, HasSubstr("say hello first"));
    }
  }
  EXPECT_TRUE(Decisions(run_.run).empty());
}

TEST_F(GuestTokensTest, ASessionEndsWithItsChannel) {
  const harness::OpenedRun other = OpenTriage();
  RawGuest guest(run_.socket), thief(other.socket);
  guest.HelloFrom(run_.token_file);
  thief.set_session(guest.session());
  EXPECT_EQ(thief.Call("c1", kTool, kReadArguments).code, "UNAUTHENTICATED");
  EXPECT_EQ(guest.Call("c1", kTool, kReadArguments).reason, "permitted");
  EXPECT_TRUE(Decisions(other.run).empty());
}

// Hostile case 7.
TEST_F(GuestTokensTest, ATokenOfAnotherRunClosesTheConnection) {
  const harness::OpenedRun other = OpenTriage();
  RawGuest guest(run_.socket), undisturbed(other.socket), thief(other.socket);
  guest.HelloFrom(run_.token_file);
  undisturbed.HelloFrom(other.token_file);
  const RawAnswer answer = thief.Hello(token_);
  EXPECT_EQ(answer.code, "PERMISSION_DENIED");
  EXPECT_THAT(answer.message, HasSubstr("another run"));
  EXPECT_TRUE(thief.ClosesWithin(absl::Seconds(20)));
  EXPECT_EQ(guest.Call("c1", kTool, kReadArguments).reason, "permitted");
  EXPECT_EQ(undisturbed.Call("c1", kTool, kReadArguments).reason, "permitted");
  EXPECT_THAT(Must(base::ReadFile(mediator().log_file())),
              HasSubstr(absl::StrCat(other.run, ": a token of another run was used")));
}

TEST_F(GuestTokensTest, TheGuestAgentWillNotStartWithoutAToken) {
  struct Row {
    const char* name;
    std::string content;
    const char* says;
  };
  for (const Row& row :
       {Row{"a variable that nobody expanded", "${TIPSTAFF_TOKEN}", "not expanded"},
        Row{"empty", "", "is empty"}, Row{"two lines", "abc\ndef\n", "white space"}}) {
    SCOPED_TRACE(row.name);
    Must(base::WriteFile(Path("token"), row.content, 0600));
    ExpectFails(Must(harness::RunCommand({TIPSTAFF_BIN_DIR "/tipstaff-guest", "--connect",
                                          run_.socket, "--token-file", Path("token")})),
                2, {Path("token"), row.says});
  }
}

}  // namespace
}  // namespace tipstaff::e2e
