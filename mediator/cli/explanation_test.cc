#include "mediator/cli/explanation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "mediator/json/builder.h"
#include "mediator/json/write.h"
#include "mediator/policy/testing/laborious_text.h"
#include "mediator/policy/testing/skill_text.h"

namespace tipstaff::cli {
namespace {

constexpr char kPlanted[] = "TIPSTAFF-canary-7f3a91";

class PlantedTextTest : public testing::Test {
 protected:
  policy::Trace Trace(absl::string_view arguments) {
    return policy::Explain(*grant_, {}, policy::CallOf("mail.send_message", arguments));
  }
  std::string Why(absl::string_view arguments) { return RenderTrace(*grant_, Trace(arguments)); }

  const policy::FakeCatalog catalog_;
  source::Diagnostics diagnostics_;
  const std::vector<std::string> planted_ = {kPlanted};
  const std::shared_ptr<const policy::Grant> grant_ =
      policy::Grant::Make({policy::MustLoad(R"(skill: a
backends: {mail: {stub: mailbox}}
permissions:
  - {id: send, tool: mail.send_message, unscoped: A test., args: {body: {}, to: {optional: true}}}
finalize: none
)",
                                            catalog_)},
                          json::MustParse("{}"), catalog_, diagnostics_, planted_);
};

TEST_F(PlantedTextTest, IsSaidHoweverItWasWritten) {
  const struct {
    std::string arguments;
    const char* says;
    const char* why;
  } kRows[] = {
      {absl::StrCat(R"({"body":")", kPlanted, "\"}"),
       "note: the arguments carry planted text 1, as it is, at `/body`: no permission matters\n",
       "as it is"},
      {absl::StrCat(R"({"body":")", absl::Base64Escape(kPlanted), "\"}"),
       "note: the arguments carry planted text 1, in base64, at `/body`: no permission matters\n",
       "encoded"},
      {R"({"body":"TIPSTAFF-canary","to":"7f3a91"})",
       "note: the arguments carry planted text 1, as it is: no permission matters\n",
       "over several values"},
  };
  for (const auto& row : kRows) {
    EXPECT_THAT(Why(row.arguments), testing::StartsWith(row.says)) << row.why;
    EXPECT_THAT(Why(row.arguments), testing::HasSubstr("`send` of `a` permits it")) << row.why;
    EXPECT_TRUE(SawPlanted(Trace(row.arguments).decision)) << row.why;
  }
  EXPECT_EQ(Why(R"({"body":"hello"})"), "note: `send` of `a` permits it\n");
  EXPECT_FALSE(SawPlanted(Trace(R"({"body":"hello"})").decision));
}

TEST_F(PlantedTextTest, MayBeInMoreThanCanBeLookedThrough) {
  json::Builder builder;
  builder.StartObject().Field("body", policy::LaboriousText()).EndObject();
  const std::string arguments = json::Dump((*std::move(builder).Build()).root());
  const policy::Trace trace = Trace(arguments);
  ASSERT_EQ(trace.decision.reason, call::Reason::kArgumentRefused);
  EXPECT_THAT(RenderTrace(*grant_, trace),
              testing::StartsWith("note: the arguments hold more than can be looked through for a "
                                  "planted text, at `/body`: no permission matters\n"));
}

}  // namespace
}  // namespace tipstaff::cli
