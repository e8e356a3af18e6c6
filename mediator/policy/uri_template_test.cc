#include "mediator/policy/uri_template.h"

#include <gtest/gtest.h>

#include <string>

namespace tipstaff::policy::internal {
namespace {

TEST(ComesTo, WhatATemplateMayExpandTo) {
  const struct {
    const char* uri_template;
    const char* uri;
    bool comes;
  } kRows[] = {
      {"test://template/{id}/data", "test://template/123/data", true},
      {"test://template/{id}/data", "test://template/a%2Fb/data", true},
      {"test://template/{id}/data", "test://template/1/2/data", false},
      {"test://template/{id}/data", "test://template/1/data?x", false},
      {"test://template/{id}/data", "xtest://template/1/data", false},
      {"test://template/{id}/data", "test://template//data", true},
      {"file:///{+path}", "file:///a/b/c.txt", true},
      {"file:///{+path}", "file:///a\nb", false},
      {"db://{table}{?where,limit}", "db://rows?limit=3", true},
      {"db://{table}{?where,limit}", "db://rows", true},
      {"db://{table}{?where,limit}", "db://rows/other?limit=3", false},
      {"a://x{/rest*}", "a://x/1/2/3", true},
      {"a://x{.ext}", "a://x.json", true},
      {"a://x{#part}", "a://x#here", true},
      {"a.b://(x)+{id}", "a.b://(x)+7", true},
      {"a.b://(x)+{id}", "aXb://(x)+7", false},
      {"a://{id", "a://1", false},
      {"a://id}", "a://id", false},
      {"a://{}", "a://1", false},
      {"a://{{id}}", "a://1", false},
      {"", "", true},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(ComesTo(row.uri_template, row.uri), row.comes) << row.uri_template << " " << row.uri;
  }
  EXPECT_FALSE(ComesTo("a://{+x}", "a://" + std::string(9000, 'x')));
  EXPECT_FALSE(ComesTo(std::string(5000, 'x'), "x"));
}

}  // namespace
}  // namespace tipstaff::policy::internal
