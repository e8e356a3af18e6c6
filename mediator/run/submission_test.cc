#include "mediator/run/submission.h"

#include <gtest/gtest.h>

#include "mediator/json/parse.h"
#include "mediator/json/write.h"

namespace tipstaff::run {
namespace {

TEST(SubmissionKey, IsTheSameForTheSameCallAndForNoOther) {
  const std::string key = SubmissionKey("run_a", 7, "digest tool");
  // As it is today: a mediator of a later version delivers again under the same key.
  EXPECT_EQ(key, "c4d0f058c49505fbea03da9ad26f9330aca7f8b6c80af53708c4921f67ea2ede");
  EXPECT_NE(key, SubmissionKey("run_b", 7, "digest tool")) << "another run";
  EXPECT_NE(key, SubmissionKey("run_a", 8, "digest tool")) << "another try";
  EXPECT_NE(key, SubmissionKey("run_a", 7, "digesu tool")) << "another content";
}

TEST(WithKey, PutsTheKeyWhereTheReceiverLooksForIt) {
  struct Row {
    const char* name;
    const char* arguments;
    const char* with;
  };
  for (const Row& row :
       {Row{"beside the rest", R"({"id":"r1","z":[1,{"a":null}]})",
            R"({"id":"r1","key":"k","z":[1,{"a":null}]})"},
        Row{"alone", "{}", R"({"key":"k"})"},
        Row{"in place of a guest's own", R"({"key":"forged"})", R"({"key":"k"})"},
        Row{"not deeper down", R"({"a":{"key":1}})", R"({"a":{"key":1},"key":"k"})"}}) {
    SCOPED_TRACE(row.name);
    EXPECT_EQ(json::Canonical(WithKey(json::MustParse(row.arguments), "key", "k").root()),
              row.with);
  }
}

TEST(WithKey, TakesArgumentsOfAnyDepth) {
  std::string deep = "1";
  for (int i = 0; i < json::kMaxDepth - 1; ++i) deep = "[" + deep + "]";
  const json::Document arguments = json::MustParse(R"({"a":)" + deep + "}");
  EXPECT_EQ(json::Canonical(WithKey(arguments, "k", "v").root()),
            R"({"a":)" + deep + R"(,"k":"v"})");
}

}  // namespace
}  // namespace tipstaff::run
