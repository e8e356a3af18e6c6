// Fixtures in JSON and CSV: what their rows are, and what is said of files that are wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "mediator/json/write.h"
#include "stubs/engine/csv_reader.h"
#include "stubs/engine/testing/small_stub.h"

namespace tipstaff::engine {
namespace {

using ::testing::HasSubstr;

constexpr char kColumns[] =
    "columns: {id: {type: string}, count: {type: integer}, share: {type: number}, open: {type: "
    "[boolean, 'null']}, level: {enum: [1, 2]}, note: {type: [string, 'null']}, loose: true}";

// A stub whose table has the fixture `file`; `columns` stands in the table.
std::shared_ptr<const Stub> WithFixture(const std::string& file, const std::string& content,
                                        const std::string& columns, std::string* text = nullptr) {
  const std::string yaml = absl::StrCat(R"(
stub: small
description: Rows.
tables:
  rows: {key: id)",
                                        columns.empty() ? "" : ", ", columns, R"(}
fixtures: {rows: fixtures/)",
                                        file, R"(}
tools:
  - {name: all, effect: read, input: {type: object}, select: {from: rows}}
)");
  return LoadSmallStub({{"stub.yaml", yaml}, {absl::StrCat("fixtures/", file), content}}, text);
}

std::string RowsOf(const std::string& file, const std::string& content,
                   const std::string& columns = "") {
  std::string text;
  const std::shared_ptr<const Stub> stub = WithFixture(file, content, columns, &text);
  if (stub == nullptr) return text;
  EXPECT_EQ(text, "");
  return json::Canonical(MakeState(stub)->Table("rows")->root());
}

TEST(CsvFixture, IsTextWithoutColumns) {
  EXPECT_EQ(RowsOf("r.csv", "id,count,open\na,1,true\nb,,\"\"\n"),
            R"([{"count":"1","id":"a","open":"true"},{"id":"b","open":""}])");
}

TEST(CsvFixture, IsTypedByTheColumns) {
  EXPECT_EQ(RowsOf("r.csv",
                   "id,count,share,open,level,note,loose\n"
                   "a,12,0.5,true,2,null,7\n"
                   "b,-3,1e2,null,1,\"null\",\n"
                   "c,\"4\",\"5\",\"false\",\"1\",true,\"x\"\n"
                   "007,1.0,-0,,,0x1F,null\n",
                   kColumns),
            R"([{"count":1,"id":"007","loose":"null","note":"0x1F","share":0},)"
            R"({"count":12,"id":"a","level":2,"loose":"7","note":null,"open":true,"share":0.5},)"
            R"({"count":-3,"id":"b","level":1,"note":"null","open":null,"share":100},)"
            R"({"count":4,"id":"c","level":1,"loose":"x","note":"true","open":false,"share":5}])");
}

TEST(CsvFixture, ReadsQuotesLineEndsAndSpaces) {
  EXPECT_EQ(RowsOf("r.csv", "id,note\r\n\r\n\"a\",\"x, \"\"y\"\"\nz\"\r\nb, spaced \r\nc,é"),
            "[{\"id\":\"a\",\"note\":\"x, \\\"y\\\"\\nz\"},{\"id\":\"b\",\"note\":\" spaced \"},"
            "{\"id\":\"c\",\"note\":\"é\"}]");
  EXPECT_EQ(RowsOf("r.csv", "id\n"), "[]") << "a header alone";
}

TEST(JsonFixture, IsStrictAndExact) {
  EXPECT_EQ(
      RowsOf("r.json", R"([{"id":"a","emoji":"\ud83d\ude00","x":{"y":[1,null]}},{"id":"b"}])"),
      "[{\"emoji\":\"😀\",\"id\":\"a\",\"x\":{\"y\":[1,null]}},{\"id\":\"b\"}]");
}

TEST(Fixture, SaysWhatIsWrongAndWhere) {
  const struct {
    const char* reason;
    const char* file;
    std::string content;
    const char* columns;
    const char* code;
    const char* words;
    const char* place;  // line and column, as far as they are told
  } kFiles[] = {
      {"an integer that is none", "r.csv", "id,count\na,1\nb,many\n", kColumns, "S012",
       "row `b` of `rows`, column `count`: expected an integer, found a string", "3:3"},
      {"an integer with a fraction", "r.csv", "id,count\na,1.5\n", kColumns, "S012",
       "expected an integer, found", "2:3"},
      {"an integer out of range", "r.csv", "id,count\na,99999999999999999999\n", kColumns, "S012",
       "expected an integer, found", "2:3"},
      {"a number with a space", "r.csv", "id,count\na, 1\n", kColumns, "S012",
       "expected an integer", "2:3"},
      {"an unknown column", "r.csv", "id,cuont\na,1\n", kColumns, "S020", "did you mean `count`?",
       "1:4"},
      {"another separator", "r.csv", "id;count\na;1\n", kColumns, "S020",
       "cells are separated by commas", "1:1"},
      {"too many cells", "r.csv", "id,note\na,b,c\n", "", "S020",
       "a row of 3 cells where the first line names 2 columns", "2:5"},
      {"too few cells", "r.csv", "id,note\na,b\nc\n", "", "S020", "a row of 1 cells", "3:1"},
      {"a column twice", "r.csv", "id,note,id\n", "", "S020", "a second column `id`", "1:9"},
      {"a column without a name", "r.csv", "id,,x\n", "", "S020", "without a name", "1:4"},
      {"no end of a quoted cell", "r.csv", "id,note\na,\"b\nc,d\n", "", "S020",
       "a quoted cell does not end", "2:3"},
      {"text after a quoted cell", "r.csv", "id,note\na,\"b\"c\n", "", "S020",
       "goes on after its closing quote", "2:6"},
      {"a quote inside", "r.csv", "id,note\na,é\"b\"\n", "", "S020",
       "a quote inside a cell that does not begin with one", "2:4"},
      {"old line ends", "r.csv", "id,note\ra,b\r", "", "S020", "carriage return without", "1:8"},
      {"an empty file", "r.csv", "", "", "S020", "the file is empty", "1:1"},
      {"nothing but empty lines", "r.csv", "\n\r\n", "", "S020", "the file is empty", "1:1"},
      {"a byte order mark", "r.csv", "\xef\xbb\xbfid\n", "", "S020", "byte order mark", "1:1"},
      {"NUL", "r.csv", std::string("id\na\0b\n", 7), "", "S020", "a NUL character", "2:2"},
      {"another encoding", "r.csv", "id\nk\xe4se\n", "", "S020", "not UTF-8", "2:2"},
      {"no key", "r.csv", "note\nx\n", "", "S012", "key column `id`", "2:1"},
      {"an empty key", "r.csv", "id,note\n\"\",x\n", "", "S012", "an empty text", "2:1"},
      {"a key twice", "r.csv", "id\na\na\n", "", "S006", "a second row `a`", "3:1"},
      {"JSON that goes on", "r.json", "[{\"id\":\"a\"},\n {\"id\":\"b\"},\n]", "", "S020",
       "a value is due", "3:1"},
      {"a key twice in JSON", "r.json", "[{\"id\":\"a\",\n\"id\":\"b\"}]", "", "S020",
       "a key twice", "2:"},
      {"a row that does not fit", "r.json", "[{\"id\":\"a\"},\n {\"id\":\"b\", \"count\": \"x\"}]",
       kColumns, "S012", "column `count`: expected an integer", "2:22"},
      {"a row that is none", "r.json", "[{\"id\":\"a\"},\n 7]", "", "S012", "must be an object",
       "2:2"},
      {"an object", "r.json", "{\"rows\": []}", "", "S003", "a sequence", "1:1"},
      {"a row twice", "r.json", "[{\"id\":\"a\"},\n {\"x\": [\"]\\\"\"], \"id\":\"a\"}]", "",
       "S006", "a second row `a`", "2:22"},
      {"another kind of file", "r.txt", "id\na\n", "", "S001", "ends in .yaml, .yml, .json or .csv",
       "6:18"},
  };
  for (const auto& c : kFiles) {
    std::string text;
    EXPECT_EQ(WithFixture(c.file, c.content, c.columns, &text), nullptr) << c.reason;
    EXPECT_THAT(text, HasSubstr(absl::StrCat("error[", c.code, "]"))) << c.reason;
    EXPECT_THAT(text, HasSubstr(c.words)) << c.reason;
    const char* file = c.code == std::string("S001") ? "stub.yaml" : c.file;
    EXPECT_THAT(text, HasSubstr(absl::StrCat(file, ":", c.place))) << c.reason;
  }
}

TEST(Fixture, DoesNotRepeatItselfForEveryRow) {
  std::string content = "id,count\n", text;
  for (int i = 0; i < 1000; ++i) absl::StrAppend(&content, "r", i, ",x\n");
  EXPECT_EQ(WithFixture("r.csv", content, kColumns, &text), nullptr);
  size_t errors = 0;
  for (size_t at = text.find("error[S012]"); at != std::string::npos;
       at = text.find("error[S012]", at + 1)) {
    ++errors;
  }
  EXPECT_EQ(errors, 20u);
}

TEST(CsvReader, SaysWhereCellsStand) {
  CsvReader reader("a,\"b\"\"c\"\n\nd,\n");
  auto record = reader.Next();
  ASSERT_TRUE(record.has_value());
  ASSERT_EQ(record->size(), 2u);
  EXPECT_EQ((*record)[1].text, "b\"c");
  EXPECT_TRUE((*record)[1].quoted);
  EXPECT_EQ((*record)[1].begin, 2u);
  EXPECT_EQ((*record)[1].end, 8u);
  record = reader.Next();
  ASSERT_TRUE(record.has_value());
  ASSERT_EQ(record->size(), 2u);
  EXPECT_EQ((*record)[1].text, "");
  EXPECT_FALSE((*record)[1].quoted);
  EXPECT_FALSE(reader.Next().has_value());
  EXPECT_FALSE(reader.problem().has_value());
}

}  // namespace
}  // namespace tipstaff::engine
