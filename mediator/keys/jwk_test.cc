#include "mediator/keys/jwk.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "mediator/keys/base64url.h"

namespace tipstaff::keys {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// RFC 8037, appendix A.1 to A.4.
constexpr absl::string_view kSeed = "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A";
constexpr absl::string_view kX = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo";
constexpr absl::string_view kKid = "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k";

std::string GoodJwk() {
  return absl::StrCat(R"({"kty":"OKP","crv":"Ed25519","d":")", kSeed, R"(","x":")", kX,
                      R"(","kid":")", kKid, R"("})");
}

TEST(Jwk, MatchesRfc8037) {
  const PrivateKey key(*FromBase64Url(kSeed));
  const PublicKey& public_key = key.public_key();
  EXPECT_EQ(Base64Url({reinterpret_cast<const char*>(public_key.data()), public_key.size()}), kX);
  EXPECT_EQ(Thumbprint(public_key), kKid);
  const std::string text = "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc";
  const Signature signature = key.Sign(text);
  const absl::string_view bytes(reinterpret_cast<const char*>(signature.data()), signature.size());
  EXPECT_EQ(
      Base64Url(bytes),
      "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg");
  EXPECT_TRUE(SignatureIsGood(public_key, text, bytes));
  EXPECT_FALSE(SignatureIsGood(public_key, text + "x", bytes));
  EXPECT_FALSE(SignatureIsGood(public_key, text, bytes.substr(0, 63)));
}

TEST(Jwk, ReadsWhatItWrites) {
  const PrivateKey key(*FromBase64Url(kSeed));
  const auto parsed = ParseJwk(key.ToJwk());
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  EXPECT_EQ(parsed->seed, *FromBase64Url(kSeed));
  EXPECT_EQ(parsed->kid, kKid);
  const auto published = ParseJwk(ToPublicJwk(key.public_key()));
  ASSERT_TRUE(published.ok()) << published.status();
  EXPECT_EQ(published->seed, "");
  EXPECT_EQ(published->public_key, key.public_key());
  EXPECT_THAT(ToPublicJwk(key.public_key()), Not(HasSubstr(std::string(kSeed))));
}

TEST(Jwk, RefusesDamagedKeys) {
  ASSERT_TRUE(ParseJwk(GoodJwk()).ok()) << ParseJwk(GoodJwk()).status();
  struct Row {
    const char* name;
    std::string from, to;
    const char* reason;
  };
  const Row rows[] = {
      {"no JSON", "{", "", "not an Ed25519 key"},
      {"other type", "OKP", "EC", "`kty`"},
      {"other curve", "Ed25519", "X25519", "`crv`"},
      {"twice", R"("kty")", R"("kty":"OKP","kty")", "twice"},
      {"unknown member", R"("kty")", R"("key_ops":["sign"],"kty")", "a member other than"},
      {"other algorithm", R"("kty")", R"("alg":"HS256","kty")", "`alg`"},
      {"other use", R"("kty")", R"("use":"enc","kty")", "`use`"},
      {"short x", std::string(kX), "AAAA", "`x` is not 32 bytes"},
      {"padded d", std::string(kSeed), absl::StrCat(kSeed, "="), "`d` is not 32 bytes"},
      {"d is no string", absl::StrCat("\"", kSeed, "\""), "7", "`d` is not 32 bytes"},
      {"d of another key", "nWGx", "mWGx", "`x` does not belong to `d`"},
      {"x of another key", "11qY", "21qY", "`kid` is not the thumbprint"},
      {"other kid", std::string(kKid), "mine", "`kid` is not the thumbprint"},
  };
  for (const Row& row : rows) {
    const std::string text = absl::StrReplaceAll(GoodJwk(), {{row.from, row.to}});
    const absl::Status status = ParseJwk(text).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << row.name;
    EXPECT_THAT(std::string(status.message()), HasSubstr(row.reason)) << row.name;
    EXPECT_THAT(std::string(status.message()),
                Not(HasSubstr("WGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A")))
        << row.name << ": a message never holds a secret";
  }
  EXPECT_FALSE(ParseJwk("[]").ok());
  EXPECT_FALSE(ParseJwk("").ok());
}

}  // namespace
}  // namespace tipstaff::keys
