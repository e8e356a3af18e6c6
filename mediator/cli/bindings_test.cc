#include "mediator/cli/bindings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tipstaff::cli {
namespace {

using ::testing::HasSubstr;

TEST(Bindings, AreTextOrJson) {
  EXPECT_EQ(*BindingsJson({}), "{}");
  EXPECT_EQ(*BindingsJson({"b=1", "a:=[\"x\"]", "c=k=v", "d="}),
            R"({"a":["x"],"b":"1","c":"k=v","d":""})");
}

TEST(Bindings, MistakesNameTheOption) {
  const auto error = [](std::vector<std::string> options) {
    return std::string(BindingsJson(options).status().message());
  };
  EXPECT_THAT(error({"a"}), HasSubstr("`a`"));
  EXPECT_THAT(error({"=x"}), HasSubstr("name=text"));
  EXPECT_THAT(error({":=1"}), HasSubstr("name=text"));
  EXPECT_THAT(error({"a=1", "a:=2"}), HasSubstr("`a` twice"));
  EXPECT_THAT(error({"a:=[1"}), HasSubstr("`a` is not JSON"));
}

}  // namespace
}  // namespace tipstaff::cli
