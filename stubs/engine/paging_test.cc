// Rows in pages.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "mediator/json/write.h"
#include "stubs/engine/cursor.h"
#include "stubs/engine/testing/small_stub.h"

namespace tipstaff::engine {
namespace {

using ::testing::HasSubstr;

constexpr char kYaml[] = R"(
stub: small
description: Pages.
tables: {things: {key: id}}
fixtures: {things: fixtures/things.csv}
tools:
  - name: list
    effect: read
    input: {type: object, properties: {owner: {type: string}, limit: {type: integer}, cursor: {type: [string, "null"]}}}
    select: {from: things, where: {owner: $args.owner}, order: -rank, page: {size: $args.limit, cursor: $args.cursor, total: true}}
  - name: plain
    effect: read
    input: {type: object, properties: {cursor: {}}}
    select: {from: things, page: {size: 2, cursor: $args.cursor}}
  - name: add
    effect: write
    input: {type: object, properties: {id: {type: string}, rank: {type: string}}}
    insert: {into: things, row: {id: $args.id, rank: $args.rank}}
  - name: remove
    effect: write
    input: {type: object, properties: {id: {type: string}}}
    delete: {table: things, key: $args.id}
)";
// Ranks are the same for several rows, and one has none.
constexpr char kThings[] = "id,rank,owner\na,5,x\nb,3,y\nc,5,x\nd,1,x\ne,3,x\nf,,x\ng,5,y\n";

class Paging : public ::testing::Test {
 protected:
  json::Document Page(const std::string& tool, const std::string& arguments) {
    const Reply reply = state_->Call(++number_, tool, json::MustParse(arguments));
    EXPECT_EQ(reply.kind, call::OutcomeKind::kOk) << reply.error << ": " << reply.message;
    return reply.value;
  }
  static std::string IdsOf(const json::Document& page) {
    std::string ids;
    for (json::Value row : page.root().Find("things").items()) {
      absl::StrAppend(&ids, row.StringOr("id", ""));
    }
    return ids;
  }
  static std::string With(int limit, absl::string_view cursor, absl::string_view more = "") {
    return absl::StrCat(R"({"limit":)", limit, R"(,"cursor":")", cursor, "\"", more, "}");
  }

  const std::shared_ptr<const Stub> stub_ =
      LoadSmallStub({{"stub.yaml", kYaml}, {"fixtures/things.csv", kThings}});
  std::unique_ptr<State> state_ = MakeState(stub_);
  uint64_t number_ = 0;
};

TEST_F(Paging, GoesThroughAllRowsOnce) {
  for (int limit = 1; limit <= 8; ++limit) {
    std::string ids, cursor;
    json::Document page = Page("list", absl::StrCat(R"({"limit":)", limit, "}"));
    for (int pages = 1;; ++pages) {
      ids += IdsOf(page);
      EXPECT_EQ(page.root().IntegerOr("total", 0), 7);
      cursor = std::string(page.root().StringOr("next_cursor", ""));
      if (cursor.empty()) break;
      ASSERT_LT(pages, 8);
      page = Page("list", With(limit, cursor));
    }
    EXPECT_EQ(ids, "acgbedf") << limit;
  }
}

TEST_F(Paging, HoldsToTheConditionsAndTheDefaults) {
  const json::Document page = Page("list", R"({"owner":"x","limit":3,"cursor":null})");
  EXPECT_EQ(IdsOf(page), "ace");
  EXPECT_EQ(page.root().IntegerOr("total", 0), 5);
  const std::string cursor(page.root().StringOr("next_cursor", ""));
  EXPECT_EQ(IdsOf(Page("list", With(3, cursor, R"(,"owner":"x")"))), "df");
  EXPECT_EQ(IdsOf(Page("list", "{}")), "acgbedf") << "a page has 50 rows where nothing says more";
  EXPECT_FALSE(Page("plain", "{}").root().Find("total").exists());
}

TEST_F(Paging, RowsThatComeAndGoNeitherRepeatNorSkipOthers) {
  const json::Document page = Page("list", R"({"limit":3})");
  EXPECT_EQ(IdsOf(page), "acg");
  const std::string cursor(page.root().StringOr("next_cursor", ""));
  Page("remove", R"({"id":"g"})");  // the row that the cursor is of
  Page("remove", R"({"id":"a"})");
  Page("add", R"({"id":"aa","rank":"9"})");  // before the cursor
  Page("add", R"({"id":"bb","rank":"3"})");  // after it, among equals
  EXPECT_EQ(IdsOf(Page("list", With(9, cursor))), "bbbedf");
}

TEST_F(Paging, TheOrderWithoutOneIsTheKeys) {
  json::Document page = Page("plain", "{}");
  EXPECT_EQ(IdsOf(page), "ab");
  page =
      Page("plain", absl::StrCat(R"({"cursor":")", page.root().StringOr("next_cursor", ""), "\"}"));
  EXPECT_EQ(IdsOf(page), "cd");
}

TEST_F(Paging, RefusesACursorThatItDidNotGive) {
  const std::string good(Page("list", R"({"limit":2})").root().StringOr("next_cursor", ""));
  const std::string other(Page("plain", "{}").root().StringOr("next_cursor", ""));
  std::string changed = good;
  changed[3] = changed[3] == 'A' ? 'B' : 'A';
  for (const std::string& cursor :
       {std::string(), std::string("x"), changed, good + "AAAA", good.substr(4), other,
        std::string(5000, 'A'), std::string("!?")}) {
    const Reply reply = state_->Call(++number_, "list", json::MustParse(With(2, cursor)));
    EXPECT_EQ(reply.kind, call::OutcomeKind::kToolError) << cursor;
    EXPECT_EQ(reply.error, "invalid_cursor") << cursor;
    EXPECT_THAT(reply.message, HasSubstr("begin again without one"));
  }
  EXPECT_EQ(state_->Call(++number_, "plain", json::MustParse(R"({"cursor":7})")).error,
            "invalid_cursor");
}

TEST_F(Paging, ASizeThatIsNoneIsTheStubsMistake) {
  const Reply reply = state_->Call(1, "list", json::MustParse(R"({"limit":0})"));
  EXPECT_EQ(reply.kind, call::OutcomeKind::kStubError);
  EXPECT_THAT(reply.message, HasSubstr("`size` is not a number of rows"));
}

TEST(CursorText, GivesBackKeyAndCell) {
  const json::Document cell = json::MustParse(R"([1,{"x":"é"}])");
  for (const json::Value value : {json::Value(), cell.root()}) {
    const auto cursor = DecodeCursor("t", EncodeCursor("t", "k\"1", value));
    ASSERT_TRUE(cursor.has_value());
    EXPECT_EQ(cursor->key, "k\"1");
    EXPECT_EQ(cursor->cell().exists(), value.exists());
  }
  EXPECT_FALSE(DecodeCursor("u", EncodeCursor("t", "k", {})).has_value());
}

TEST(Page, IsCheckedWhenTheStubIsLoaded) {
  const struct {
    absl::string_view from, to;
    const char* code;
    const char* words;
  } kMistakes[] = {
      {"size: 2,", "size: 0,", "S005", "`size` must be an integer from 1"},
      {"cursor: $args.cursor}}", "cursor: $args.curser}}", "S008", "did you mean `cursor`?"},
      {"page: {size: 2, cursor: $args.cursor}", "page: {size: 2}", "S004", "`cursor`"},
      {"page: {size: 2, cursor: $args.cursor}", "page: {cursor: x}", "S005",
       "must refer to an argument"},
      {"page: {size: 2,", "limit: 3, page: {size: 2,", "S010", "both `page` and `limit`"},
      {"page: {size: 2,", "one: true, page: {size: 2,", "S010", "both `page` and `one`"},
      {"page: {size: 2,", "as: next_cursor, page: {size: 2,", "S010", "another member of a page"},
      {"total: true", "total: 1", "S003", "true or false"},
      {"total: true", "totals: true", "S002", "did you mean `total`?"},
  };
  for (const auto& c : kMistakes) {
    std::string text;
    ASSERT_THAT(kYaml, HasSubstr(std::string(c.from)));
    EXPECT_EQ(LoadSmallStub({{"stub.yaml", absl::StrReplaceAll(kYaml, {{c.from, c.to}})},
                             {"fixtures/things.csv", kThings}},
                            &text),
              nullptr)
        << c.to;
    EXPECT_THAT(text, HasSubstr(absl::StrCat("error[", c.code, "]"))) << c.to;
    EXPECT_THAT(text, HasSubstr(c.words)) << c.to;
  }
}

}  // namespace
}  // namespace tipstaff::engine
