#include "guest-agent/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace tipstaff::guest_agent {
namespace {

using ::testing::HasSubstr;

absl::StatusOr<Options> Parse(const std::vector<std::string>& arguments,
                              const std::map<std::string, std::string>& variables = {}) {
  return ParseOptions(arguments, [&](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::make_optional(found->second);
  });
}

TEST(Options, FindSocketAndToken) {
  struct Case {
    const char* reason;
    std::vector<std::string> arguments;
    std::map<std::string, std::string> variables;
    const char* socket;
    const char* token_file;
  };
  const Case kCases[] = {
      {"nothing given", {}, {}, "/run/tipstaff/guest.sock", "/run/tipstaff/token"},
      {"variables", {}, {{"TIPSTAFF_SOCKET", "s"}, {"TIPSTAFF_TOKEN_FILE", "t"}}, "s", "t"},
      {"arguments win",
       {"--connect", "a", "--token-file", "b"},
       {{"TIPSTAFF_SOCKET", "${X}"}, {"TIPSTAFF_TOKEN_FILE", ""}},
       "a",
       "b"},
      {"with an equals sign", {"--connect=a=b", "--token-file=c"}, {}, "a=b", "c"},
      {"a value that looks like an option",
       {"--connect", "--help"},
       {},
       "--help",
       "/run/tipstaff/token"},
  };
  for (const Case& c : kCases) {
    const absl::StatusOr<Options> options = Parse(c.arguments, c.variables);
    ASSERT_TRUE(options.ok()) << c.reason << ": " << options.status();
    EXPECT_EQ(options->socket, c.socket) << c.reason;
    EXPECT_EQ(options->token_file, c.token_file) << c.reason;
    EXPECT_FALSE(options->vsock.has_value()) << c.reason;
  }
}

TEST(Options, VsockOnlyWhenTold) {
  const absl::StatusOr<Options> options =
      Parse({"--vsock", "2:5005"}, {{"TIPSTAFF_SOCKET", "${X}"}});
  ASSERT_TRUE(options.ok()) << options.status();
  ASSERT_TRUE(options->vsock.has_value());
  EXPECT_EQ(options->vsock->cid, 2u);
  EXPECT_EQ(options->vsock->port, 5005u);
  EXPECT_EQ(options->socket, "");
  EXPECT_FALSE(Parse({}, {{"TIPSTAFF_SOCKET", "vsock:2:5005"}})->vsock.has_value());
}

TEST(Options, HttpOnTheLoopback) {
  EXPECT_FALSE(Parse({})->http.has_value()) << "stdio";
  const absl::StatusOr<Options> options =
      Parse({"--http", "127.0.0.1:8787", "--http-token-file=t"});
  ASSERT_TRUE(options.ok()) << options.status();
  EXPECT_FALSE(options->http->ipv6);
  EXPECT_EQ(options->http->port, 8787);
  EXPECT_EQ(options->http_token_file, "t");
  EXPECT_EQ(Parse({"--http=127.0.0.1:0"})->http->port, 0);
  const absl::StatusOr<Options> ipv6 = Parse({"--http", "[::1]:65535"});
  ASSERT_TRUE(ipv6.ok()) << ipv6.status();
  EXPECT_TRUE(ipv6->http->ipv6);
  EXPECT_EQ(ipv6->http->port, 65535);
  for (const char* address :
       {"", "8787", ":8787", "0.0.0.0:8787", "[::]:8787", "localhost:8787", "127.0.0.2:8787",
        "10.0.0.1:8787", "::1:8787", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1",
        "127.0.0.1:+1", "127.0.0.1:80 ", "127.0.0.1:80/mcp", "127.0.0.1:99999999999"}) {
    EXPECT_THAT(std::string(Parse({"--http", address}).status().message()),
                HasSubstr("only the machine itself is served"))
        << address;
  }
}

TEST(Options, SaysWhatIsWrong) {
  struct Case {
    const char* reason;
    std::vector<std::string> arguments;
    std::map<std::string, std::string> variables;
    const char* message;
  };
  const Case kCases[] = {
      {"unknown", {"--conect", "a"}, {}, "unknown argument `--conect`"},
      {"positional", {"a"}, {}, "unknown argument `a`"},
      {"a value for a flag", {"--help=1"}, {}, "unknown argument"},
      {"no value", {"--connect"}, {}, "`--connect` needs a value"},
      {"empty value", {"--connect="}, {}, "`--connect` is empty"},
      {"a token for nothing", {"--http-token-file", "t"}, {}, "goes with `--http`"},
      {"variable for it", {"--http=[::1]:1", "--http-token-file=${T}"}, {}, "was not expanded"},
      {"twice", {"--connect", "a", "--connect=b"}, {}, "given twice"},
      {"both", {"--connect", "a", "--vsock", "2:1"}, {}, "exclude each other"},
      {"variable in an argument", {"--connect", "${SOCK}"}, {}, "was not expanded"},
      {"variable in a variable", {}, {{"TIPSTAFF_SOCKET", "${SOCK}"}}, "`TIPSTAFF_SOCKET` is"},
      {"variable for the token", {}, {{"TIPSTAFF_TOKEN_FILE", "${T}"}}, "was not expanded"},
      {"empty variable", {}, {{"TIPSTAFF_SOCKET", ""}}, "`TIPSTAFF_SOCKET` is empty"},
      {"control characters", {"--\x1b[2J"}, {}, "\\x1b"},
  };
  for (const Case& c : kCases) {
    const absl::Status status = Parse(c.arguments, c.variables).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << c.reason;
    EXPECT_THAT(std::string(status.message()), HasSubstr(c.message)) << c.reason;
  }
  for (const char* address : {"", ":", "2", "2:", ":5", "2:5:6", "host:5", "-1:5", "2:+5", " 2:5",
                              "4294967295:5", "2:4294967296"}) {
    EXPECT_THAT(std::string(Parse({"--vsock", address}).status().message()),
                HasSubstr("is not CID:PORT"))
        << address;
  }
}

TEST(Options, HelpAndVersionNeedNothingElse) {
  EXPECT_TRUE(Parse({"--help"}, {{"TIPSTAFF_SOCKET", "${X}"}})->help);
  EXPECT_TRUE(Parse({"--version"})->version);
  for (const char* option : {"--connect", "--vsock", "--token-file", "--http", "--http-token-file",
                             "--version", "TIPSTAFF_SOCKET", "TIPSTAFF_TOKEN_FILE"}) {
    EXPECT_THAT(HelpText(), HasSubstr(option));
  }
}

}  // namespace
}  // namespace tipstaff::guest_agent
