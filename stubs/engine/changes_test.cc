#include "stubs/engine/changes.h"

#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "mediator/base/digest.h"
#include "mediator/json/parse.h"

namespace tipstaff::engine {
namespace {

std::string DigestHex(absl::string_view bytes) { return base::ToHex(base::DigestOf(bytes)); }

TEST(Changes, NothingIsNoText) {
  EXPECT_EQ(ChangesInFull({}), "");
  EXPECT_EQ(ChangesForRecord({}), "");
}

TEST(Changes, GroupsByTableAndKeepsTheOrderWithin) {
  const std::vector<Change> changes = {
      {"b", "2", "insert", json::MustParse(R"({"id":"2","a":[1]})")},
      {"a", "x\"", "delete", {}},
      {"b", "1", "update", json::MustParse(R"({"id":"1"})")}};
  const std::string text =
      R"({"a":[{"key":"x\"","op":"delete"}],"b":[{"key":"2","op":"insert","row":)"
      R"({"a":[1],"id":"2"}},{"key":"1","op":"update","row":{"id":"1"}}]})";
  EXPECT_EQ(ChangesInFull(changes), text);
  EXPECT_EQ(ChangesForRecord(changes), text);
}

TEST(Changes, LongColumnsStandAsDigestsInARecord) {
  const std::string just(128, 'j'), over(129, 'o'), list = "[\"" + std::string(125, 'l') + "\"]";
  const json::Document row = json::MustParse(absl::StrCat(
      R"({"over":")", over, R"(","just":")", just, R"(","list":)", list, R"(,"id":"1"})"));
  const std::vector<Change> changes = {{"t", "1", "insert", row}};
  EXPECT_EQ(
      ChangesForRecord(changes),
      absl::StrCat(R"({"t":[{"key":"1","long":{"list":{"digest":")", DigestHex(list),
                   R"(","size":129},"over":{"digest":")", DigestHex(over),
                   R"(","size":129}},"op":"insert","row":{"id":"1","just":")", just, R"("}}]})"));
  EXPECT_NE(ChangesInFull(changes).find(over), std::string::npos);
}

}  // namespace
}  // namespace tipstaff::engine
