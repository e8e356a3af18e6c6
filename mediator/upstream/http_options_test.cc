#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mediator/upstream/http_transport.h"
#include "mediator/upstream/http_url.h"

namespace tipstaff::upstream {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(CheckUrl, TakesHttpsAndHttpOfThisMachine) {
  for (const char* good :
       {"https://mcp.example/mcp", "https://mcp.example:8443/a/b?c=d", "https://[2001:db8::1]/mcp",
        "http://127.0.0.1:8080/mcp", "http://127.8.9.1/", "http://localhost:1/mcp",
        "http://LOCALHOST/mcp", "http://[::1]:8080/mcp"}) {
    EXPECT_TRUE(CheckUrl(good).ok()) << CheckUrl(good);
  }
  EXPECT_TRUE(IsPlainHttp("http://[::1]/"));
  EXPECT_FALSE(IsPlainHttp("https://localhost/"));
}

TEST(CheckUrl, RefusesOthers) {
  const struct {
    const char* url;
    const char* says;
  } kRows[] = {
      {"", "no URL"},
      {"mcp.example", "no URL"},
      {"https://", "no URL"},
      {"https://a b/", "no URL"},
      {"http://mcp.example/mcp", "is http"},
      {"http://127.0.0.1.example/", "is http"},
      {"http://localhost.example/", "is http"},
      {"http://10.0.0.1/", "is http"},
      {"http://0.0.0.0/", "is http"},
      {"http://[::ffff:127.0.0.1]/", "is http"},
      {"ftp://mcp.example/", "neither"},
      {"file:///etc/passwd", "neither"},
      {"https://mcp.example/#part", "fragment"},
      {"https://user:hunter22@mcp.example/", "user name or password"},
      {"https://token@mcp.example/", "user name or password"},
  };
  for (const auto& row : kRows) {
    const absl::Status status = CheckUrl(row.url);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << row.url;
    EXPECT_THAT(std::string(status.message()), HasSubstr(row.says)) << row.url;
    EXPECT_THAT(std::string(status.message()), Not(HasSubstr("hunter22")));
  }
  EXPECT_FALSE(CheckUrl("https://a.example/" + std::string(3000, 'x')).ok()) << "too long";
}

TEST(CheckHttpOptions, RefusesACredentialThatCannotBeSent) {
  HttpOptions options{.url = "https://mcp.example/mcp"};
  EXPECT_TRUE(CheckHttpOptions(options).ok());
  options.credential_header = "Authorization";
  options.credential_value = "Bearer hunter22";
  EXPECT_TRUE(CheckHttpOptions(options).ok());
  for (const char* value : {"", "hunter22\r\nX: y", "hunter22\n", " hunter22", "hünter22"}) {
    options.credential_value = value;
    const absl::Status status = CheckHttpOptions(options);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << value;
    EXPECT_THAT(std::string(status.message()), Not(HasSubstr("nter22"))) << "it is never shown";
  }
  options.credential_value = "hunter22";
  for (const char* header : {"", "A B", "Host", "content-length", "MCP-Session-Id", "X:"}) {
    options.credential_header = header;
    EXPECT_EQ(CheckHttpOptions(options).code(), absl::StatusCode::kInvalidArgument) << header;
  }
  options = {.url = "https://mcp.example/mcp", .ca_file = "/none/ca.pem"};
  EXPECT_EQ(CheckHttpOptions(options).code(), absl::StatusCode::kNotFound);
  options = {.url = "https://mcp.example/mcp", .connect_timeout = absl::ZeroDuration()};
  EXPECT_EQ(CheckHttpOptions(options).code(), absl::StatusCode::kInvalidArgument)
      << "which libcurl takes for none at all";
}

}  // namespace
}  // namespace tipstaff::upstream
