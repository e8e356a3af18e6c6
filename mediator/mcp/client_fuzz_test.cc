// A hostile server: mutations of what servers say, thrown at a session in every state, while
// requests come and go. What may never happen is checked at each output.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "mediator/json/parse.h"
#include "mediator/mcp/testing/client_driver.h"

namespace tipstaff::mcp {
namespace {

class Fuzz {
 public:
  // How often each kind of output came, over all sessions, goes into `kinds`.
  Fuzz(Wire wire, uint32_t seed, std::map<size_t, int>& kinds)
      : kinds_(kinds), wire_(wire), random_(seed), session_(wire, {"tipstaff", "1.0", ""}) {}

  void Run(int messages) {
    Check(session_.Start(now_));
    for (int i = 0; i < messages && !::testing::Test::HasFailure(); ++i) {
      if (Chance(4)) Act();
      const std::string bytes = Mutated(Valid());
      Check(session_.OnMessage(bytes, now_, Chance(2) ? newest_id_ : Pick(newest_id_ + 2)));
    }
    // The end: no ticket is left without one.
    Check(session_.OnGone("the end", now_));
    Check(session_.OnGone("the end", now_));
    if (const std::optional<absl::Time> deadline = session_.deadline()) {
      Check(session_.OnTime(*deadline));
    }
    Check(session_.OnConnected(now_));
    for (int i = 0; i < 8 && session_.deadline(); ++i) {
      now_ = *session_.deadline();
      Check(session_.OnTime(now_));
      if (wants_connection_) Check(session_.OnConnected(now_));
    }
    EXPECT_TRUE(open_.empty()) << "a ticket has no end";
  }

 private:
  size_t Pick(size_t below) { return random_() % below; }
  bool Chance(int in) { return Pick(in) == 0; }

  void Act() {
    uint64_t ticket = 0;
    ClientOutputs outputs;
    switch (Pick(10)) {
      case 0:
      case 1:
      case 2:
        outputs = session_.Request(
            {.method = "tools/call", .params = R"({"name":"t"})", .want_progress = Chance(2)}, now_,
            ticket);
        return Opened(outputs, ticket);
      case 3:
        outputs = session_.List(static_cast<ListKind>(Pick(4)), now_, ticket);
        return Opened(outputs, ticket);
      case 4:
        if (open_.empty()) return;
        ticket = *std::next(open_.begin(), Pick(open_.size()));
        open_.erase(ticket);
        cancelled_.insert(ticket);
        return Check(session_.Cancel(ticket, "enough"));
      case 5:
        return Check(session_.OnHttpFailure(Pick(newest_id_ + 2), Chance(2) ? 404 : 500,
                                            Mutated(Valid()), Chance(2), now_));
      case 6:
        return Check(session_.OnResponseEnd(Pick(newest_id_ + 2), now_));
      case 7:
        if (Chance(4)) Check(session_.OnGone("gone", now_));
        return;
      case 8:
        now_ += absl::Seconds(Pick(12));
        return Check(session_.OnTime(now_));
      default:
        wants_connection_ = false;
        return Check(session_.OnConnected(now_));
    }
  }

  // What a server could say now, mostly of the newest request.
  std::string Valid() {
    const std::string id = absl::StrCat(Chance(3) ? Pick(newest_id_ + 2) : newest_id_);
    switch (Pick(13)) {
      case 0:
        return ResultMessage(id, ClientDriver::kDiscovered);
      case 1:
        return ResultMessage(id, ClientDriver::kInitialized);
      case 2:
        return ResultMessage(id, R"({"content":[{"type":"text","text":"hi"}]})");
      case 3:
        return ResultMessage(id, R"({"tools":[{"name":"a"}],"prompts":[],"nextCursor":"c"})");
      case 4:
        return ErrorMessage(id, kMethodNotFound, "method not found");
      case 5:
        return ErrorMessage(id, kUnsupportedVersion, "version",
                            R"({"supported":["2026-07-28","2025-11-25"]})");
      case 6:
        return NotificationMessage(
            "notifications/progress",
            absl::StrCat(R"({"progressToken":)", id, R"(,"progress":1,"total":2})"));
      case 7:
        return NotificationMessage("notifications/message", R"({"level":"info","data":"x"})");
      case 8:
        return NotificationMessage("notifications/tools/list_changed", "{}");
      case 9:
        return NotificationMessage("notifications/cancelled",
                                   absl::StrCat(R"({"requestId":)", id, "}"));
      case 10:
        return NotificationMessage("notifications/resources/updated", R"({"uri":"x:"})");
      case 11:
        return absl::StrCat(R"({"jsonrpc":"2.0","id":)", id, R"(,"method":"roots/list"})");
      default:
        return ResultMessage(id, R"({"resultType":"input_required","inputRequests":{}})");
    }
  }

  std::string Mutated(std::string text) {
    constexpr absl::string_view kBits[] = {"null",
                                           "\"1\"",
                                           "[]",
                                           "{}",
                                           "\"id\":1,",
                                           "1e999",
                                           "\\u0000",
                                           "\xff",
                                           "}",
                                           "{\"a\":",
                                           "\"result\":{},",
                                           "18446744073709551615",
                                           "-1",
                                           ",",
                                           "\"method\":\"m\","};
    for (size_t edits = Pick(3); edits > 0 && !text.empty(); --edits) {
      const size_t at = Pick(text.size());
      switch (Pick(5)) {
        case 0:
          text[at] = static_cast<char>(random_());
          break;
        case 1:
          text.erase(at, 1 + Pick(8));
          break;
        case 2: {
          const absl::string_view bit = kBits[Pick(std::size(kBits))];
          text.insert(at, bit.data(), bit.size());
          break;
        }
        case 3:
          text.insert(at, text.substr(Pick(text.size()), Pick(20)));
          break;
        default:
          text.resize(at);
      }
    }
    return text;
  }

  void Opened(const ClientOutputs& outputs, uint64_t ticket) {
    EXPECT_TRUE(tickets_.insert(ticket).second) << "ticket " << ticket << " was there before";
    open_.insert(ticket);
    Check(outputs);
  }

  void End(uint64_t ticket) {
    EXPECT_EQ(open_.erase(ticket), 1u) << "an end for ticket " << ticket << ", which has none due";
  }
  void Live(uint64_t ticket) { EXPECT_TRUE(open_.contains(ticket)) << "ticket " << ticket; }

  void Check(const ClientOutputs& outputs) {
    for (const ClientOutput& output : outputs) {
      ++kinds_[output.index()];
      if (const auto* o = std::get_if<SendRequest>(&output)) {
        EXPECT_GT(o->id, newest_id_) << "ids only grow";
        newest_id_ = o->id;
        CheckMessage(o->message);
      } else if (const auto* o = std::get_if<SendNotification>(&output)) {
        CheckMessage(o->message);
      } else if (const auto* o = std::get_if<Answered>(&output)) {
        End(o->ticket);
        EXPECT_NE(o->result.empty(), !o->error) << "one of the two";
      } else if (const auto* o = std::get_if<Unanswered>(&output)) {
        End(o->ticket);
      } else if (const auto* o = std::get_if<Listed>(&output)) {
        End(o->ticket);
        EXPECT_TRUE(o->error.empty() || o->items.empty());
      } else if (const auto* o = std::get_if<Progressed>(&output)) {
        Live(o->ticket);
      } else if (const auto* o = std::get_if<Logged>(&output)) {
        if (o->ticket != 0) Live(o->ticket);
      } else if (std::holds_alternative<Reconnect>(output)) {
        wants_connection_ = true;
      } else if (const auto* o = std::get_if<PeerNote>(&output)) {
        EXPECT_LT(o->text.size(), 1024u);
        EXPECT_LE(++notes_, kMaxPeerNotes + 1);
      } else if (const auto* o = std::get_if<ForgetRequest>(&output)) {
        EXPECT_EQ(wire_, Wire::kHttp);
        EXPECT_LE(o->id, newest_id_);
      }
      // A new connection begins with the handshake, and its notes count anew.
      const auto* sent = std::get_if<SendRequest>(&output);
      if (sent != nullptr && (sent->method == "initialize" || sent->method == "server/discover")) {
        notes_ = 0;
      }
    }
    EXPECT_LE(session_.requests_in_flight(), open_.size());
  }

  static void CheckMessage(const std::string& message) {
    EXPECT_EQ(message.find('\n'), std::string::npos);
    const absl::StatusOr<json::Document> document =
        json::Parse(message, {.max_depth = kMaxMessageDepth});
    ASSERT_TRUE(document.ok()) << message;
    EXPECT_FALSE(document->root().Find("id").is_null()) << message;
  }

  std::map<size_t, int>& kinds_;
  const Wire wire_;
  std::mt19937 random_;
  ClientSession session_;
  absl::Time now_ = absl::UnixEpoch();
  uint64_t newest_id_ = 0;
  std::set<uint64_t> tickets_, open_, cancelled_;
  int notes_ = 0;
  bool wants_connection_ = false;
};

TEST(ClientFuzz, NothingThatAServerSaysBreaksASession) {
  constexpr int kSessions = 500, kMessages = 200;  // 100,000 messages
  std::map<size_t, int> kinds;
  for (int i = 0; i < kSessions && !HasFailure(); ++i) {
    SCOPED_TRACE(absl::StrCat("session ", i));
    Fuzz(i % 2 == 0 ? Wire::kStdio : Wire::kHttp, static_cast<uint32_t>(i), kinds).Run(kMessages);
  }
  for (size_t kind = 0; kind < std::variant_size_v<ClientOutput>; ++kind) {
    EXPECT_GT(kinds[kind], 10) << "output " << kind << " hardly ever came: the test sees little";
  }
}

}  // namespace
}  // namespace tipstaff::mcp
