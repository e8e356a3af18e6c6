#include "mediator/keys/dsse.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sodium.h>

#include "absl/strings/escaping.h"
#include "absl/strings/str_replace.h"
#include "mediator/json/parse.h"

namespace tipstaff::keys {
namespace {

using ::testing::HasSubstr;

constexpr char kType[] = "http://example.com/HelloWorld";

class DsseTest : public ::testing::Test {
 protected:
  DsseTest() {
    EXPECT_GE(sodium_init(), 0);
    key_ = std::make_unique<PrivateKey>(std::string(32, 's'));
    other_ = std::make_unique<PrivateKey>(std::string(32, 'o'));
  }
  absl::StatusOr<VerifiedEnvelope> Verify(const std::string& envelope, const char* type = kType) {
    const PublicKey key = key_->public_key();
    return VerifyEnvelope(envelope, type, [&](absl::string_view kid) -> const PublicKey* {
      return kid == Thumbprint(key) ? &key : nullptr;
    });
  }
  std::unique_ptr<PrivateKey> key_, other_;
};

TEST_F(DsseTest, VerifiesWhatItSigned) {
  for (const std::string& payload : {std::string("hello world"), std::string("\0\xff\n", 3),
                                     std::string(), std::string(100'000, 'x')}) {
    const absl::StatusOr<VerifiedEnvelope> verified = Verify(SignEnvelope(kType, payload, *key_));
    ASSERT_TRUE(verified.ok()) << verified.status();
    EXPECT_EQ(verified->payload, payload);
    EXPECT_EQ(verified->kid, Thumbprint(key_->public_key()));
  }
}

// The text is the specification's own example.
TEST_F(DsseTest, SignsTheTextOfTheSpecification) {
  const json::Document envelope = json::MustParse(SignEnvelope(kType, "hello world", *key_));
  EXPECT_EQ(envelope.root().StringOr("payload", ""), "aGVsbG8gd29ybGQ=");
  EXPECT_EQ(envelope.root().StringOr("payloadType", ""), kType);
  std::string signature;
  ASSERT_TRUE(absl::Base64Unescape(envelope.root().Find("signatures").At(0).StringOr("sig", ""),
                                   &signature));
  EXPECT_TRUE(SignatureIsGood(key_->public_key(),
                              "DSSEv1 29 http://example.com/HelloWorld 11 hello world", signature));
}

TEST_F(DsseTest, RefusesWhatIsAnotherThing) {
  const std::string good = SignEnvelope(kType, "hello world", *key_);
  const struct {
    const char* from;
    const char* to;
    const char* says;
  } kRows[] = {
      {"aGVsbG8gd29ybGQ=", "aGVsbG8gd29ybGR=", "`payload` is not base64"},
      {"aGVsbG8gd29ybGQ=", "aGVsbG8gd29ybGQ", "`payload` is not base64"},
      {"aGVsbG8gd29ybGQ=", "aGVsbG8gd29ybGU=", "is wrong"},
      {"HelloWorld", "HelloWorle", "the signature is for"},
      {"\"signatures\"", "\"signature\"", "it has no signatures"},
      {"\"payload\"", "\"payloads\"", "it has no `payload`"},
      {"\"sig\": \"", "\"sig\": \"AAAA", "is wrong"},
      {"{\n", "[\n", "not a signed envelope"},
  };
  for (const auto& row : kRows) {
    const absl::Status status = Verify(absl::StrReplaceAll(good, {{row.from, row.to}})).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << row.from;
    EXPECT_THAT(std::string(status.message()), HasSubstr(row.says)) << row.from;
  }
  EXPECT_THAT(std::string(Verify(good, "another type").status().message()),
              HasSubstr("not for `another type`"));
}

TEST_F(DsseTest, SaysWhoseKeyNobodyVouchedFor) {
  const absl::Status status = Verify(SignEnvelope(kType, "x", *other_)).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(status.message()), HasSubstr(Thumbprint(other_->public_key())));
}

}  // namespace
}  // namespace tipstaff::keys
