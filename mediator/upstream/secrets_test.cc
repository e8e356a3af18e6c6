#include "mediator/upstream/secrets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "mediator/json/parse.h"

namespace tipstaff::upstream {
namespace {

using ::testing::HasSubstr;

constexpr char kSecret[] = "s3cr\"et/Value\\9";

TEST(Secrets, AreSeenInEachForm) {
  const Secrets secrets({absl::StrCat("Bearer ", kSecret)});
  for (const std::string& text :
       {absl::StrCat("x", kSecret, "y"), std::string(R"({"a":"s3cr\"et/Value\\9"})"),
        std::string(R"({"a":"s3cr\"et\/Value\\9"})"),
        absl::Base64Escape(absl::StrCat("user:", kSecret)),
        absl::Base64Escape(absl::StrCat("users:", kSecret, "!")),
        absl::WebSafeBase64Escape(absl::StrCat("a", kSecret))}) {
    EXPECT_TRUE(secrets.AreIn(text)) << text;
    EXPECT_FALSE(secrets.AreIn(secrets.Mask(text))) << secrets.Mask(text);
    EXPECT_THAT(secrets.Mask(text), HasSubstr("[secret]")) << text;
  }
  EXPECT_FALSE(secrets.AreIn("s3cr"));
  EXPECT_FALSE(secrets.AreIn("Bearer"));
  EXPECT_EQ(secrets.Mask("nothing of it"), "nothing of it");
}

TEST(Secrets, AreSeenHoweverJsonWritesThem) {
  const Secrets secrets({"hunter2"});
  for (const char* json : {R"({"a":["\u0068unter2"]})", R"({"x\u0068unter2":1})",
                           R"([[{"a":{"b":"hunte\u0072\u0032"}}]])", R"("aHVudGVyMg==")"}) {
    EXPECT_TRUE(secrets.AreIn(json::MustParse(json).root())) << json;
  }
  EXPECT_FALSE(secrets.AreIn(json::MustParse(R"({"a":["hunter",2]})").root()));
}

TEST(Secrets, AreNotWhatIsTooShort) {
  const Secrets secrets({"1", "debug", ""});
  EXPECT_FALSE(secrets.AreIn("debug 1"));
  EXPECT_EQ(secrets.longest(), 0u);
  EXPECT_TRUE(Secrets({"sixsix"}).AreIn("a sixsix b"));
}

}  // namespace
}  // namespace tipstaff::upstream
