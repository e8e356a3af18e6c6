#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "absl/strings/str_cat.h"
#include "mediator/base/testing/temp_folder.h"
#include "mediator/config/codes.h"
#include "mediator/config/config.h"
#include "mediator/json/parse.h"
#include "mediator/source/codes.h"

namespace tipstaff::config {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Pair;

class LoadTest : public ::testing::Test {
 protected:
  std::optional<Config> Load(const std::string& text) {
    diagnostics_.clear();
    const std::string path = folder_.Path("tipstaff.yaml");
    std::ofstream(path) << text;
    return config::Load(path, diagnostics_);
  }

  base::TempFolder folder_;
  source::Diagnostics diagnostics_;
};

TEST_F(LoadTest, ReadsEverything) {
  const std::string text = R"(channels:
  runs: run/guests
  firecracker: {dir: vms, port: 5005}
  vsock: {port: 5006}
admin: run/a.sock
people:
  dana: {user: dana, key: keys/dana.pub, groups: [support-leads, all]}
  eli: {key: /etc/eli.pub}
ledger: data/../tipstaff.db
keys: secret/keys/
policies: [policies, ../shared]
stubs: [/opt/stubs]
)";
  const std::optional<Config> config = Load(text);
  ASSERT_TRUE(config) << source::RenderText(diagnostics_);
  const auto at = [&](const char* name) { return folder_.Path(name); };
  EXPECT_EQ(config->path, at("tipstaff.yaml"));
  EXPECT_EQ(config->text, text);
  EXPECT_EQ(config->runs_dir, at("run/guests"));
  ASSERT_TRUE(config->firecracker);
  EXPECT_EQ(config->firecracker->dir, at("vms"));
  EXPECT_EQ(config->firecracker->port, 5005u);
  EXPECT_EQ(config->vsock_port, 5006u);
  EXPECT_EQ(config->admin_socket, at("run/a.sock"));
  EXPECT_EQ(config->ledger, at("tipstaff.db"));
  EXPECT_EQ(config->keys_dir, at("secret/keys"));
  const std::string shared = std::filesystem::path(folder_.path()).parent_path() / "shared";
  EXPECT_THAT(config->policies, ElementsAre(at("policies"), shared));
  EXPECT_THAT(config->stubs, ElementsAre("/opt/stubs"));
  ASSERT_EQ(config->people.size(), 2u);
  EXPECT_EQ(config->people[0].name, "dana");
  EXPECT_EQ(config->people[0].user, "dana");
  EXPECT_EQ(config->people[0].key, at("keys/dana.pub"));
  EXPECT_THAT(config->people[0].groups, ElementsAre("support-leads", "all"));
  EXPECT_EQ(config->people[1].user, "");
  EXPECT_EQ(config->people[1].key, "/etc/eli.pub");
}

TEST_F(LoadTest, HasDefaultsBesideTheFile) {
  const std::optional<Config> config = Load("{}\n");
  ASSERT_TRUE(config) << source::RenderText(diagnostics_);
  EXPECT_EQ(config->runs_dir, folder_.Path("run"));
  EXPECT_EQ(config->admin_socket, folder_.Path("run/admin.sock"));
  EXPECT_EQ(config->ledger, folder_.Path("tipstaff.db"));
  EXPECT_EQ(config->keys_dir, folder_.Path("keys"));
  EXPECT_THAT(config->policies, ElementsAre(folder_.Path("policies")));
  EXPECT_THAT(config->stubs, ElementsAre(folder_.Path("stubs")));
  EXPECT_FALSE(config->firecracker);
  EXPECT_FALSE(config->vsock_port) << "off unless written";
  EXPECT_TRUE(config->people.empty());
}

TEST_F(LoadTest, ReadsTestSystems) {
  const std::optional<Config> config = Load(R"(upstreams:
  second: {test_system: {command: [python3, a.py, a.py, ""], tools: t/b.yaml, stop: queryable}}
  first: {test_system: {command: [./a], tools: a.yaml, stop: killable, timeout: 250ms}}
)");
  ASSERT_TRUE(config) << source::RenderText(diagnostics_);
  ASSERT_EQ(config->test_systems.size(), 2u);
  const TestSystem& first = config->test_systems[0];
  EXPECT_EQ(first.name, "first");
  EXPECT_THAT(first.command, ElementsAre("./a"));
  EXPECT_EQ(first.tools, folder_.Path("a.yaml"));
  EXPECT_EQ(first.folder, folder_.path());
  EXPECT_EQ(first.stop, "killable");
  EXPECT_EQ(first.timeout, absl::Milliseconds(250));
  const TestSystem& second = config->test_systems[1];
  EXPECT_THAT(second.command, ElementsAre("python3", "a.py", "a.py", ""));
  EXPECT_EQ(second.tools, folder_.Path("t/b.yaml"));
  EXPECT_EQ(second.timeout, absl::Seconds(60)) << "unless written";
}

constexpr char kPeople[] = "people: {dana: {key: dana.jwks}, lee: {user: lee}}\n";

TEST_F(LoadTest, ReadsMcpServers) {
  const std::optional<Config> config = Load(absl::StrCat(kPeople, R"(upstreams:
  wiki:
    http: {url: "https://wiki.example.com/mcp", ca: ca.pem}
    owner: dana
    credential: {header: Authorization, from: {file: wiki.token}, format: "Bearer {}"}
    pins: p.json
    sign_off: s.dsse
    timeout: 5s
    longest: 1m
  tickets:
    stdio: {command: [node, t.js], read: [servers/t, /opt/t], env: {B: "2", A: ""}, network: none}
    owner: dana
    credential: {variable: TOKEN, from: {env: TICKETS_TOKEN}}
    stop: killable
  board:
    stdio: {command: [./b], network: host, unconfined: it needs the display}
    owner: dana
    stop: queryable
    query: {tool: find, argument: key}
)"));
  ASSERT_TRUE(config) << source::RenderText(diagnostics_);
  ASSERT_EQ(config->mcp_servers.size(), 3u);
  const McpServer& board = config->mcp_servers[0];
  EXPECT_EQ(board.name, "board");
  EXPECT_TRUE(board.network);
  EXPECT_EQ(board.unconfined, "it needs the display");
  EXPECT_EQ(board.query_tool, "find");
  EXPECT_EQ(board.query_key, "key");
  const McpServer& tickets = config->mcp_servers[1];
  EXPECT_THAT(tickets.command, ElementsAre("node", "t.js"));
  EXPECT_THAT(tickets.read, ElementsAre(folder_.Path("servers/t"), "/opt/t"));
  EXPECT_THAT(tickets.environment, ElementsAre(Pair("A", ""), Pair("B", "2")));
  EXPECT_EQ(tickets.credential->name, "TOKEN");
  EXPECT_EQ(tickets.credential->format, "{}");
  EXPECT_EQ(tickets.credential->from.variable, "TICKETS_TOKEN");
  EXPECT_EQ(tickets.stop, "killable");
  EXPECT_EQ(tickets.timeout, absl::Seconds(60));
  EXPECT_EQ(tickets.longest, absl::Minutes(10));
  EXPECT_EQ(tickets.pins, folder_.Path("pins/tickets.json"));
  EXPECT_EQ(tickets.sign_off, folder_.Path("signoffs/tickets.dsse"));
  const McpServer& wiki = config->mcp_servers[2];
  EXPECT_EQ(wiki.url, "https://wiki.example.com/mcp");
  EXPECT_EQ(wiki.ca, folder_.Path("ca.pem"));
  EXPECT_EQ(wiki.credential->from.file, folder_.Path("wiki.token"));
  EXPECT_EQ(wiki.credential->format, "Bearer {}");
  EXPECT_EQ(wiki.stop, "none") << "unless written";
  EXPECT_EQ(wiki.pins, folder_.Path("p.json"));
  EXPECT_EQ(wiki.longest, absl::Minutes(1));
  for (const McpServer& server : config->mcp_servers) {
    const std::string encoded = Encode(server);
    const auto decoded = DecodeMcpServer(json::MustParse(encoded).root());
    ASSERT_TRUE(decoded.ok()) << decoded.status();
    EXPECT_EQ(Encode(*decoded), encoded);
    EXPECT_THAT(encoded, Not(HasSubstr("p.json"))) << "where it is kept is not what is approved";
  }
}

TEST_F(LoadTest, RefusesMcpServersThatCannotBeMeant) {
  const struct {
    const char* why;
    const char* upstream;
    const char* code;
    const char* message;
  } kRows[] = {
      {"no owner", "{stdio: {command: [a]}}", kMissingKey, "needs `owner`"},
      {"an owner who is nobody", "{stdio: {command: [a]}, owner: zoe}", kBadValue,
       "nobody in `people`"},
      {"an owner without a key", "{stdio: {command: [a]}, owner: lee}", kBadValue, "has no `key`"},
      {"two kinds", "{stdio: {command: [a]}, http: {url: 'https://a.example'}, owner: dana}",
       kTwice, "is `stdio` and `http`"},
      {"a test system with an owner",
       "{test_system: {command: [a], tools: t, stop: none}, owner: dana}", kUnknownKey, "`owner`"},
      {"no command", "{stdio: {}, owner: dana}", kMissingKey, "`stdio` needs `command`"},
      {"a relative URL", "{http: {url: /mcp}, owner: dana}", kBadValue, "no URL"},
      {"plain HTTP elsewhere", "{http: {url: 'http://a.example/mcp'}, owner: dana}", kBadValue,
       "must begin with https://"},
      {"a user in the URL", "{http: {url: 'https://a:b@a.example/mcp'}, owner: dana}", kBadValue,
       "no URL"},
      {"another scheme", "{http: {url: 'file:///etc/passwd'}, owner: dana}", kBadValue, "URL"},
      {"killable over HTTP", "{http: {url: 'https://a.example'}, owner: dana, stop: killable}",
       kBadValue, "needs a confined `stdio`"},
      {"killable with the network",
       "{stdio: {command: [a], network: host}, owner: dana, stop: killable}", kBadValue,
       "needs a confined `stdio`"},
      {"killable and unconfined",
       "{stdio: {command: [a], unconfined: why}, owner: dana, stop: killable}", kBadValue,
       "needs a confined `stdio`"},
      {"queryable without a query", "{stdio: {command: [a]}, owner: dana, stop: queryable}",
       kBadValue, "go together"},
      {"a query without queryable",
       "{stdio: {command: [a]}, owner: dana, query: {tool: a, argument: b}}", kBadValue,
       "go together"},
      {"a linker's variable", "{stdio: {command: [a], env: {LD_PRELOAD: x}}, owner: dana}",
       kBadValue, "is not for a configuration to set"},
      {"a number in the environment", "{stdio: {command: [a], env: {A: 1}}, owner: dana}",
       kWrongType, "must be a text"},
      {"a variable's name", "{stdio: {command: [a], env: {'A=B': x}}, owner: dana}", kBadValue,
       "is no name"},
      {"a network by name", "{stdio: {command: [a], network: all}, owner: dana}", kBadValue,
       "unknown `network`"},
      {"a credential from nowhere",
       "{stdio: {command: [a]}, owner: dana, credential: {variable: T}}", kMissingKey, "`from`"},
      {"a credential from two places",
       "{stdio: {command: [a]}, owner: dana, credential: {variable: T, from: {env: A, file: b}}}",
       kBadValue, "either `env` or `file`"},
      {"a header for a process",
       "{stdio: {command: [a]}, owner: dana, credential: {header: T, from: {env: A}}}", kBadValue,
       "`header` is not for `stdio`"},
      {"a header of the protocol",
       "{http: {url: 'https://a.example'}, owner: dana, credential: {header: Mcp-Name, from: {env: "
       "A}}}",
       kBadValue, "no header that is free"},
      {"a header that splits",
       "{http: {url: 'https://a.example'}, owner: dana, credential: {header: 'A: b', from: {env: "
       "A}}}",
       kBadValue, "no header that is free"},
      {"a format without a place",
       "{stdio: {command: [a]}, owner: dana, credential: {variable: T, from: {env: A}, format: x}}",
       kBadValue, "`{}` once"},
      {"longest before timeout", "{stdio: {command: [a]}, owner: dana, timeout: 1m, longest: 59s}",
       kBadValue, "`longest` is less"},
  };
  for (const auto& row : kRows) {
    diagnostics_.clear();
    const auto config = Load(absl::StrCat(kPeople, "upstreams:\n  x: ", row.upstream, "\n"));
    EXPECT_FALSE(config) << row.why;
    ASSERT_FALSE(diagnostics_.empty()) << row.why;
    EXPECT_EQ(diagnostics_[0].code, row.code) << row.why << ": " << diagnostics_[0].message;
    EXPECT_THAT(diagnostics_[0].message, HasSubstr(row.message)) << row.why;
  }
}

TEST_F(LoadTest, LeavesPathsRelativeForAFileInTheWorkingFolder) {
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder_.path());
  std::ofstream("tipstaff.yaml") << "ledger: data/t.db\n";
  const std::optional<Config> config = config::Load("tipstaff.yaml", diagnostics_);
  std::filesystem::current_path(before);
  ASSERT_TRUE(config) << source::RenderText(diagnostics_);
  EXPECT_EQ(config->ledger, "data/t.db");
  EXPECT_EQ(config->runs_dir, "run");
}

struct Refused {
  const char* reason;
  std::string text;
  const char* code;
  int line, column;
  const char* message;
  const char* label;
};

TEST_F(LoadTest, RefusesWhatItCannotMean) {
  const Refused kCases[] = {
      {"misspelt key", "ledgr: t.db\n", kUnknownKey, 1, 1, "unknown key `ledgr`", "`ledger`?"},
      {"nothing near", "colour: red\n", kUnknownKey, 1, 1, "`colour`", "has channels, admin"},
      {"misspelt inner key", "channels:\n  vsok: {port: 5005}\n", kUnknownKey, 2, 3, "`vsok`",
       "did you mean `vsock`?"},
      {"misspelt key of a person", "people: {a: {user: a, group: [b]}}\n", kUnknownKey, 1, 23,
       "`group`", "`groups`?"},
      {"an upstream of no kind", "upstreams: {x: {htp: {}}}\n", kUnknownKey, 1, 17, "`htp`",
       "did you mean `http`?"},
      {"an upstream without its kind", "upstreams: {x: {}}\n", kMissingKey, 1, 13,
       "upstream `x` needs `stdio` or `http`", ""},
      {"upstreams as a list", "upstreams: [x]\n", kWrongType, 1, 12, "mapping of names", "tickets"},
      {"an upstream's name", "upstreams: {x/y: {}}\n", kBadValue, 1, 13, "bad name of an upstream",
       "letters"},
      {"a test system without a command",
       "upstreams: {x: {test_system: {tools: t.yaml, stop: none}}}\n", kMissingKey, 1, 17,
       "`test_system` needs `command`", ""},
      {"a test system without tools", "upstreams: {x: {test_system: {command: [c], stop: none}}}\n",
       kMissingKey, 1, 17, "`test_system` needs `tools`", ""},
      {"a test system of which nobody says what can be promised",
       "upstreams: {x: {test_system: {command: [c], tools: t.yaml}}}\n", kMissingKey, 1, 17,
       "`test_system` needs `stop`", ""},
      {"a command as a text", "upstreams: {x: {test_system: {command: c, tools: t, stop: none}}}\n",
       kWrongType, 1, 40, "`command` is a list", "for instance"},
      {"a command without a program",
       "upstreams: {x: {test_system: {command: [], tools: t, stop: none}}}\n", kBadValue, 1, 40,
       "`command` is a list", "for instance"},
      {"a program without a name",
       "upstreams: {x: {test_system: {command: [''], tools: t, stop: none}}}\n", kBadValue, 1, 41,
       "the program of `command` is empty", ""},
      {"a number as an argument",
       "upstreams: {x: {test_system: {command: [c, 5], tools: t, stop: none}}}\n", kWrongType, 1,
       44, "an item of `command`", "quote it"},
      {"a stop kind that is none",
       "upstreams: {x: {test_system: {command: [c], tools: t, stop: kill}}}\n", kBadValue, 1, 61,
       "unknown `stop` `kill`", "expected killable, queryable, none"},
      {"a budget that is no size", "run_budget: much\n", kBadValue, 1, 13,
       "`run_budget` takes a size", "256MiB"},
      {"a budget that is too small", "run_budget: 1023KiB\n", kBadValue, 1, 13, "at least 1MiB",
       ""},
      {"a budget that is a list", "run_budget: []\n", kWrongType, 1, 13, "`run_budget`", ""},
      {"a timeout without a unit",
       "upstreams: {x: {test_system: {command: [c], tools: t, stop: none, timeout: '5'}}}\n",
       kBadValue, 1, 76, "`timeout`: `5`", "30s"},
      {"a timeout that is none",
       "upstreams: {x: {test_system: {command: [c], tools: t, stop: none, timeout: 0s}}}\n",
       kBadValue, 1, 76, "`timeout` is out of range", "1ms to 1h"},
      {"a list as the file", "- ledger\n", kWrongType, 1, 1, "must be a mapping, not array", ""},
      {"a number as a path", "ledger: 5\n", kWrongType, 1, 9, "must be a text", "quote it"},
      {"an empty path", "ledger: ''\n", kBadValue, 1, 9, "`ledger` is empty", ""},
      {"null", "admin: null\n", kWrongType, 1, 8, "must be a text, not null", ""},
      {"a folder instead of a list", "policies: policies\n", kWrongType, 1, 11, "list of texts",
       "[...]"},
      {"an empty list", "stubs: []\n", kBadValue, 1, 8, "`stubs` is empty", "leave it out"},
      {"a list of numbers", "stubs: [1]\n", kWrongType, 1, 9, "an item of `stubs`", "quote it"},
      {"the same folder twice", "stubs: [a, b, a]\n", kTwice, 1, 15, "`a` is listed twice", ""},
      {"the same folder in two spellings", "stubs: [a, ./a/]\n", kTwice, 1, 8, "listed twice", ""},
      {"channels as a list", "channels: [runs]\n", kWrongType, 1, 11, "`channels` must be", ""},
      {"firecracker without a port", "channels: {firecracker: {dir: v}}\n", kMissingKey, 1, 12,
       "`firecracker` needs `port`", ""},
      {"firecracker without a folder", "channels: {firecracker: {port: 5005}}\n", kMissingKey, 1,
       12, "`firecracker` needs `dir`", ""},
      {"vsock without a port", "channels: {vsock: {}}\n", kMissingKey, 1, 12, "needs `port`", ""},
      {"a port as text", "channels: {vsock: {port: '5005'}}\n", kWrongType, 1, 26,
       "must be a whole number, not string", ""},
      {"a port that is no whole number", "channels: {vsock: {port: 5005.5}}\n", kWrongType, 1, 26,
       "not number", ""},
      {"a privileged port", "channels: {vsock: {port: 1023}}\n", kBadValue, 1, 26,
       "`port` is out of range", "1024 to 4294967294"},
      {"the port that means any", "channels: {vsock: {port: 4294967295}}\n", kBadValue, 1, 26,
       "out of range", ""},
      {"a negative port", "channels: {vsock: {port: -1}}\n", kBadValue, 1, 26, "out of range", ""},
      {"a port over int64", "channels: {vsock: {port: 18446744073709551615}}\n", kBadValue, 1, 26,
       "out of range", ""},
      {"people as a list", "people: [dana]\n", kWrongType, 1, 9, "mapping of names", "dana"},
      {"a person as a text", "people: {dana: dana}\n", kWrongType, 1, 16, "person `dana`", ""},
      {"a person's name", "people: {'da na': {user: x}}\n", kBadValue, 1, 10, "`da na`", "letters"},
      {"a person nobody can tell apart", "people: {dana: {groups: [a]}}\n", kMissingKey, 1, 10,
       "needs `user` or `key`", ""},
      {"two people with one user", "people: {a: {user: x}, b: {user: x}}\n", kTwice, 1, 34,
       "`b` and `a` are the same Unix user", ""},
      {"a group with a person's name", "people: {a: {user: x, groups: [b]}, b: {user: z}}\n",
       kTwice, 1, 32, "`b` is a person and a group", "rename"},
      {"a group's name", "people: {a: {user: x, groups: ['b/c']}}\n", kBadValue, 1, 32, "`b/c`",
       "letters"},
      {"a socket that cannot be bound", absl::StrCat("admin: ", std::string(108, 'x'), "\n"),
       kPathTooLong, 1, 8, "the admin socket", "shorter"},
      {"sockets of runs that cannot be bound",
       absl::StrCat("channels: {runs: /", std::string(80, 'x'), "}\n"), kPathTooLong, 1, 18,
       "the sockets of runs has 109 bytes", "shorter"},
      {"what the YAML subset refuses", "ledger: a\nledger: b\n", source::kDuplicateKey, 2, 1,
       "twice", ""},
  };
  for (const Refused& c : kCases) {
    EXPECT_FALSE(Load(c.text)) << c.reason;
    ASSERT_FALSE(diagnostics_.empty()) << c.reason;
    const source::Diagnostic& first = diagnostics_[0];
    EXPECT_EQ(first.code, c.code) << c.reason << ": " << first.message;
    EXPECT_EQ(first.span.line, c.line) << c.reason;
    EXPECT_EQ(first.span.column, c.column) << c.reason << ": " << first.message;
    EXPECT_THAT(first.message, HasSubstr(c.message)) << c.reason;
    EXPECT_THAT(first.label, HasSubstr(c.label)) << c.reason;
  }
}

TEST_F(LoadTest, ReportsAllMistakesOfAFile) {
  EXPECT_FALSE(Load("ledgr: t.db\nadmin: 1\nchannels: {vsock: {}}\n"));
  EXPECT_EQ(diagnostics_.size(), 3u) << source::RenderText(diagnostics_);
}

TEST_F(LoadTest, SaysWhenThereIsNoFile) {
  EXPECT_FALSE(config::Load(folder_.Path("none.yaml"), diagnostics_));
  ASSERT_EQ(diagnostics_.size(), 1u);
  EXPECT_EQ(diagnostics_[0].code, source::kUnreadable);
}

TEST_F(LoadTest, AddsToWhatIsThereAlready) {
  source::Diagnostics diagnostics = {{.message = "an error of something else"}};
  std::ofstream(folder_.Path("c.yaml")) << "{}\n";
  EXPECT_TRUE(config::Load(folder_.Path("c.yaml"), diagnostics));
  EXPECT_EQ(diagnostics.size(), 1u);
}

TEST_F(LoadTest, DefaultsPreferTheWorkingFolder) {
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder_.path());
  std::filesystem::create_directory("stubs");
  const Config config = Defaults("/state", "/share");
  std::filesystem::current_path(before);
  EXPECT_EQ(config.path, "");
  EXPECT_EQ(config.runs_dir, "/state/run");
  EXPECT_EQ(config.admin_socket, "/state/run/admin.sock");
  EXPECT_EQ(config.ledger, "/state/tipstaff.db");
  EXPECT_EQ(config.keys_dir, "/state/keys");
  EXPECT_THAT(config.policies, IsEmpty());
  EXPECT_EQ(config.shipped_policies, "/share/policies");
  EXPECT_THAT(config.stubs, ElementsAre("stubs"));
  EXPECT_EQ(config.shipped_stubs, "/share/stubs");
  EXPECT_FALSE(config.vsock_port);
}

TEST(ConfigExplanations, AreInOrder) {
  int number = 0;
  for (const source::Explanation& explanation : ConfigExplanations()) {
    EXPECT_EQ(explanation.code, absl::StrCat("C00", ++number));
    EXPECT_FALSE(explanation.text.empty());
  }
  EXPECT_EQ(number, 6);
}

}  // namespace
}  // namespace tipstaff::config
