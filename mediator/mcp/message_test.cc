#include "mediator/mcp/message.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tipstaff::mcp {
namespace {

using ::testing::HasSubstr;

TEST(ReadMessage, RefusesWhatIsNotOne) {
  struct Case {
    const char* reason;
    std::string bytes;
    int code;
    const char* id;
    const char* message;
  };
  const Case kCases[] = {
      {"not JSON", "hello", kParseError, "", "parse error"},
      {"invalid UTF-8", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}", kParseError, "",
       "parse error"},
      {"two readers may differ", R"({"jsonrpc":"2.0","id":1,"id":2,"method":"ping"})", kParseError,
       "", "a key twice"},
      {"too deep", std::string(200000, '['), kParseError, "", "nested deeper"},
      {"a batch", R"([{"jsonrpc":"2.0","id":1,"method":"ping"}])", kInvalidRequest, "", "batches"},
      {"an empty batch", "[]", kInvalidRequest, "", "batches"},
      {"a scalar", "7", kInvalidRequest, "", "not an object but integer"},
      {"no version", R"({"id":1,"method":"ping"})", kInvalidRequest, "1", "jsonrpc"},
      {"version as a number", R"({"jsonrpc":2.0,"id":1,"method":"ping"})", kInvalidRequest, "1",
       "jsonrpc"},
      {"no method", R"({"jsonrpc":"2.0","id":"a"})", kInvalidRequest, R"("a")", "`method`"},
      {"method of another kind", R"({"jsonrpc":"2.0","id":1,"method":1})", kInvalidRequest, "1",
       "`method`"},
      {"id null", R"({"jsonrpc":"2.0","id":null,"method":"ping"})", kInvalidRequest, "", "`id`"},
      {"id with a fraction", R"({"jsonrpc":"2.0","id":1.5,"method":"ping"})", kInvalidRequest, "",
       "`id`"},
      {"id an object", R"({"jsonrpc":"2.0","id":{},"method":"ping"})", kInvalidRequest, "", "`id`"},
      {"params by position", R"({"jsonrpc":"2.0","id":1,"method":"ping","params":[]})",
       kInvalidParams, "1", "`params`"},
      {"params null", R"({"jsonrpc":"2.0","id":1,"method":"ping","params":null})", kInvalidParams,
       "1", "`params`"},
  };
  for (const Case& c : kCases) {
    const auto read = ReadMessage(c.bytes);
    const Invalid* invalid = std::get_if<Invalid>(&read);
    ASSERT_NE(invalid, nullptr) << c.reason;
    EXPECT_EQ(invalid->code, c.code) << c.reason;
    EXPECT_EQ(invalid->id, c.id) << c.reason;
    EXPECT_THAT(invalid->message, HasSubstr(c.message)) << c.reason;
  }
}

TEST(ReadMessage, TellsTheKinds) {
  struct Case {
    const char* reason;
    const char* bytes;
    Message::Kind kind;
    const char* id;
  };
  const Case kCases[] = {
      {"request", R"({"jsonrpc":"2.0","id":1,"method":"ping"})", Message::Kind::kRequest, "1"},
      {"an id is kept exactly", R"({"jsonrpc":"2.0","id":9007199254740993,"method":"ping"})",
       Message::Kind::kRequest, "9007199254740993"},
      {"largest id", R"({"jsonrpc":"2.0","id":18446744073709551615,"method":"ping"})",
       Message::Kind::kRequest, "18446744073709551615"},
      {"a string is another id than the number", R"({"jsonrpc":"2.0","id":"1","method":"ping"})",
       Message::Kind::kRequest, R"("1")"},
      {"empty id", R"({"jsonrpc":"2.0","id":"","method":"ping"})", Message::Kind::kRequest,
       R"("")"},
      {"notification", R"({"jsonrpc":"2.0","method":"notifications/initialized"})",
       Message::Kind::kNotification, ""},
      {"notification with bad params", R"({"jsonrpc":"2.0","method":"x","params":[1]})",
       Message::Kind::kNotification, ""},
      {"response", R"({"jsonrpc":"2.0","id":1,"result":{}})", Message::Kind::kResponse, "1"},
      {"error response", R"({"jsonrpc":"2.0","error":{"code":1,"message":""}})",
       Message::Kind::kResponse, ""},
  };
  for (const Case& c : kCases) {
    const auto read = ReadMessage(c.bytes);
    const Message* message = std::get_if<Message>(&read);
    ASSERT_NE(message, nullptr) << c.reason << ": " << std::get<Invalid>(read).message;
    EXPECT_EQ(message->kind, c.kind) << c.reason;
    EXPECT_EQ(message->id, c.id) << c.reason;
  }
}

TEST(WriteMessage, LeavesOutWhatIsNotThere) {
  EXPECT_EQ(ResultMessage("7", "{}"), R"({"jsonrpc":"2.0","id":7,"result":{}})");
  EXPECT_EQ(ErrorMessage("", kParseError, "bad\n"),
            R"({"jsonrpc":"2.0","error":{"code":-32700,"message":"bad\n"}})");
  EXPECT_EQ(ErrorMessage(R"("a")", kInvalidParams, "bad", R"({"x":1})"),
            R"({"jsonrpc":"2.0","id":"a","error":{"code":-32602,"message":"bad","data":{"x":1}}})");
  EXPECT_EQ(NotificationMessage("m", "{}"), R"({"jsonrpc":"2.0","method":"m","params":{}})");
}

}  // namespace
}  // namespace tipstaff::mcp
