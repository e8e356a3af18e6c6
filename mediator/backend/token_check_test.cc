#include "mediator/backend/token_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "mediator/base/testing/temp_folder.h"

namespace tipstaff::backend {
namespace {

using ::testing::HasSubstr;

constexpr char kAudience[] = "reports.example";
const absl::Time kNow = absl::FromUnixSeconds(1'777'000'000);

class TokenCheckTest : public ::testing::Test {
 protected:
  static keys::SubmissionClaims Claims() {
    return {kAudience,
            "run_aaaaaaaaaaaa",
            R"({"report_id":"r1"})",
            "acme",
            "5ub",
            kNow,
            kNow + absl::Minutes(5),
            "t1"};
  }
  std::unique_ptr<keys::KeyRing> Keys(const std::string& name) {
    return keys::KeyRing::OpenOrCreate(folder_.Path(name)).value();
  }
  std::string Minted(const std::function<void(keys::SubmissionClaims&)>& change) {
    keys::SubmissionClaims claims = Claims();
    change(claims);
    return keys_->MintSubmission(claims).value();
  }
  absl::Status Check(const std::string& token) {
    const Request request{.number = 3, .tool = "submit", .submission_key = "5ub", .token = token};
    return check_.Check(request, kAudience);
  }

  base::TempFolder folder_;
  const std::unique_ptr<keys::KeyRing> keys_ = Keys("keys");
  base::FakeClock clock_{kNow};
  const TokenCheck check_{*keys_, clock_, "run_aaaaaaaaaaaa", R"({"report_id":"r1"})", "acme"};
};

TEST_F(TokenCheckTest, LetsInWhatTheMediatorMinted) {
  const std::string token = Minted([](auto&) {});
  EXPECT_TRUE(Check(token).ok()) << Check(token);
  clock_.Advance(absl::Minutes(5) - absl::Seconds(1));
  EXPECT_TRUE(Check(token).ok()) << "until it expires";
  clock_.Advance(absl::Seconds(1));
  EXPECT_THAT(std::string(Check(token).message()), HasSubstr("it expired at"));
}

TEST_F(TokenCheckTest, RefusesEveryOther) {
  keys::RunClaims guest{
      kAudience, "run_aaaaaaaaaaaa", R"({"report_id":"r1"})", "acme", kNow, kNow + absl::Hours(1),
      "t2"};
  const std::string good = Minted([](auto&) {});
  struct Row {
    const char* name;
    std::string token;
    const char* reason;
  };
  const Row rows[] = {
      {"none", "", "none came with the result"},
      {"no token", "letmein", "not exactly three parts"},
      {"a guest's, though it names the receiver", *keys_->Mint(guest),
       "it is not of type tipstaff-submission+jwt"},
      {"another receiver's", Minted([](auto& c) { c.audience = "tickets.example"; }),
       "it is for `tickets.example`, this is `reports.example`"},
      {"another run's", Minted([](auto& c) { c.run = "run_bbbbbbbbbbbb"; }),
       "it is for `run_bbbbbbbbbbbb`, this is `run_aaaaaaaaaaaa`"},
      {"another report's", Minted([](auto& c) { c.scope = R"({"report_id":"r2"})"; }),
       "it is for another report scope"},
      {"another tenant's", Minted([](auto& c) { c.tenant = "globex"; }),
       "it is for another tenant"},
      {"of no tenant", Minted([](auto& c) { c.tenant = ""; }), "it is for another tenant"},
      {"another submission's", Minted([](auto& c) { c.key = "0ther"; }),
       "it is for another submission"},
      {"expired", Minted([](auto& c) {
         c.issued = kNow - absl::Minutes(5);
         c.expires = kNow;
       }),
       "it expired at"},
      {"not yet valid", Minted([](auto& c) {
         c.issued = kNow + absl::Minutes(2);
         c.expires = kNow + absl::Minutes(7);
       }),
       "it is valid only from"},
      {"signed by somebody else", *Keys("others")->MintSubmission(Claims()),
       "its key is not one of the mediator's"},
      {"cut", good.substr(0, good.size() - 3), "its signature"},
  };
  for (const Row& row : rows) {
    const absl::Status status = Check(row.token);
    EXPECT_EQ(status.code(), absl::StatusCode::kUnauthenticated) << row.name;
    EXPECT_THAT(std::string(status.message()), HasSubstr("submission token refused: ")) << row.name;
    EXPECT_THAT(std::string(status.message()), HasSubstr(row.reason)) << row.name;
  }
  EXPECT_TRUE(Check(good).ok()) << "what each row changes was good";
}

// A run without a tenant.
TEST_F(TokenCheckTest, ATenantIsNotForEverybody) {
  const TokenCheck check(*keys_, clock_, "run_aaaaaaaaaaaa", R"({"report_id":"r1"})", "");
  Request request{.submission_key = "5ub", .token = Minted([](auto&) {})};
  EXPECT_THAT(std::string(check.Check(request, kAudience).message()),
              HasSubstr("it is for another tenant"));
  request.token = Minted([](auto& c) { c.tenant = ""; });
  EXPECT_TRUE(check.Check(request, kAudience).ok());
}

}  // namespace
}  // namespace tipstaff::backend
