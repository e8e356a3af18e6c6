#include "mediator/keys/token.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sodium.h>

#include <functional>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "mediator/keys/base64url.h"

namespace tipstaff::keys {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr absl::string_view kAudience = "tipstaff:test";
constexpr int64_t kNowSeconds = 1'767'225'600;
const absl::Time kNow = absl::FromUnixSeconds(kNowSeconds);

const PrivateKey& OurKey() {
  static const PrivateKey* const key = new PrivateKey(std::string(32, 'k'));
  return *key;
}

const PrivateKey& OtherKey() {
  static const PrivateKey* const key = new PrivateKey(std::string(32, 'o'));
  return *key;
}

// A token of a kind, and what is to be made of it.
template <typename Claims>
struct Sample;

template <>
struct Sample<RunClaims> {
  static constexpr char kType[] = "tipstaff-run+jwt";
  static constexpr char kRefused[] = "run token refused: ";
  static constexpr char kUnmintable[] = "cannot make a run token: ";
  static constexpr char kKeyClaim[] = "";
  static RunClaims Make() {
    return {std::string(kAudience), "run_aaaaaaaaaaaa", R"({"report":"R-1"})", "acme", kNow,
            kNow + absl::Hours(1),  "token-1"};
  }
};

template <>
struct Sample<SubmissionClaims> {
  static constexpr char kType[] = "tipstaff-submission+jwt";
  static constexpr char kRefused[] = "submission token refused: ";
  static constexpr char kUnmintable[] = "cannot make a submission token: ";
  static constexpr char kKeyClaim[] = R"("key":"5ub",)";
  static SubmissionClaims Make() {
    return {std::string(kAudience), "run_aaaaaaaaaaaa", R"({"report":"R-1"})", "acme", "5ub", kNow,
            kNow + absl::Hours(1),  "token-1"};
  }
};

template <typename Claims>
std::string HeaderOf() {
  return absl::StrCat(R"({"alg":"EdDSA","kid":")", Thumbprint(OurKey().public_key()),
                      R"(","typ":")", Sample<Claims>::kType, R"("})");
}

template <typename Claims>
std::string PayloadOf() {
  return absl::StrCat(R"({"aud":"tipstaff:test","exp":)", kNowSeconds + 3600, R"(,"iat":)",
                      kNowSeconds, R"(,"jti":"token-1",)", Sample<Claims>::kKeyClaim,
                      R"("run":"run_aaaaaaaaaaaa","scope":"{\"report\":\"R-1\"}",)",
                      R"("tenant":"acme"})");
}

template <typename Claims>
absl::StatusOr<Claims> VerifyAs(absl::string_view token, absl::Time now = kNow) {
  return VerifyToken<Claims>(token, kAudience, now, [](absl::string_view kid) -> const PublicKey* {
    return kid == Thumbprint(OurKey().public_key()) ? &OurKey().public_key() : nullptr;
  });
}

// A token with these contents, well signed.
std::string Signed(absl::string_view header, absl::string_view payload,
                   const PrivateKey& key = OurKey()) {
  const std::string text = absl::StrCat(Base64Url(header), ".", Base64Url(payload));
  const Signature signature = key.Sign(text);
  return absl::StrCat(
      text, ".", Base64Url({reinterpret_cast<const char*>(signature.data()), signature.size()}));
}

struct Bad {
  const char* name;
  std::string token;
  std::string reason;
};

// What holds for tokens of either kind.
template <typename Claims>
class SignedToken : public ::testing::Test {
 protected:
  static std::string Header() { return HeaderOf<Claims>(); }
  static std::string Payload() { return PayloadOf<Claims>(); }
  static std::string Good() { return Signed(Header(), Payload()); }
  static std::string WithHeader(absl::string_view from, absl::string_view to) {
    return Signed(absl::StrReplaceAll(Header(), {{from, to}}), Payload());
  }
  static std::string WithClaims(absl::string_view from, absl::string_view to) {
    return Signed(Header(), absl::StrReplaceAll(Payload(), {{from, to}}));
  }
  // The MAC that a verifier which obeys `alg` would check with the public key as the secret.
  static std::string WithHmac();
  // The last character of the signature, with a bit set that the bytes do not use.
  static std::string WithStrayBits();

  static std::vector<Bad> BadTexts();
  static std::vector<Bad> BadHeaders();
  static std::vector<Bad> BadClaims();
  static void ExpectRefused(const std::vector<Bad>& rows);
};

using Kinds = ::testing::Types<RunClaims, SubmissionClaims>;
TYPED_TEST_SUITE(SignedToken, Kinds);

template <typename Claims>
std::string SignedToken<Claims>::WithHmac() {
  const std::string header = absl::StrReplaceAll(Header(), {{R"("EdDSA")", R"("HS256")"}});
  const std::string text = absl::StrCat(Base64Url(header), ".", Base64Url(Payload()));
  unsigned char mac[crypto_auth_hmacsha256_BYTES];
  crypto_auth_hmacsha256(mac, reinterpret_cast<const unsigned char*>(text.data()), text.size(),
                         OurKey().public_key().data());
  return absl::StrCat(text, ".", Base64Url({reinterpret_cast<const char*>(mac), sizeof mac}));
}

template <typename Claims>
std::string SignedToken<Claims>::WithStrayBits() {
  std::string token = Good();
  static constexpr absl::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  token.back() = kAlphabet[kAlphabet.find(token.back()) + 1];  // 64 bytes leave four bits unused
  return token;
}

template <typename Claims>
std::vector<Bad> SignedToken<Claims>::BadTexts() {
  const std::vector<std::string> parts = absl::StrSplit(Good(), '.');
  return {
      {"empty", "", "it is empty"},
      {"variable in braces", "${TIPSTAFF_TOKEN}", "a variable's name was passed on"},
      {"variable", "$TIPSTAFF_TOKEN", "a variable's name was passed on"},
      {"5 KB", std::string(5000, 'A'), "more than 4096 bytes"},
      {"one part", "AAAA", "not exactly three parts"},
      {"two parts", absl::StrCat(parts[0], ".", parts[1]), "not exactly three parts"},
      {"five parts, as an encrypted one", absl::StrCat(Good(), ".AA.AA"),
       "not exactly three parts"},
      {"trailing dot", absl::StrCat(Good(), "."), "not exactly three parts"},
      {"trailing newline", absl::StrCat(Good(), "\n"), "signature is not canonical base64url"},
      {"leading space", absl::StrCat(" ", Good()), "header is not canonical base64url"},
      {"padding", absl::StrCat(Good(), "=="), "signature is not canonical base64url"},
      {"stray bits", WithStrayBits(), "signature is not canonical base64url"},
      {"no signature", absl::StrCat(parts[0], ".", parts[1], "."), "its signature is wrong"},
      {"signature cut", Good().substr(0, Good().size() - 2), "its signature is wrong"},
      {"empty header", absl::StrCat(".", parts[1], ".", parts[2]), "its header"},
      {"other claims under the signature",
       absl::StrCat(parts[0], ".",
                    Base64Url(absl::StrReplaceAll(Payload(), {{"aaaaaaaaaaaa", "bbbbbbbbbbbb"}})),
                    ".", parts[2]),
       "its signature is wrong"},
      {"a zero byte", absl::StrCat(Good(), std::string(1, '\0')),
       "signature is not canonical base64url"},
  };
}

template <typename Claims>
std::vector<Bad> SignedToken<Claims>::BadHeaders() {
  const std::string kid = Thumbprint(OurKey().public_key());
  const std::string type = Sample<Claims>::kType;
  const std::string not_of_type = absl::StrCat("it is not of type ", type);
  return {
      {"alg none", WithHeader("EdDSA", "none"), "algorithm is not EdDSA"},
      {"alg none without a signature",
       absl::StrCat(Base64Url(absl::StrReplaceAll(Header(), {{"EdDSA", "none"}})), ".",
                    Base64Url(Payload()), "."),
       "algorithm is not EdDSA"},
      {"HS256 with the public key", WithHmac(), "algorithm is not EdDSA"},
      {"alg in other letters", WithHeader("EdDSA", "eddsa"), "algorithm is not EdDSA"},
      {"alg is a list", WithHeader(R"("EdDSA")", R"(["EdDSA"])"), "algorithm is not EdDSA"},
      {"no alg", WithHeader(R"("alg":"EdDSA",)", ""), "algorithm is not EdDSA"},
      {"typ JWT", WithHeader(type, "JWT"), not_of_type},
      {"no typ", WithHeader(absl::StrCat(R"(,"typ":")", type, "\""), ""), not_of_type},
      {"typ in other letters", WithHeader("tipstaff", "Tipstaff"), not_of_type},
      {"typ with more", WithHeader(type, type + "x"), not_of_type},
      {"no kid", WithHeader(absl::StrCat(R"("kid":")", kid, R"(",)"), ""), "names no key"},
      {"unknown kid", WithHeader(kid, "other"), "not one of the mediator's"},
      {"kid with a path", WithHeader(kid, "../../dev/null"), "not one of the mediator's"},
      {"a key of its own", WithHeader(R"({"alg")", R"({"jwk":{},"alg")"), "is not canonical JSON"},
      {"crit", WithHeader(R"("kid")", R"("crit":["x"],"kid")"), "members other than"},
      {"alg twice", WithHeader(R"({"alg")", R"({"alg":"none","alg")"), "twice"},
      {"spaces", WithHeader(R"("alg":)", R"("alg": )"), "header is not canonical JSON"},
      {"escaped letters", WithHeader("EdDSA", "\\u0045dDSA"), "header is not canonical JSON"},
      {"trailing data", WithHeader("}", "} x"), "its header"},
      {"no object", Signed("[]", Payload()), "its header is no object"},
      {"no JSON", Signed("EdDSA", Payload()), "its header"},
      {"deep", Signed(std::string(1000, '['), Payload()), "its header"},
      {"another key", Signed(Header(), Payload(), OtherKey()), "its signature is wrong"},
  };
}

template <typename Claims>
std::vector<Bad> SignedToken<Claims>::BadClaims() {
  const std::string exp = absl::StrCat(R"("exp":)", kNowSeconds + 3600);
  const std::string iat = absl::StrCat(R"("iat":)", kNowSeconds);
  return {
      {"other audience", WithClaims("tipstaff:test", "tipstaff:other"),
       "it is for `tipstaff:other`"},
      {"audience in a list", WithClaims(R"("tipstaff:test")", R"(["tipstaff:test"])"),
       "`aud` is not a string"},
      {"no audience", WithClaims(R"("aud":"tipstaff:test",)", ""), "`aud` is missing"},
      {"no run", WithClaims(R"("run":"run_aaaaaaaaaaaa",)", ""), "`run` is missing"},
      {"empty run", WithClaims("run_aaaaaaaaaaaa", ""), "`run` is not a string, or empty"},
      {"no scope", WithClaims(R"("scope":"{\"report\":\"R-1\"}",)", ""), "`scope` is missing"},
      {"no jti", WithClaims(R"("jti":"token-1",)", ""), "`jti` is missing"},
      {"no exp", WithClaims(absl::StrCat(exp, ","), ""), "`exp` is missing"},
      {"no iat", WithClaims(absl::StrCat(iat, ","), ""), "`iat` is missing"},
      {"empty tenant", WithClaims("acme", ""), "`tenant` is not a string, or empty"},
      {"tenant null", WithClaims(R"("acme")", "null"), "`tenant` is not a string, or empty"},
      {"exp with a fraction", WithClaims(exp, exp + ".5"), "`exp` is not an integer"},
      {"exp as a float", WithClaims(exp, exp + ".0"), "not canonical JSON"},
      {"exp with an exponent", WithClaims(exp, R"("exp":1e12)"), "not canonical JSON"},
      {"exp as text", WithClaims(exp, R"("exp":"1767229200")"), "`exp` is not an integer"},
      {"exp negative", WithClaims(exp, R"("exp":-1)"), "`exp` is not an integer"},
      {"exp over int64", WithClaims(exp, R"("exp":18446744073709551615)"),
       "`exp` is not an integer"},
      {"exp over the year 9999", WithClaims(exp, R"("exp":253402300800)"),
       "`exp` is not an integer"},
      {"expired",
       Signed(Header(), absl::StrReplaceAll(
                            Payload(), {{exp, absl::StrCat(R"("exp":)", kNowSeconds)},
                                        {iat, absl::StrCat(R"("iat":)", kNowSeconds - 3600)}})),
       "it expired at 2026-01-01T00:00:00.000Z"},
      {"issued in 61 seconds", WithClaims(iat, absl::StrCat(R"("iat":)", kNowSeconds + 61)),
       "it is valid only from"},
      {"expires before it was issued", WithClaims(exp, absl::StrCat(R"("exp":)", kNowSeconds)),
       "expires before it was issued"},
      {"run twice", WithClaims(R"("run")", R"("run":"run_bbbbbbbbbbbb","run")"), "twice"},
      {"run twice, once escaped", WithClaims(R"("run")", R"("\u0072un":"run_bbbbbbbbbbbb","run")"),
       "twice"},
      {"unknown claim", WithClaims(R"("run")", R"("read_only":true,"run")"),
       "there is no claim `read_only`"},
      {"unknown claim in order", WithClaims(R"(,"tenant")", R"(,"sub":"x","tenant")"),
       "there is no claim `sub`"},
      {"spaces", WithClaims(R"("run":)", R"("run": )"), "not canonical JSON"},
      {"trailing data", WithClaims("\"acme\"}", "\"acme\"}{}"), "its payload"},
      {"no object", Signed(Header(), "null"), "its payload is no object"},
      {"no UTF-8", WithClaims("acme", "\xff"), "its payload"},
  };
}

template <typename Claims>
void SignedToken<Claims>::ExpectRefused(const std::vector<Bad>& rows) {
  ASSERT_TRUE(VerifyAs<Claims>(Good()).ok());
  for (const Bad& row : rows) {
    const absl::Status status = VerifyAs<Claims>(row.token).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kUnauthenticated) << row.name;
    EXPECT_THAT(std::string(status.message()), StartsWith(Sample<Claims>::kRefused)) << row.name;
    EXPECT_THAT(std::string(status.message()), HasSubstr(row.reason)) << row.name;
    if (row.token.size() > 20) {
      EXPECT_THAT(std::string(status.message()), Not(HasSubstr(row.token.substr(0, 20))))
          << row.name;
    }
  }
}

TYPED_TEST(SignedToken, HoldsWhatWasMinted) {
  const TypeParam made = Sample<TypeParam>::Make();
  const auto token = MintToken(made, OurKey());
  ASSERT_TRUE(token.ok()) << token.status();
  EXPECT_EQ(*token, TestFixture::Good()) << "the format, to the byte";
  const auto claims = VerifyAs<TypeParam>(*token);
  ASSERT_TRUE(claims.ok()) << claims.status();
  EXPECT_EQ(claims->audience, kAudience);
  EXPECT_EQ(claims->run, "run_aaaaaaaaaaaa");
  EXPECT_EQ(claims->scope, R"({"report":"R-1"})");
  EXPECT_EQ(claims->tenant, "acme");
  EXPECT_EQ(claims->issued, kNow);
  EXPECT_EQ(claims->expires, kNow + absl::Hours(1));
  EXPECT_EQ(claims->token_id, "token-1");

  TypeParam without = made;
  without.tenant = "";
  EXPECT_EQ(VerifyAs<TypeParam>(*MintToken(without, OurKey()))->tenant, "");
}

TEST(HoldsSubmissionToken, WhereverOneStands) {
  const auto submission = MintToken(Sample<SubmissionClaims>::Make(), OtherKey());
  const auto run = MintToken(Sample<RunClaims>::Make(), OurKey());
  ASSERT_TRUE(submission.ok() && run.ok());
  EXPECT_TRUE(HoldsSubmissionToken(*submission));
  EXPECT_TRUE(HoldsSubmissionToken(absl::StrCat(R"({"text":"it was )", *submission, R"(."})")));
  EXPECT_TRUE(HoldsSubmissionToken(absl::StrCat(*run, " and x", *submission)));
  EXPECT_FALSE(HoldsSubmissionToken(*run)) << "the guest's own";
  EXPECT_FALSE(HoldsSubmissionToken("eyJhbGciOiJFZERTQSIs"));
  EXPECT_FALSE(HoldsSubmissionToken(""));
}

TYPED_TEST(SignedToken, TimesCountToTheSecond) {
  const std::string token = TestFixture::Good();
  EXPECT_TRUE(VerifyAs<TypeParam>(token, kNow + absl::Seconds(3599.999)).ok());
  EXPECT_EQ(VerifyAs<TypeParam>(token, kNow + absl::Seconds(3600)).status().code(),
            absl::StatusCode::kUnauthenticated);
  EXPECT_TRUE(VerifyAs<TypeParam>(token, kNow - absl::Seconds(60)).ok())
      << "the leeway for clocks that differ";
  EXPECT_EQ(VerifyAs<TypeParam>(token, kNow - absl::Seconds(61)).status().code(),
            absl::StatusCode::kUnauthenticated);
}

TYPED_TEST(SignedToken, RefusesBadTexts) { this->ExpectRefused(TestFixture::BadTexts()); }
TYPED_TEST(SignedToken, RefusesBadHeaders) { this->ExpectRefused(TestFixture::BadHeaders()); }
TYPED_TEST(SignedToken, RefusesBadClaims) { this->ExpectRefused(TestFixture::BadClaims()); }

TYPED_TEST(SignedToken, EveryFlippedBitIsRefused) {
  const std::string good = TestFixture::Good();
  for (size_t i = 0; i < good.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string token = good;
      token[i] ^= 1 << bit;
      EXPECT_EQ(VerifyAs<TypeParam>(token).status().code(), absl::StatusCode::kUnauthenticated)
          << i << " " << bit;
    }
  }
}

TYPED_TEST(SignedToken, IsNotMintedWhenItWouldBeRefused) {
  struct Row {
    const char* name;
    std::function<void(TypeParam&)> change;
    const char* reason;
  };
  const Row rows[] = {
      {"no audience", [](TypeParam& c) { c.audience = ""; }, "`aud`"},
      {"no run", [](TypeParam& c) { c.run = ""; }, "`run`"},
      {"no scope", [](TypeParam& c) { c.scope = ""; }, "`scope`"},
      {"no token id", [](TypeParam& c) { c.token_id = ""; }, "`jti`"},
      {"no UTF-8", [](TypeParam& c) { c.tenant = "\xff"; }, "UTF-8"},
      {"no life", [](TypeParam& c) { c.expires = c.issued; }, "expires before it was issued"},
      {"for ever", [](TypeParam& c) { c.expires = absl::InfiniteFuture(); }, "`exp`"},
      {"large scope", [](TypeParam& c) { c.scope = std::string(3000, 's'); },
       "the report scope is too large"},
  };
  for (const Row& row : rows) {
    TypeParam claims = Sample<TypeParam>::Make();
    row.change(claims);
    const absl::Status status = MintToken(claims, OurKey()).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << row.name;
    EXPECT_THAT(std::string(status.message()), StartsWith(Sample<TypeParam>::kUnmintable))
        << row.name;
    EXPECT_THAT(std::string(status.message()), HasSubstr(row.reason)) << row.name;
  }
  TypeParam large = Sample<TypeParam>::Make();
  large.scope = std::string(2500, 's');
  EXPECT_TRUE(MintToken(large, OurKey()).ok()) << "what the header promises";
}

TEST(SubmissionToken, HasTheSubmissionsKey) {
  const std::string payload = PayloadOf<SubmissionClaims>();
  const auto claims = VerifyAs<SubmissionClaims>(Signed(HeaderOf<SubmissionClaims>(), payload));
  ASSERT_TRUE(claims.ok()) << claims.status();
  EXPECT_EQ(claims->key, "5ub");

  SubmissionClaims without = Sample<SubmissionClaims>::Make();
  without.key = "";
  EXPECT_THAT(std::string(MintToken(without, OurKey()).status().message()), HasSubstr("`key`"));
  struct Row {
    const char* name;
    const char* claim;
    const char* reason;
  };
  for (const Row& row : {Row{"none", "", "`key` is missing"},
                         Row{"empty", R"("key":"",)", "`key` is not a string, or empty"},
                         Row{"a number", R"("key":5,)", "`key` is not a string, or empty"},
                         Row{"twice", R"("key":"5ub","key":"0ther",)", "twice"}}) {
    const absl::Status status =
        VerifyAs<SubmissionClaims>(
            Signed(HeaderOf<SubmissionClaims>(),
                   absl::StrReplaceAll(payload, {{R"("key":"5ub",)", row.claim}})))
            .status();
    EXPECT_EQ(status.code(), absl::StatusCode::kUnauthenticated) << row.name;
    EXPECT_THAT(std::string(status.message()), HasSubstr(row.reason)) << row.name;
  }
}

// With the same key, audience, run and time.
TEST(TokenKinds, AreNotTakenForEachOther) {
  const std::string of_run = *MintToken(Sample<RunClaims>::Make(), OurKey());
  const std::string of_submission = *MintToken(Sample<SubmissionClaims>::Make(), OurKey());
  const auto refusal = [](const auto& claims) {
    EXPECT_EQ(claims.status().code(), absl::StatusCode::kUnauthenticated);
    return std::string(claims.status().message());
  };
  EXPECT_EQ(refusal(VerifyAs<SubmissionClaims>(of_run)),
            "submission token refused: it is not of type tipstaff-submission+jwt");
  EXPECT_EQ(refusal(VerifyAs<RunClaims>(of_submission)),
            "run token refused: it is not of type tipstaff-run+jwt");
  // Even where a holder of the key gave one the other's type.
  EXPECT_EQ(refusal(VerifyAs<SubmissionClaims>(
                Signed(HeaderOf<SubmissionClaims>(), PayloadOf<RunClaims>()))),
            "submission token refused: the claim `key` is missing");
  EXPECT_EQ(
      refusal(VerifyAs<RunClaims>(Signed(HeaderOf<RunClaims>(), PayloadOf<SubmissionClaims>()))),
      "run token refused: there is no claim `key`");
}

}  // namespace
}  // namespace tipstaff::keys
