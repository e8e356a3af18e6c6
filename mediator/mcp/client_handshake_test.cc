#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/match.h"
#include "mediator/json/write.h"
#include "mediator/mcp/testing/client_driver.h"

namespace tipstaff::mcp {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

using Lines = ClientDriver::Lines;
constexpr char kInitialized[] = "notify notifications/initialized";

TEST(ClientHandshake, ProbesAndKeepsToAModernServer) {
  ClientDriver server;
  EXPECT_THAT(server.Start(), ElementsAre("request 1 server/discover"));
  EXPECT_EQ(server.sent().message,
            R"({"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{)"
            R"("io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
            R"("io.modelcontextprotocol/clientInfo":{"name":"tipstaff","version":"1.0"},)"
            R"("io.modelcontextprotocol/clientCapabilities":{}}}})");
  EXPECT_EQ(server.sent().version, "2026-07-28");
  EXPECT_TRUE(server.sent().modern);
  EXPECT_EQ(server.session().deadline(), absl::UnixEpoch() + kProbeTime);
  EXPECT_THAT(server.Result(ClientDriver::kDiscovered), ElementsAre("ready 2026-07-28"));
  EXPECT_EQ(server.session().deadline(), std::nullopt);
  const Peer& peer = server.session().peer();
  EXPECT_EQ(peer.generation, Generation::kModern);
  EXPECT_TRUE(peer.Has("tools"));
  EXPECT_FALSE(peer.Has("prompts"));
  EXPECT_EQ(json::Dump(peer.server_info.root()), R"({"name":"m","version":"3"})");
  EXPECT_EQ(peer.instructions, "be kind");
}

TEST(ClientHandshake, StartsALegacyServerAnewOnStdio) {
  ClientDriver server;
  server.Start();
  EXPECT_THAT(server.Error(kMethodNotFound, "Method not found"),
              ElementsAre("reconnect: `server/discover`: error -32601 `Method not found`"));
  EXPECT_THAT(server.Says(R"({"jsonrpc":"2.0","id":2,"result":{}})"), IsEmpty())
      << "nothing of the connection that was given up counts";
  EXPECT_THAT(server.Gone("killed"), IsEmpty()) << "its end was asked for";
  EXPECT_THAT(server.Connected(), ElementsAre("request 2 initialize"));
  EXPECT_EQ(server.sent().message, R"({"jsonrpc":"2.0","id":2,"method":"initialize","params":{)"
                                   R"("protocolVersion":"2025-11-25","capabilities":{},)"
                                   R"("clientInfo":{"name":"tipstaff","version":"1.0"}}})");
  EXPECT_EQ(server.sent().version, "") << "not agreed yet";
  EXPECT_FALSE(server.sent().modern);
  EXPECT_THAT(server.Result(ClientDriver::kInitialized),
              ElementsAre(kInitialized, "ready 2025-06-18"));
  const auto& initialized = std::get<SendNotification>(server.outputs()[0]);
  EXPECT_EQ(initialized.version, "2025-06-18");
  EXPECT_EQ(initialized.message,
            R"({"jsonrpc":"2.0","method":"notifications/initialized","params":{}})");
  EXPECT_EQ(server.session().peer().generation, Generation::kLegacy);
  EXPECT_TRUE(server.session().peer().Has("prompts"));
  EXPECT_FALSE(server.session().peer().Has("odd")) << "no object";
}

// What the first answer may be, on stdio: all but a modern one leads to `initialize`.
TEST(ClientHandshake, TellsGenerationsByTheFirstAnswer) {
  struct Case {
    const char* reason;
    const char* answer;  // to request 1
    const char* line;    // what the output starts with
  };
  const Case kCases[] = {
      {"a modern result", R"("id":1,"result":{"supportedVersions":["2026-07-28"]})",
       "ready 2026-07-28"},
      {"of both generations",
       R"("id":1,"result":{"supportedVersions":["2025-11-25","2026-07-28","2027-01-01"]})",
       "ready 2026-07-28"},
      {"legacy versions alone", R"("id":1,"result":{"supportedVersions":["2025-11-25"]})",
       "reconnect: `server/discover`: the server names legacy versions alone"},
      {"versions to come", R"("id":1,"result":{"supportedVersions":["2027-01-01","2028-01-01\n"]})",
       R"(unusable: the server speaks only versions that are not known here: `2027-01-01`, `2028-01-01\n`)"},
      {"a result that anything gets", R"("id":1,"result":{})", "reconnect: "},
      {"no versions", R"("id":1,"result":{"supportedVersions":[]})", "reconnect: "},
      {"versions of another kind", R"("id":1,"result":{"supportedVersions":"2026-07-28"})",
       "reconnect: "},
      {"a server that wants input first",
       R"("id":1,"result":{"resultType":"input_required","supportedVersions":["2026-07-28"]})",
       "reconnect: "},
      {"a result that is no object", R"("id":1,"result":[])",
       "reconnect: `server/discover`: the answer is of no use: its result is not an object"},
      {"an error of a legacy server", R"("id":1,"error":{"code":-32600,"message":"initialize!"})",
       "reconnect: `server/discover`: error -32600 `initialize!`"},
      {"the unsupported version, with a legacy one",
       R"("id":1,"error":{"code":-32022,"message":"m","data":{"supported":["2025-06-18"]}})",
       "reconnect: "},
      {"the unsupported version, with versions to come",
       R"("id":1,"error":{"code":-32022,"message":"m","data":{"supported":["2027-01-01"]}})",
       "unusable: the server speaks only versions that are not known here: `2027-01-01`"},
      {"the unsupported version, without versions",
       R"("id":1,"error":{"code":-32022,"message":"m"})", "reconnect: "},
      {"versions in another error mean nothing",
       R"("id":1,"error":{"code":-32602,"message":"m","data":{"supported":["2026-07-28"]}})",
       "reconnect: "},
      {"an error without an id: nothing else was sent",
       R"("id":null,"error":{"code":-32600,"message":"m"})", "reconnect: "},
      {"the same without the member", R"("error":{"code":-32600,"message":"m"})", "reconnect: "},
      {"both", R"("id":1,"result":{},"error":{"code":1,"message":"m"})", "reconnect: "},
      {"neither", R"("id":1)", "reconnect: "},
      {"an id of another type", R"("id":"1","result":{"supportedVersions":["2026-07-28"]})",
       R"(note: an answer that nobody waits for, of id `"1"`)"},
      {"another id", R"("id":2,"result":{"supportedVersions":["2026-07-28"]})",
       "note: an answer that nobody waits for, of id `2`"},
  };
  for (const Case& c : kCases) {
    ClientDriver server;
    server.Start();
    EXPECT_THAT(server.Says(absl::StrCat(R"({"jsonrpc":"2.0",)", c.answer, "}")),
                ElementsAre(StartsWith(c.line)))
        << c.reason;
  }
}

TEST(ClientHandshake, AsksAgainWithAVersionThatTheServerNames) {
  constexpr char kNames[] = R"({"supported":["2026-07-28"],"requested":"2026-07-28"})";
  ClientDriver server;
  server.Start();
  EXPECT_THAT(server.Error(kUnsupportedVersion, "no", kNames),
              ElementsAre("request 2 server/discover"));
  EXPECT_THAT(server.Error(kUnsupportedVersion, "no", kNames),
              ElementsAre("unusable: the server names version `2026-07-28` and refuses it"))
      << "and not for ever";
}

TEST(ClientHandshake, TakesSilenceForLegacy) {
  ClientDriver server;
  server.Start();
  EXPECT_THAT(server.Says("Server starting on stdio..."),
              ElementsAre(HasSubstr("Server starting on stdio...")));
  EXPECT_THAT(server.After(kProbeTime - absl::Milliseconds(1)), IsEmpty());
  EXPECT_THAT(server.After(absl::Milliseconds(1)),
              ElementsAre("reconnect: `server/discover`: no answer within 10s"));
  EXPECT_THAT(server.Connected(), ElementsAre("request 2 initialize"));
  EXPECT_THAT(server.After(kInitializeTime),
              ElementsAre("unusable: `initialize`: no answer within 30s"));
  EXPECT_THAT(server.Call(), ElementsAre("unanswered 1 unsent: the server is of no use"));
}

TEST(ClientHandshake, TakesAnExitForLegacy) {
  ClientDriver server;
  server.Start();
  EXPECT_THAT(server.Gone("exited with 2\x1b"),
              ElementsAre(R"(reconnect: `server/discover`: exited with 2\x1b)"));
  EXPECT_THAT(server.Connected(), ElementsAre("request 2 initialize"));
  EXPECT_THAT(server.Call(), IsEmpty());
  EXPECT_THAT(server.Gone("exited with 3"), ElementsAre("unanswered 1 unsent: exited with 3"));
  EXPECT_THAT(server.Call(), ElementsAre("unanswered 2 unsent: there is no connection"));
  EXPECT_THAT(server.Connected(), ElementsAre("request 3 server/discover"))
      << "nothing is known of it yet";
}

TEST(ClientHandshake, GivesUpWaitingForAConnection) {
  ClientDriver server;
  server.Start();
  server.Call();
  server.Gone();
  EXPECT_THAT(server.Gone("no such program"), ElementsAre("unanswered 1 unsent: no such program"))
      << "the attempt failed";
  ClientDriver forgotten;
  forgotten.Start();
  forgotten.Call();
  forgotten.Error(kMethodNotFound, "no");
  EXPECT_THAT(forgotten.After(kInitializeTime),
              ElementsAre("unanswered 1 unsent: no connection within 30s"));
  EXPECT_EQ(forgotten.session().deadline(), std::nullopt);
}

TEST(ClientHandshake, NegotiatesLegacyVersions) {
  struct Case {
    const char* reason;
    const char* answer;  // to request 2
    std::vector<std::string> lines;
  };
  const Case kCases[] = {
      {"an older version",
       R"("result":{"protocolVersion":"2024-11-05","capabilities":{}})",
       {kInitialized, "ready 2024-11-05"}},
      {"nothing but the version",
       R"("result":{"protocolVersion":"2025-03-26"})",
       {kInitialized, "ready 2025-03-26"}},
      {"a version that is not known",
       R"("result":{"protocolVersion":"2023-01-01"})",
       {"unusable: `initialize`: the server answers with version `2023-01-01`; known here are "
        "2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05"}},
      {"a modern version has no handshake",
       R"("result":{"protocolVersion":"2026-07-28"})",
       {"unusable: `initialize`: the server answers with version `2026-07-28`; known here are "
        "2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05"}},
      {"no version",
       R"("result":{})",
       {"unusable: `initialize`: the server answers with version ``; known here are 2025-11-25, "
        "2025-06-18, 2025-03-26, 2024-11-05"}},
      {"an error",
       R"("error":{"code":-32603,"message":"out of order\n"})",
       {R"(unusable: `initialize`: error -32603 `out of order\n`)"}},
      {"an error that names its version",
       R"("error":{"code":-32602,"message":"m","data":{"supported":["2024-11-05"]}})",
       {"request 3 initialize"}},
      {"a modern server that was too slow for the probe",
       R"("error":{"code":-32022,"message":"m","data":{"supported":["2026-07-28"]}})",
       {"request 3 server/discover"}},
      {"a malformed answer",
       R"("result":7)",
       {"unusable: `initialize`: the answer is of no use: its result is not an object"}},
  };
  for (const Case& c : kCases) {
    ClientDriver server;
    server.Start();
    server.After(kProbeTime);
    server.Connected();
    EXPECT_EQ(server.Says(absl::StrCat(R"({"jsonrpc":"2.0","id":2,)", c.answer, "}")), c.lines)
        << c.reason;
  }
}

TEST(ClientHandshake, EndsWhateverIsSaid) {
  constexpr char kBoth[] = R"({"supported":["2026-07-28","2025-06-18","2024-11-05"]})";
  for (const int code : {kUnsupportedVersion, kInvalidParams}) {
    ClientDriver server;
    server.Start();
    int events = 0;
    while (server.session().deadline() && ++events < 100) {
      const ClientDriver::Lines lines = server.Error(code, "no", kBoth);
      if (absl::StartsWith(lines.at(0), "reconnect")) server.Connected();
    }
    EXPECT_LE(server.sent().id, 4u) << code;
    EXPECT_THAT(server.Call(), ElementsAre("unanswered 1 unsent: the server is of no use"));
    EXPECT_FALSE(server.session().ready());
  }
}

TEST(ClientHandshake, BeginsWithWhatTheServerWasBefore) {
  ClientDriver legacy(Wire::kStdio, Generation::kLegacy);
  EXPECT_THAT(legacy.Start(), ElementsAre("request 1 initialize"));
  EXPECT_THAT(legacy.Result(ClientDriver::kInitialized),
              ElementsAre(kInitialized, "ready 2025-06-18"));

  ClientDriver changed(Wire::kStdio, Generation::kLegacy);
  changed.Start();
  EXPECT_THAT(changed.Error(kMethodNotFound, "no such method"),
              ElementsAre("reconnect: `initialize`: error -32601 `no such method`"));
  EXPECT_THAT(changed.Connected(), ElementsAre("request 2 server/discover"));
  EXPECT_THAT(changed.Result(ClientDriver::kDiscovered), ElementsAre("ready 2026-07-28"));
}

TEST(ClientHandshake, KeepsTheGenerationOverReconnects) {
  ClientDriver legacy;
  legacy.Legacy();
  legacy.Gone();
  EXPECT_THAT(legacy.Connected(), ElementsAre("request 3 initialize"));
  EXPECT_THAT(legacy.Result(ClientDriver::kInitialized),
              ElementsAre(kInitialized, "ready 2025-06-18"));
  ClientDriver modern;
  modern.Modern();
  modern.Gone();
  EXPECT_THAT(modern.Connected(), ElementsAre("request 2 server/discover"));
}

TEST(ClientHandshake, SendsWhatWaitedInOrderBeforeReady) {
  ClientDriver server;
  EXPECT_THAT(server.Call(), IsEmpty());
  server.Start();
  EXPECT_THAT(server.List(ListKind::kPrompts), IsEmpty());
  EXPECT_THAT(server.Ask({.method = "resources/read", .params = R"({"uri":"x:"})"}), IsEmpty());
  EXPECT_THAT(server.Cancel(1), IsEmpty()) << "it was never sent";
  EXPECT_EQ(server.session().requests_in_flight(), 0u);
  server.Error(kMethodNotFound, "no");
  server.Connected();
  EXPECT_THAT(server.Result(ClientDriver::kInitialized),
              ElementsAre(kInitialized, "request 3 prompts/list", "request 4 resources/read",
                          "ready 2025-06-18"));
  EXPECT_EQ(server.session().requests_in_flight(), 2u);
}

TEST(ClientHandshake, IgnoresEventsOutOfTurn) {
  ClientDriver server;
  EXPECT_THAT(server.Says(R"({"jsonrpc":"2.0","id":1,"result":{}})"), IsEmpty());
  EXPECT_THAT(server.Gone(), IsEmpty());
  EXPECT_THAT(server.After(absl::Hours(1)), IsEmpty());
  server.Modern();
  EXPECT_THAT(server.Start(), IsEmpty());
  EXPECT_THAT(server.Connected(), IsEmpty());
  EXPECT_THAT(server.After(absl::Hours(1)), IsEmpty());
}

}  // namespace
}  // namespace tipstaff::mcp
