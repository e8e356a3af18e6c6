// tipstaff-guest --http as clients meet it: raw sockets, a scripted mediator.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <future>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "guest-agent/limits.h"
#include "guest-agent/testing/child.h"
#include "guest-agent/testing/fake_mediator.h"
#include "guest-agent/testing/http_client.h"
#include "mediator/base/file.h"
#include "mediator/base/testing/temp_folder.h"
#include "mediator/json/write.h"

namespace tipstaff::guest_agent {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

constexpr char kProgram[] = TIPSTAFF_BIN_DIR "/tipstaff-guest";
constexpr char kToken[] = "SECRET.TOKEN.x";
constexpr char kMeta[] = R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                         R"("io.modelcontextprotocol/clientCapabilities":{}})";

class Http : public ::testing::Test {
 protected:
  Http() : mediator_(folder_.Path("guest.sock"), kToken) {
    EXPECT_TRUE(base::WriteFile(folder_.Path("token"), kToken).ok());
    mediator_.On("echo", [](auto&, const proto::CallRequest& request, auto& writer) {
      return FakeMediator::End(writer,
                               absl::StrCat(R"({"content":[],"echo":)", request.arguments(), "}"),
                               "allow", "permitted");
    });
    // Progress, then the end.
    mediator_.On("steps", [](auto&, const proto::CallRequest&, auto& writer) {
      for (int i = 1; i <= 2; ++i) {
        proto::CallEvent event;
        event.mutable_progress()->set_progress(i);
        writer.Write(event);
      }
      return FakeMediator::End(writer, R"({"content":[],"done":true})", "allow", "permitted");
    });
    mediator_.On("slow", [this](grpc::ServerContext& context, const auto&, auto&) {
      const grpc::Status status = FakeMediator::UntilCancelled(context);
      cancelled_.set_value();
      return status;
    });
    mediator_.On("SUBSCRIPTION", [](auto&, const auto&, auto& writer) {
      return FakeMediator::End(writer, "{}", "allow", "permitted");
    });
    proto::ListReply reply;
    proto::Tool& tool = *reply.add_tools();
    tool.set_name("echo");
    tool.set_input_schema(
        R"({"type":"object","properties":{"r":{"type":"string","x-mcp-header":"Region"}}})");
    reply.add_resources(R"({"uri":"file:///a","name":"a"})");
    reply.set_subscriptions(true);
    mediator_.SetTools(reply);
  }

  void Start(std::vector<std::string> more = {}) {
    mediator_.Start();
    std::vector<std::string> arguments = {"--http",       "127.0.0.1:0",
                                          "--connect",    folder_.Path("guest.sock"),
                                          "--token-file", folder_.Path("token")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    child_ = std::make_unique<Child>(kProgram, arguments);
    const std::string url = child_->WaitForError("listening on http://127.0.0.1:");
    uint32_t port = 0;
    ASSERT_TRUE(absl::EndsWith(url, "/mcp")) << url;
    ASSERT_TRUE(absl::SimpleAtoi(url.substr(0, url.find('/')), &port)) << url;
    port_ = static_cast<uint16_t>(port);
  }
  void Finish() {
    child_->Signal(SIGTERM);
    EXPECT_EQ(child_->Wait(), 0);
    EXPECT_THAT(child_->Errors(), Not(HasSubstr("SECRET"))) << "never a token or arguments";
  }

  // A request as bytes; `headers` are lines that end with \r\n.
  std::string Bytes(absl::string_view headers, absl::string_view body,
                    absl::string_view method = "POST") const {
    return absl::StrCat(method, " /mcp HTTP/1.1\r\nHost: 127.0.0.1:", port_, "\r\n",
                        "Accept: application/json, text/event-stream\r\n",
                        method == "POST" ? absl::StrCat("Content-Type: application/json\r\n",
                                                        "Content-Length: ", body.size(), "\r\n")
                                         : "",
                        headers, "\r\n", body);
  }
  static std::string Body(absl::string_view id, absl::string_view method,
                          absl::string_view params = "{}") {
    return absl::StrCat(R"({"jsonrpc":"2.0",)", id.empty() ? "" : absl::StrCat(R"("id":)", id, ","),
                        R"("method":")", method, R"(","params":)", params, "}");
  }
  std::string Modern(absl::string_view id, absl::string_view method, absl::string_view members = "",
                     absl::string_view headers = "") const {
    return Bytes(
        absl::StrCat("MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: ", method, "\r\n", headers),
        Body(id, method, absl::StrCat("{", members, kMeta, "}")));
  }
  // A modern tools/call.
  std::string Call(absl::string_view id, absl::string_view tool,
                   absl::string_view members = "") const {
    return Modern(id, "tools/call", absl::StrCat(R"("name":")", tool, "\",", members),
                  absl::StrCat("Mcp-Name: ", tool, "\r\n"));
  }
  std::string Legacy(absl::string_view body, absl::string_view session) const {
    return Bytes(
        absl::StrCat("Mcp-Session-Id: ", session, "\r\nMCP-Protocol-Version: 2025-11-25\r\n"),
        body);
  }
  HttpReply Ask(const std::string& bytes) const {
    HttpClient client(port_);
    client.Send(bytes);
    return client.Read();
  }
  // Opens a legacy session; its name.
  std::string Initialize() const {
    const HttpReply reply =
        Ask(Bytes("", Body("0", "initialize",
                           R"({"protocolVersion":"2025-11-25","capabilities":{},)"
                           R"("clientInfo":{"name":"test-agent","version":"9"}})")));
    EXPECT_EQ(reply.status, 200);
    EXPECT_EQ(reply.json().root().Find("result").StringOr("protocolVersion", ""), "2025-11-25");
    const auto session = reply.headers.find("mcp-session-id");
    EXPECT_NE(session, reply.headers.end());
    return session == reply.headers.end() ? "" : session->second;
  }
  static int64_t Error(const HttpReply& reply) {
    return reply.json().root().Find("error").IntegerOr("code", 0);
  }
  void WaitForCancelled() {
    EXPECT_EQ(cancelled_.get_future().wait_for(std::chrono::seconds(60)),
              std::future_status::ready);
  }

  base::TempFolder folder_;
  std::promise<void> cancelled_;
  FakeMediator mediator_;
  std::unique_ptr<Child> child_;
  uint16_t port_ = 0;
};

TEST_F(Http, ServesALegacySession) {
  Start();
  const std::string session = Initialize();
  EXPECT_EQ(session.size(), 32u);
  HttpClient client(port_);
  client.Send(Legacy(Body("", "notifications/initialized"), session));
  const HttpReply accepted = client.Read();
  EXPECT_EQ(accepted.status, 202);
  EXPECT_EQ(accepted.body, "");
  client.Send(Legacy(R"({"jsonrpc":"2.0","id":1,"result":{}})", session));
  EXPECT_EQ(client.Read().status, 202) << "a response";
  client.Send(Legacy(Body("1", "tools/list"), session));
  EXPECT_EQ(client.Read().json().root().Find("result").Find("tools").size(), 1u);
  client.Send(Legacy(Body("2", "tools/call", R"({"name":"echo","arguments":{"a":1}})"), session));
  EXPECT_EQ(json::Dump(client.Read().json().root().Find("result").Find("echo")), R"({"a":1})");
  client.Send(Bytes(absl::StrCat("Mcp-Session-Id: ", session, "\r\n"), Body("3", "ping")));
  EXPECT_EQ(client.Read().status, 200) << "no version header: 2025-03-26";
  EXPECT_EQ(mediator_.hellos().at(0).agent_name(), "test-agent");
  client.Send(Bytes(absl::StrCat("Mcp-Session-Id: ", session, "\r\n"), "", "DELETE"));
  EXPECT_EQ(client.Read().status, 200);
  client.Send(Legacy(Body("4", "ping"), session));
  const HttpReply gone = client.Read();
  EXPECT_EQ(gone.status, 404);
  EXPECT_EQ(gone.json().root().IntegerOr("id", 0), 4) << "with a JSON-RPC body";
  Finish();
}

TEST_F(Http, SessionsAreNeeded) {
  Start();
  const HttpReply absent = Ask(Bytes("", Body("1", "tools/list")));
  EXPECT_EQ(absent.status, 400);
  EXPECT_EQ(Error(absent), -32600);
  EXPECT_EQ(Ask(Legacy(Body("1", "tools/list"), "made-up")).status, 404);
  EXPECT_EQ(Ask(Bytes("Mcp-Session-Id: made-up\r\n", "", "GET")).status, 404);
  EXPECT_EQ(Ask(Bytes("Mcp-Session-Id: made-up\r\n", "", "DELETE")).status, 404);
  EXPECT_EQ(Ask(Bytes("MCP-Protocol-Version: 1999-01-01\r\n", Body("1", "initialize"))).status,
            400);
  const HttpReply failed = Ask(Bytes("", Body("1", "initialize")));
  EXPECT_EQ(Error(failed), -32602);
  EXPECT_EQ(failed.headers.count("mcp-session-id"), 0u) << "no session for a failed initialize";
  Finish();
}

TEST_F(Http, ServesModernRequests) {
  Start();
  HttpClient client(port_);
  client.Send(Modern("\"d\"", "server/discover"));
  const HttpReply discovered = client.Read();
  EXPECT_EQ(discovered.status, 200);
  EXPECT_EQ(discovered.headers.count("mcp-session-id"), 0u);
  EXPECT_TRUE(
      discovered.json().root().Find("result").Find("capabilities").Find("resources").is_object());
  client.Send(Call("1", "echo"));
  EXPECT_EQ(client.Read().json().root().Find("result").StringOr("resultType", ""), "complete");
  struct Case {
    const char* reason;
    std::string bytes;
    int status;
    int code;
  };
  const Case kCases[] = {
      {"a method that is not there", Modern("2", "ping"), 404, -32601},
      {"initialize", Modern("2", "initialize"), 404, -32601},
      {"prompts when there are none", Modern("2", "prompts/list"), 404, -32601},
      {"an unknown tool", Call("2", "nothing"), 200, -32602},
      {"no name header", Modern("2", "tools/call", R"("name":"echo",)"), 400, -32020},
      {"no `_meta`",
       Bytes("MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/list\r\n",
             Body("2", "tools/list")),
       400, -32602},
      {"array body", Bytes("MCP-Protocol-Version: 2026-07-28\r\n", "[]"), 400, -32600},
      {"no JSON", Bytes("MCP-Protocol-Version: 2026-07-28\r\n", "{"), 400, -32700},
  };
  for (const Case& c : kCases) {
    client.Send(c.bytes);
    const HttpReply reply = client.Read();
    EXPECT_EQ(reply.status, c.status) << c.reason;
    EXPECT_EQ(Error(reply), c.code) << c.reason;
    EXPECT_FALSE(reply.json().root().Find("id").is_null()) << c.reason;
  }
  client.Send(Bytes("MCP-Protocol-Version: 2026-07-28\r\n", Body("", "notifications/cancelled")));
  EXPECT_EQ(client.Read().status, 202);
  Finish();
}

TEST_F(Http, GetAndDeleteAreNotModern) {
  Start();
  for (const char* method : {"GET", "DELETE"}) {
    for (const char* headers : {"", "MCP-Protocol-Version: 2026-07-28\r\n"}) {
      const HttpReply reply = Ask(Bytes(headers, "", method));
      EXPECT_EQ(reply.status, 405) << method << headers;
      EXPECT_EQ(reply.headers.at("allow"), "POST");
    }
  }
  Finish();
}

TEST_F(Http, HeadersOfArgumentsHaveToMatch) {
  Start();
  const auto call = [&](absl::string_view headers) {
    return Ask(Modern("1", "tools/call", R"("name":"echo","arguments":{"r":"eu"},)",
                      absl::StrCat("Mcp-Name: echo\r\n", headers)));
  };
  EXPECT_EQ(call("Mcp-Param-Region: eu\r\n").status, 200);
  const HttpReply missing = call("");
  EXPECT_EQ(missing.status, 400);
  EXPECT_EQ(Error(missing), -32020);
  EXPECT_EQ(call("Mcp-Param-Region: us\r\n").status, 400);
  EXPECT_THAT(mediator_.calls(), SizeIs(1)) << "the others were never made";
  Finish();
}

TEST_F(Http, ProgressMakesAStream) {
  Start();
  HttpClient client(port_);
  client.Send(Call("1", "steps", R"("arguments":{},)"));
  const HttpReply silent = client.Read();
  EXPECT_FALSE(silent.is_stream()) << "nobody asked for progress";
  EXPECT_TRUE(silent.json().root().Find("result").BoolOr("done", false));
  const std::string with_token =
      absl::StrReplaceAll(Body("2", "tools/call", absl::StrCat(R"({"name":"steps",)", kMeta, "}")),
                          {{R"("_meta":{)", R"("_meta":{"progressToken":"p",)"}});
  client.Send(
      Bytes("MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\n"
            "Mcp-Name: steps\r\n",
            with_token));
  const HttpReply stream = client.Read();
  EXPECT_EQ(stream.status, 200);
  ASSERT_TRUE(stream.is_stream());
  for (int i = 1; i <= 2; ++i) {
    EXPECT_EQ(json::Dump(client.ReadEventJson().root().Find("params")),
              absl::StrCat(R"({"progressToken":"p","progress":)", i, "}"));
  }
  EXPECT_EQ(client.ReadEventJson().root().IntegerOr("id", 0), 2);
  EXPECT_EQ(client.ReadEvent(), "") << "the answer ends the stream";
  client.Send(Call("3", "echo"));
  EXPECT_EQ(client.Read().status, 200) << "the connection stays";
  Finish();
}

TEST_F(Http, ALegacySessionHearsOfProgressOnItsRequest) {
  Start();
  const std::string session = Initialize(), other = Initialize();
  HttpClient stream(port_), client(port_);
  stream.Send(Bytes(absl::StrCat("Mcp-Session-Id: ", other, "\r\n"), "", "GET"));
  ASSERT_TRUE(stream.Read().is_stream());
  client.Send(
      Legacy(Body("1", "tools/call", R"({"name":"steps","_meta":{"progressToken":1}})"), session));
  ASSERT_TRUE(client.Read().is_stream());
  EXPECT_EQ(client.ReadEventJson().root().StringOr("method", ""), "notifications/progress");
  client.ReadEvent();
  EXPECT_EQ(client.ReadEventJson().root().IntegerOr("id", 0), 1);
  mediator_.Change(proto::TOOL);
  EXPECT_EQ(stream.ReadEventJson().root().StringOr("method", ""),
            "notifications/tools/list_changed")
      << "the progress of another session came nowhere else";
  Finish();
}

// two clients in flight with id 1: answers never swapped
TEST_F(Http, TwoClientsInFlightWithIdOne) {
  constexpr int kClients = 8;
  mediator_.On("wait", [this](auto&, const proto::CallRequest& request, auto& writer) {
    mediator_.WaitForCalls(kClients);
    return FakeMediator::End(writer,
                             absl::StrCat(R"({"content":[],"n":)", request.arguments(), "}"),
                             "allow", "permitted");
  });
  Start();
  std::vector<std::unique_ptr<HttpClient>> clients;
  for (int i = 0; i < kClients; ++i) {
    clients.push_back(std::make_unique<HttpClient>(port_));
    const std::string arguments = absl::StrCat(R"("arguments":{"i":)", i, "}");
    clients.back()->Send(
        i % 2 == 0
            ? Call("1", "wait", arguments + ",")
            : Legacy(Body("1", "tools/call", absl::StrCat(R"({"name":"wait",)", arguments, "}")),
                     Initialize()));
  }
  for (int i = 0; i < kClients; ++i) {
    const json::Document answer = clients[i]->Read().json();
    EXPECT_EQ(answer.root().IntegerOr("id", 0), 1);
    EXPECT_EQ(answer.root().Find("result").Find("n").IntegerOr("i", -1), i);
  }
  Finish();
}

TEST_F(Http, ClosingAModernResponseCancelsTheRequest) {
  Start();
  HttpClient client(port_);
  client.Send(Call("1", "slow"));
  mediator_.WaitForCalls(1);
  client.Close();
  WaitForCancelled();
  EXPECT_EQ(Ask(Call("1", "echo")).status, 200);
  Finish();
}

TEST_F(Http, ALegacyCallOutlivesItsConnectionAndIsCancelledByWord) {
  Start();
  const std::string session = Initialize();
  HttpClient client(port_);
  client.Send(Legacy(Body("1", "tools/call", R"({"name":"slow"})"), session));
  mediator_.WaitForCalls(1);
  client.Close();
  const HttpReply again = Ask(Legacy(Body("1", "tools/call", R"({"name":"echo"})"), session));
  EXPECT_EQ(Error(again), -32600) << "the id is still in flight";
  EXPECT_EQ(Ask(Legacy(Body("", "notifications/cancelled", R"({"requestId":1})"), session)).status,
            202);
  WaitForCancelled();
  EXPECT_EQ(Ask(Legacy(Body("1", "tools/call", R"({"name":"echo"})"), session)).status, 200);
  Finish();
}

// cancel for a client's id: not queued behind the call it cancels
TEST_F(Http, ACancelledLegacyCallEndsItsResponse) {
  Start();
  const std::string session = Initialize();
  HttpClient client(port_);
  client.Send(Legacy(Body("1", "tools/call", R"({"name":"slow"})"), session));
  mediator_.WaitForCalls(1);
  Ask(Legacy(Body("", "notifications/cancelled", R"({"requestId":1})"), session));
  EXPECT_TRUE(client.Read().is_stream());
  EXPECT_EQ(client.ReadEvent(), "") << "no answer to a cancelled call";
  WaitForCancelled();
  Finish();
}

TEST_F(Http, DeletingASessionCancelsWhatIsUnderWay) {
  Start();
  const std::string session = Initialize();
  HttpClient client(port_), stream(port_);
  stream.Send(Bytes(absl::StrCat("Mcp-Session-Id: ", session, "\r\n"), "", "GET"));
  ASSERT_TRUE(stream.Read().is_stream());
  client.Send(Legacy(Body("1", "tools/call", R"({"name":"slow"})"), session));
  mediator_.WaitForCalls(1);
  EXPECT_EQ(Ask(Bytes(absl::StrCat("Mcp-Session-Id: ", session, "\r\n"), "", "GET")).status, 409)
      << "one stream a session";
  Ask(Bytes(absl::StrCat("Mcp-Session-Id: ", session, "\r\n"), "", "DELETE"));
  WaitForCancelled();
  EXPECT_EQ(stream.ReadEvent(), "");
  EXPECT_TRUE(client.Read().is_stream());
  EXPECT_EQ(client.ReadEvent(), "");
  Finish();
}

TEST_F(Http, ListensForChanges) {
  Start();
  HttpClient client(port_), other(port_);
  client.Send(Modern("\"l\"", "subscriptions/listen",
                     R"("notifications":{"toolsListChanged":true,)"
                     R"("resourceSubscriptions":["file:///a"]},)"));
  ASSERT_TRUE(client.Read().is_stream());
  EXPECT_EQ(json::Dump(client.ReadEventJson().root()),
            R"({"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":)"
            R"({"_meta":{"io.modelcontextprotocol/subscriptionId":"l"},"notifications":)"
            R"({"toolsListChanged":true,"resourceSubscriptions":["file:///a"]}}})");
  mediator_.WaitForWatches(1);
  mediator_.ResourceUpdated("file:///b");
  mediator_.Change(proto::PROMPT);
  mediator_.ResourceUpdated("file:///a");
  EXPECT_THAT(client.ReadEvent(), HasSubstr(R"("uri":"file:///a")")) << "and of nothing else";
  mediator_.Change(proto::TOOL);
  EXPECT_THAT(client.ReadEvent(), HasSubstr("notifications/tools/list_changed"));
  EXPECT_THAT(mediator_.calls(), SizeIs(1));
  other.Send(absl::StrReplaceAll(
      Modern("1", "subscriptions/listen", R"("notifications":{},)"),
      {{"Accept: application/json, text/event-stream", "Accept: application/json"}}));
  EXPECT_EQ(other.Read().status, 406);
  Finish();
}

TEST_F(Http, SessionsAreBounded) {
  Start();
  const std::string first = Initialize();
  const std::string kept = Initialize();
  HttpClient stream(port_);
  stream.Send(Bytes(absl::StrCat("Mcp-Session-Id: ", kept, "\r\n"), "", "GET"));
  ASSERT_TRUE(stream.Read().is_stream());
  for (size_t i = 0; i < kMaxHttpSessions - 1; ++i) Initialize();
  EXPECT_EQ(Ask(Legacy(Body("1", "ping"), first)).status, 404) << "the oldest idle one went";
  EXPECT_EQ(Ask(Legacy(Body("1", "ping"), kept)).status, 200) << "in use";
  Finish();
}

TEST_F(Http, ServesOnlyTheLoopbackByItsName) {
  Start();
  struct Case {
    const char* reason;
    const char* host;
    const char* more;
    int status;
  };
  const Case kCases[] = {
      {"DNS rebinding", "evil.example", "", 403},
      {"with the port", "evil.example:%", "", 403},
      {"no port", "127.0.0.1", "", 403},
      {"a page elsewhere", "127.0.0.1:%", "Origin: http://evil.example\r\n", 403},
      {"an opaque page", "127.0.0.1:%", "Origin: null\r\n", 403},
      {"two hosts", "127.0.0.1:%", "Host: evil.example\r\n", 400},
  };
  for (const Case& c : kCases) {
    const std::string bytes = absl::StrReplaceAll(
        absl::StrCat("POST /mcp HTTP/1.1\r\nHost: ", c.host, "\r\n", c.more,
                     "Content-Type: application/json\r\nMCP-Protocol-Version: 2026-07-28\r\n"
                     "Mcp-Method: tools/list\r\nContent-Length: 9999999999\r\n\r\n{"),
        {{"%", absl::StrCat(port_)}});
    HttpClient client(port_);
    client.Send(bytes);
    EXPECT_EQ(client.Read().status, c.status) << c.reason << ": before the body is there";
    EXPECT_TRUE(client.ReadToEnd()) << c.reason;
  }
  HttpClient client(port_);
  client.Send(absl::StrReplaceAll(
      Modern("1", "tools/list", "", absl::StrCat("Origin: http://localhost:", port_, "\r\n")),
      {{absl::StrCat("Host: 127.0.0.1:", port_), absl::StrCat("Host: localhost:", port_)}}));
  EXPECT_EQ(client.Read().status, 200);
  Finish();
}

TEST_F(Http, WantsItsToken) {
  ASSERT_TRUE(base::WriteFile(folder_.Path("http"), "SECRET-http\n").ok());
  Start({"--http-token-file", folder_.Path("http")});
  const HttpReply without = Ask(Modern("1", "tools/list"));
  EXPECT_EQ(without.status, 401);
  EXPECT_EQ(without.headers.at("www-authenticate"), "Bearer");
  EXPECT_EQ(Ask(Modern("1", "tools/list", "", "Authorization: Bearer SECRET\r\n")).status, 401);
  EXPECT_EQ(Ask(Modern("1", "tools/list", "", "Authorization: Bearer SECRET-http\r\n")).status,
            200);
  Finish();
}

TEST_F(Http, ReadsRequestsHoweverTheyArrive) {
  Start();
  HttpClient slowly(port_);
  slowly.SendSlowly(Call("1", "echo"), 7);
  EXPECT_EQ(slowly.Read().json().root().IntegerOr("id", 0), 1) << "split writes";

  HttpClient ahead(port_);
  std::string pipeline;
  for (int i = 1; i <= 50; ++i) absl::StrAppend(&pipeline, Call(absl::StrCat(i), "echo"));
  ahead.Send(pipeline);
  for (int i = 1; i <= 50; ++i) {
    EXPECT_EQ(ahead.Read().json().root().IntegerOr("id", 0), i) << "pipelined: in order";
  }

  HttpClient chunked(port_);
  const std::string body = Body("7", "tools/list", absl::StrCat("{", kMeta, "}"));
  std::string bytes =
      absl::StrCat("POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:", port_,
                   "\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n"
                   "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/list\r\n\r\n");
  for (size_t at = 0; at < body.size(); at += 5) {
    const std::string piece = body.substr(at, 5);
    absl::StrAppend(&bytes, piece.size(), ";x=y\r\n", piece, "\r\n");
  }
  chunked.Send(absl::StrCat(bytes, "0\r\n\r\n"));
  EXPECT_EQ(chunked.Read().json().root().IntegerOr("id", 0), 7) << "chunked";

  HttpClient expects(port_);
  const std::string whole = Modern("8", "tools/list", "", "Expect: 100-continue\r\n");
  const size_t head = whole.find("\r\n\r\n") + 4;
  expects.Send(whole.substr(0, head));
  EXPECT_EQ(expects.Read().status, 100);
  expects.Send(whole.substr(head));
  EXPECT_EQ(expects.Read().status, 200);
  Finish();
}

TEST_F(Http, ServesHttp10) {
  Start();
  const auto as_10 = [](const std::string& bytes) {
    return absl::StrReplaceAll(bytes, {{"HTTP/1.1", "HTTP/1.0"}});
  };
  HttpClient client(port_);
  client.Send(as_10(Call("1", "echo")));
  const HttpReply reply = client.Read();
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.headers.at("connection"), "close");
  EXPECT_TRUE(client.ReadToEnd());
  HttpClient stream(port_);
  stream.Send(as_10(Modern("1", "subscriptions/listen", R"("notifications":{},)")));
  const HttpReply head = stream.Read();
  EXPECT_TRUE(head.is_stream());
  EXPECT_EQ(head.headers.count("transfer-encoding"), 0u) << "it does not know chunks";
  EXPECT_THAT(stream.ReadEvent(), HasSubstr("acknowledged"));
  Finish();
}

TEST_F(Http, RefusesWhatIsTooLargeOrNoRequest) {
  Start();
  struct Case {
    const char* reason;
    std::string bytes;
    int status;
  };
  const std::string head = absl::StrCat("POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:", port_, "\r\n");
  const Case kCases[] = {
      {"a huge header", absl::StrCat(head, "X: ", std::string(20'000, 'x'), "\r\n\r\n"), 431},
      {"many headers",
       absl::StrCat(head, absl::StrReplaceAll(std::string(4000, 'x'), {{"x", "A: b\r\n"}}), "\r\n"),
       431},
      {"a header without end", absl::StrCat(head, "X: ", std::string(100'000, 'x')), 431},
      {"a huge body",
       absl::StrCat(head, "Content-Type: application/json\r\nContent-Length: 2097153\r\n\r\n"),
       413},
      {"a chunk of 2^60 bytes",
       absl::StrCat(head, "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n",
                    "1000000000000000\r\n"),
       413},
      {"a length that is none",
       absl::StrCat(head, "Content-Type: application/json\r\nContent-Length: -1\r\n\r\n"), 400},
      {"two lengths",
       absl::StrCat(head,
                    "Content-Type: application/json\r\nContent-Length: 2\r\n"
                    "Content-Length: 3\r\n\r\n{}"),
       400},
      {"length and chunks",
       absl::StrCat(head,
                    "Content-Type: application/json\r\nContent-Length: 2\r\n"
                    "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
       400},
      {"garbage", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 TLS\r\n\r\n", 400},
      {"HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400},
      {"another path", absl::StrReplaceAll(Modern("1", "tools/list"), {{" /mcp ", " /x "}}), 404},
      {"a form",
       absl::StrReplaceAll(Modern("1", "tools/list"), {{"application/json\r\n", "text/plain\r\n"}}),
       415},
      {"another method", absl::StrCat("PUT /mcp HTTP/1.1\r\nHost: 127.0.0.1:", port_, "\r\n\r\n"),
       405},
  };
  for (const Case& c : kCases) {
    HttpClient client(port_);
    client.Send(c.bytes);
    const HttpReply reply = client.Read();
    EXPECT_EQ(reply.status, c.status) << c.reason;
    EXPECT_TRUE(client.ReadToEnd()) << c.reason << ": the connection ends with it";
  }
  EXPECT_EQ(Ask(Call("1", "echo")).status, 200) << "others are served";
  Finish();
}

TEST_F(Http, ABodyOfTheLargestSizeIsRead) {
  Start();
  const std::string arguments =
      absl::StrCat(R"("arguments":{"a":")", std::string(250'000, 'x'), R"("},)");
  const HttpReply reply = Ask(Call("1", "echo", arguments));
  EXPECT_EQ(reply.json().root().Find("result").Find("echo").StringOr("a", "").size(), 250'000u);
  const HttpReply too_large = Ask(Call(
      "1", "echo", absl::StrCat(R"("arguments":{"a":")", std::string(300'000, 'x'), R"("},)")));
  EXPECT_EQ(too_large.status, 200);
  EXPECT_THAT(too_large.body, HasSubstr("at most 262144 are accepted"));
  Finish();
}

TEST_F(Http, ManyConnectionsThatSayNothingHoldNobodyUp) {
  Start();
  std::vector<std::unique_ptr<HttpClient>> silent;
  for (size_t i = 0; i + 2 < kMaxHttpConnections; ++i) {
    silent.push_back(std::make_unique<HttpClient>(port_));
    silent.back()->Send("POST /mcp HTTP/1.1\r\n");
  }
  EXPECT_EQ(Ask(Call("1", "echo")).status, 200);
  for (size_t i = 0; i < 20; ++i) {
    silent.push_back(std::make_unique<HttpClient>(port_));
    silent.back()->Send("POST");
  }
  EXPECT_TRUE(silent.back()->ReadToEnd()) << "one too many is closed at once";
  silent.clear();
  // Soon there is room again.
  HttpReply reply;
  for (int i = 0; i < 1000 && reply.status == 0; ++i) reply = Ask(Call("1", "echo"));
  EXPECT_EQ(reply.status, 200);
  Finish();
}

TEST_F(Http, LargeResultsArriveWhole) {
  const std::string text(6 << 20, 'x');
  mediator_.On("large", [&](auto&, const auto&, auto& writer) {
    for (int i = 0; i < 6; ++i) {
      proto::CallEvent event;
      event.set_piece(absl::StrCat(i == 0 ? R"({"content":[{"type":"text","text":")" : "",
                                   std::string(1 << 20, 'x')));
      writer.Write(event);
    }
    return FakeMediator::End(writer, R"("}]})", "allow", "permitted");
  });
  Start();
  EXPECT_TRUE(Ask(Call("1", "large"))
                  .json()
                  .root()
                  .Find("result")
                  .Find("content")
                  .At(0)
                  .StringOr("text", "") == text);
  Finish();
}

TEST_F(Http, EndsBySignalWhileStreamsAreOpen) {
  Start();
  HttpClient stream(port_), waiting(port_);
  stream.Send(Modern("1", "subscriptions/listen", R"("notifications":{},)"));
  ASSERT_TRUE(stream.Read().is_stream());
  waiting.Send(Call("1", "slow"));
  mediator_.WaitForCalls(1);
  Finish();
  WaitForCancelled();
  EXPECT_TRUE(stream.ReadToEnd());
}

TEST_F(Http, SaysWhyItCannotListen) {
  Start();
  Child second(kProgram, {"--http", absl::StrCat("127.0.0.1:", port_), "--token-file",
                          folder_.Path("token")});
  EXPECT_EQ(second.Wait(), 5);
  EXPECT_THAT(second.Errors(), HasSubstr(absl::StrCat("cannot listen on 127.0.0.1:", port_)));
  Child open(kProgram, {"--http", "0.0.0.0:0", "--token-file", folder_.Path("token")});
  EXPECT_EQ(open.Wait(), 2);
  EXPECT_THAT(open.Errors(), HasSubstr("only the machine itself is served"));
  Child token(kProgram, {"--http", "127.0.0.1:0", "--token-file", folder_.Path("token"),
                         "--http-token-file", folder_.Path("none")});
  EXPECT_EQ(token.Wait(), 2);
  EXPECT_THAT(token.Errors(), HasSubstr("no HTTP token"));
  Finish();
}

}  // namespace
}  // namespace tipstaff::guest_agent
