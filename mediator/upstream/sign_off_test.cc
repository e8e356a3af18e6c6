#include "mediator/upstream/sign_off.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mediator/base/file.h"
#include "mediator/base/testing/temp_folder.h"
#include "mediator/keys/keys.h"

namespace tipstaff::upstream {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr char kPins[] = "the pins";
const absl::Time kNow = absl::FromUnixSeconds(1'800'000'000);

class SignOffTest : public ::testing::Test {
 protected:
  SignOffTest() {
    server_.name = "tickets";
    server_.command = {"node", "t.js"};
    server_.owner = "dana";
    server_.stop = "none";
    server_.timeout = absl::Seconds(60);
    server_.longest = absl::Minutes(10);
    dana_ = AddPerson("dana");
    erin_ = AddPerson("erin");
  }

  std::unique_ptr<keys::KeyRing> AddPerson(const std::string& name) {
    auto ring = keys::KeyRing::OpenOrCreate(folder_.Path(name));
    EXPECT_TRUE(ring.ok()) << ring.status();
    const std::string file = folder_.Path(name + ".jwks");
    EXPECT_TRUE(base::WriteFile(file, (*ring)->Jwks()).ok());
    people_.push_back({.name = name, .user = "", .key = file});
    return *std::move(ring);
  }

  SignOff Good() const {
    return {"tickets",
            "dana",
            ConfigurationDigest(server_),
            PinsDigest(kPins),
            kNow + absl::Hours(24),
            "it is a copy"};
  }

  std::string Signed(const SignOff& sign_off, const keys::KeyRing& by) const {
    return by.SignEnvelope(kSignOffType, Payload(sign_off));
  }

  absl::Status Check(const std::string& envelope, absl::Time now = kNow) const {
    return CheckSignOff(server_, kPins, envelope, people_, now).status();
  }

  base::TempFolder folder_;
  std::vector<config::Person> people_;
  config::McpServer server_;
  std::unique_ptr<keys::KeyRing> dana_, erin_;
};

TEST_F(SignOffTest, HoldsForWhatWasSigned) {
  const auto checked = CheckSignOff(server_, kPins, Signed(Good(), *dana_), people_, kNow);
  ASSERT_TRUE(checked.ok()) << checked.status();
  EXPECT_EQ(checked->by, "dana");
  EXPECT_EQ(checked->until, Good().until);
  EXPECT_EQ(checked->why, "it is a copy");
}

TEST_F(SignOffTest, EndsOnItsDay) {
  const std::string envelope = Signed(Good(), *dana_);
  EXPECT_TRUE(Check(envelope, Good().until - absl::Microseconds(1)).ok());
  const absl::Status over = Check(envelope, Good().until);
  EXPECT_EQ(over.code(), absl::StatusCode::kPermissionDenied);
  EXPECT_THAT(std::string(over.message()),
              AllOf(HasSubstr("its sign-off ended on"),
                    HasSubstr("tipstaff upstream approve tickets --as dana")));
}

TEST_F(SignOffTest, IsStaleOnceAnythingChanges) {
  const std::string envelope = Signed(Good(), *dana_);
  EXPECT_THAT(
      std::string(CheckSignOff(server_, "other pins", envelope, people_, kNow).status().message()),
      HasSubstr("its pins have changed"));
  server_.command.push_back("--admin");
  EXPECT_THAT(std::string(Check(envelope).message()), HasSubstr("its configuration has changed"));
  server_.command.pop_back();
  server_.network = true;
  EXPECT_FALSE(Check(envelope).ok());
  server_.network = false;
  server_.pins = "elsewhere.json";
  EXPECT_TRUE(Check(envelope).ok()) << "where it is kept says nothing";
}

TEST_F(SignOffTest, IsTheOwnersToGive) {
  EXPECT_FALSE(Check(Signed(Good(), *erin_)).ok()) << "another person's key";
  SignOff by_erin = Good();
  by_erin.by = "erin";
  EXPECT_FALSE(Check(Signed(by_erin, *erin_)).ok());
  EXPECT_FALSE(Check(Signed(by_erin, *dana_)).ok());
  SignOff of_another = Good();
  of_another.upstream = "wiki";
  EXPECT_THAT(std::string(Check(Signed(of_another, *dana_)).message()), HasSubstr("for `wiki`"));
  EXPECT_FALSE(Check(dana_->SignEnvelope("another/type", Payload(Good()))).ok());
  EXPECT_FALSE(Check(dana_->SignEnvelope(kSignOffType, "{}")).ok());
  EXPECT_FALSE(Check("").ok());
  people_.clear();
  EXPECT_THAT(std::string(Check(Signed(Good(), *dana_)).message()), HasSubstr("nobody with a key"));
}

}  // namespace
}  // namespace tipstaff::upstream
