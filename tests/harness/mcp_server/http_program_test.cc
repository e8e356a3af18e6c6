// The program over HTTP, as a client sees its bytes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/streambuf.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "tests/harness/process.h"

namespace tipstaff::mcp_server {
namespace {

namespace http = boost::beast::http;
using boost::asio::ip::tcp;
using ::testing::AllOf;
using ::testing::HasSubstr;

struct Reply {
  int status = 0;
  std::string type, session, location, body;
};

class HttpServer {
 public:
  explicit HttpServer(std::vector<std::string> flags) {
    std::vector<std::string> command = {TIPSTAFF_BIN_DIR "/tipstaff-test-mcp-server", "--http",
                                        "127.0.0.1:0"};
    command.insert(command.end(), flags.begin(), flags.end());
    absl::StatusOr<harness::Process> process = harness::Process::Start(command);
    if (!process.ok()) return;
    process_.emplace(*std::move(process));
    const std::string line = process_->ReadLine(absl::Seconds(20)).value_or("");
    EXPECT_THAT(line, HasSubstr("listening on http://127.0.0.1:"));
    const std::vector<std::string> parts = absl::StrSplit(line, absl::ByAnyChar(":/"));
    EXPECT_TRUE(parts.size() > 4 && absl::SimpleAtoi(parts[4], &port_)) << line;
  }

  // Reads to the end of the response.
  Reply Post(absl::string_view body, const std::vector<std::string>& headers = {}) {
    boost::asio::io_context loop;
    tcp::socket socket(loop);
    socket.connect(
        tcp::endpoint(boost::asio::ip::address_v4::loopback(), static_cast<uint16_t>(port_)));
    std::string request = absl::StrCat(
        "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        "Accept: application/json, text/event-stream\r\nContent-Length: ",
        body.size(), "\r\n");
    for (const std::string& header : headers) absl::StrAppend(&request, header, "\r\n");
    absl::StrAppend(&request, "\r\n", body);
    boost::asio::write(socket, boost::asio::buffer(request));
    boost::beast::flat_buffer buffer;
    http::response_parser<http::string_body> parser;
    parser.body_limit(64 << 20);
    http::read(socket, buffer, parser);
    const auto& response = parser.get();
    return {static_cast<int>(response.result_int()), std::string(response["Content-Type"]),
            std::string(response["Mcp-Session-Id"]), std::string(response["Location"]),
            response.body()};
  }

 private:
  std::optional<harness::Process> process_;
  uint32_t port_ = 0;
};

std::string Request(absl::string_view method, absl::string_view params) {
  return absl::StrCat(R"({"jsonrpc":"2.0","id":1,"method":")", method, R"(","params":)", params,
                      "}");
}
std::vector<std::string> Headers(absl::string_view method, absl::string_view name) {
  return {"MCP-Protocol-Version: 2026-07-28", absl::StrCat("Mcp-Method: ", method),
          absl::StrCat("Mcp-Name: ", name)};
}
std::string Modern(absl::string_view more) {
  return absl::StrCat(R"({"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                      R"("io.modelcontextprotocol/clientCapabilities":{},"progressToken":5},)",
                      more, "}");
}

TEST(McpServerOverHttp, AnswersInJsonOrEvents) {
  HttpServer server({});
  const Reply json =
      server.Post(Request("tools/call", Modern(R"("name":"echo")")), Headers("tools/call", "echo"));
  EXPECT_EQ(json.status, 200);
  EXPECT_EQ(json.type, "application/json");
  EXPECT_THAT(json.body, HasSubstr(R"("id":1,"result")"));
  const std::string progress = "test_tool_with_progress";
  const Reply events =
      server.Post(Request("tools/call", Modern(absl::StrCat(R"("name":")", progress, "\""))),
                  Headers("tools/call", progress));
  EXPECT_EQ(events.type, "text/event-stream");
  EXPECT_THAT(events.body, AllOf(HasSubstr(R"("progressToken":5,"progress":100)"),
                                 HasSubstr(R"("id":1)"), HasSubstr("event: message\ndata: {")));
  HttpServer always({"--sse"});
  EXPECT_EQ(
      always.Post(Request("tools/call", Modern(R"("name":"echo")")), Headers("tools/call", "echo"))
          .type,
      "text/event-stream");
}

TEST(McpServerOverHttp, KeepsSessionsAndLosesThem) {
  HttpServer server({"--generation", "legacy", "--session-gone-after", "1"});
  const Reply opened =
      server.Post(Request("initialize", R"({"protocolVersion":"2025-11-25","capabilities":{}})"));
  EXPECT_EQ(opened.status, 200);
  ASSERT_NE(opened.session, "");
  const std::vector<std::string> session = {absl::StrCat("Mcp-Session-Id: ", opened.session)};
  EXPECT_EQ(
      server.Post(R"({"jsonrpc":"2.0","method":"notifications/initialized"})", session).status,
      202);
  EXPECT_EQ(server.Post(Request("tools/list", "{}"), session).status, 200);
  EXPECT_EQ(server.Post(Request("tools/list", "{}"), session).status, 404);
}

TEST(McpServerOverHttp, RedirectsAndRefuses) {
  HttpServer redirects({"--redirect"});
  const Reply reply = redirects.Post(Request("initialize", "{}"));
  EXPECT_EQ(reply.status, 302);
  EXPECT_THAT(reply.location, HasSubstr("/elsewhere"));
  HttpServer server({"--generation", "modern"});
  EXPECT_EQ(server.Post("[]").status, 400);
  EXPECT_EQ(server.Post(Request("ping", Modern(R"("x":1)")), Headers("ping", "")).status, 404);
}

}  // namespace
}  // namespace tipstaff::mcp_server
