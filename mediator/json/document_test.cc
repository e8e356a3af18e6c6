#include "mediator/json/document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mediator/json/builder.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"

namespace tipstaff::json {
namespace {

TEST(Document, LooksUpWhatIsThere) {
  const Document document = MustParse(R"({"a":{"b":[10,"x",null]},"t":true,"n":-5})");
  const Value root = document.root();
  EXPECT_EQ(root.size(), 3);
  EXPECT_EQ(root.Find("a").Find("b").At(0).integer(), 10);
  EXPECT_EQ(root.Find("a").Find("b").At(1).string(), "x");
  EXPECT_TRUE(root.Find("a").Find("b").At(2).is_null());
  EXPECT_FALSE(root.Find("a").Find("b").At(3).exists());
  EXPECT_FALSE(root.Find("absent").Find("b").exists());
  EXPECT_EQ(root.IntegerOr("n", 0), -5);
  EXPECT_EQ(root.IntegerOr("t", 7), 7);
  EXPECT_TRUE(root.BoolOr("t", false));
  EXPECT_EQ(root.StringOr("absent", "-"), "-");
}

TEST(Document, ValuesOutliveOneCopy) {
  Value value;
  Document copy;
  {
    const Document document = MustParse(R"(["kept"])");
    copy = document;
    value = document.root().At(0);
  }
  EXPECT_EQ(value.string(), "kept");
}

TEST(Equal, FollowsJsonSchema) {
  const auto equal = [](const char* a, const char* b) {
    const Document left = MustParse(a), right = MustParse(b);
    return Equal(left.root(), right.root());
  };
  EXPECT_TRUE(equal("1", "1.0"));
  EXPECT_TRUE(equal(R"({"a":1,"b":[{"c":2}]})", R"({"b":[{"c":2.0}],"a":1})"));
  EXPECT_FALSE(equal("[1,2]", "[2,1]"));
  EXPECT_FALSE(equal("1", "true"));
  EXPECT_FALSE(equal("0", "false"));
  EXPECT_FALSE(equal(R"("1")", "1"));
  EXPECT_FALSE(equal(R"({"a":1})", R"({"a":1,"b":2})"));
  EXPECT_FALSE(equal("18446744073709551615", "18446744073709551614"));
}

TEST(Canonical, SortsKeysAndEscapesLittle) {
  const Document document =
      MustParse(R"({ "b" : "\u00e9\/\n\u0001", "a" : [ ] , "\ud83d\ude00":{} })");
  EXPECT_EQ(Canonical(document.root()), "{\"a\":[],\"b\":\"é/\\n\\u0001\",\"😀\":{}}");
  EXPECT_EQ(Dump(document.root()), "{\"b\":\"é/\\n\\u0001\",\"a\":[],\"😀\":{}}");
  EXPECT_EQ(DumpIndented(MustParse(R"({"a":[1,{}]})").root()),
            "{\n  \"a\": [\n    1,\n    {}\n  ]\n}");
}

// Texts are looked through eight bytes at a time.
TEST(Quote, EscapesEachByteWhereverItStands) {
  for (int c = 0; c < 256; ++c) {
    const char byte = static_cast<char>(c);
    const std::string quoted = Quote(absl::string_view(&byte, 1));
    const std::string escaped = quoted.substr(1, quoted.size() - 2);
    EXPECT_EQ(escaped.size() > 1, c < 0x20 || c == '"' || c == '\\' || c >= 0x80) << c;
    if (c >= 0x80) {
      EXPECT_EQ(escaped, "\uFFFD") << c << " alone is no UTF-8";
    }
    for (size_t before = 0; before < 18; ++before) {
      for (const size_t after : {0, 1, 7, 8, 15}) {
        std::string head(before, 'h'), tail;
        for (size_t i = 0; i < after; ++i) tail += "é";
        EXPECT_EQ(Quote(head + byte + tail), '"' + head + escaped + tail + '"') << c;
      }
    }
  }
  EXPECT_EQ(Quote("\"\\\b\f\n\r\t\x01\x1f"), R"("\"\\\b\f\n\r\t\u0001\u001f")");
}

TEST(Builder, BuildsAndCopies) {
  const Document inner = MustParse(R"({"x":[1,{"y":null}]})");
  Builder b;
  b.StartObject().Field("n", 3).Field("big", UINT64_MAX).Field("in", inner.root());
  b.Key("list").StartArray().String("a").Double(0.5).Double(4.0).EndArray().EndObject();
  const absl::StatusOr<Document> document = std::move(b).Build();
  ASSERT_TRUE(document.ok()) << document.status();
  EXPECT_EQ(Dump(document->root()),
            R"({"n":3,"big":18446744073709551615,"in":{"x":[1,{"y":null}]},"list":["a",0.5,4]})");
}

TEST(Builder, ReportsMistakes) {
  EXPECT_FALSE(Builder().Build().ok()) << "nothing built";
  const auto fails = [](auto build) {
    Builder b;
    build(b);
    return !std::move(b).Build().ok();
  };
  EXPECT_TRUE(fails([](Builder& b) { b.StartObject().Field("a", 1).Field("a", 2).EndObject(); }));
  EXPECT_TRUE(fails([](Builder& b) { b.StartObject().Integer(1).EndObject(); }));
  EXPECT_TRUE(fails([](Builder& b) { b.StartArray().Key("a").Integer(1).EndArray(); }));
  EXPECT_TRUE(fails([](Builder& b) { b.StartArray(); }));
  EXPECT_TRUE(fails([](Builder& b) { b.StartArray().EndObject(); }));
  EXPECT_TRUE(fails([](Builder& b) { b.Integer(1).Integer(2); }));
  EXPECT_TRUE(fails([](Builder& b) { b.StartObject().Key("a").EndObject(); }));
  EXPECT_TRUE(fails([](Builder& b) { b.Double(1.0 / 0.0); }));
}

}  // namespace
}  // namespace tipstaff::json
