#include "mediator/json/pointer.h"

#include <gtest/gtest.h>

#include "mediator/json/parse.h"
#include "mediator/json/write.h"

namespace tipstaff::json {
namespace {

// The document and the rows of RFC 6901, section 5, and what leads nowhere.
TEST(ValueAt, FollowsThePointer) {
  const Document document = MustParse(
      R"({"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3," ":7,"m~n":8,"deep":{"x":[{"y":9}]}})");
  const struct {
    const char* pointer;
    const char* value;  // null: nothing is there
  } kRows[] = {{"/foo", R"(["bar","baz"])"},
               {"/foo/0", R"("bar")"},
               {"/", "0"},
               {"/a~1b", "1"},
               {"/c%d", "2"},
               {"/e^f", "3"},
               {"/ ", "7"},
               {"/m~0n", "8"},
               {"/deep/x/0/y", "9"},
               {"/foo/2", nullptr},
               {"/foo/00", nullptr},
               {"/foo/-", nullptr},
               {"/foo/+0", nullptr},
               {"/foo/0/x", nullptr},
               {"/no", nullptr},
               {"foo", nullptr},
               {"/foo/", nullptr}};
  for (const auto& row : kRows) {
    const Value value = ValueAt(document.root(), row.pointer);
    ASSERT_EQ(value.exists(), row.value != nullptr) << row.pointer;
    if (!value.exists()) continue;
    EXPECT_EQ(Dump(value), row.value) << row.pointer;
  }
  EXPECT_TRUE(Equal(ValueAt(document.root(), ""), document.root()));
}

}  // namespace
}  // namespace tipstaff::json
