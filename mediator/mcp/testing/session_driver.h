// Drives a ServerSession in tests: messages in, and the outputs by kind.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "mediator/json/parse.h"
#include "mediator/mcp/session.h"

namespace tipstaff::mcp {

class SessionDriver {
 public:
  // What came of the newest event.
  std::vector<std::string> sent;
  std::vector<Send> sends;  // the same as `sent`, whole
  std::vector<WantList> lists;
  std::vector<WantCall> calls;
  std::vector<uint64_t> cancels;
  std::vector<std::string> notes;

  ServerSession& session() { return session_; }

  // A message as it comes from a client.
  void Receive(absl::string_view bytes) { Take(session_.OnMessage(bytes)); }
  // A request or, with an empty id, a notification.
  void Request(absl::string_view id, absl::string_view method, absl::string_view params = "{}") {
    Receive(absl::StrCat(R"({"jsonrpc":"2.0",)",
                         id.empty() ? "" : absl::StrCat(R"("id":)", id, ","), R"("method":")",
                         method, R"(","params":)", params, "}"));
  }
  // What the run has, for List().
  Catalog catalog;
  // Answers the one list that is wanted.
  void List(const absl::Status& status = absl::OkStatus()) {
    ASSERT_EQ(lists.size(), 1u);
    const uint64_t ticket = lists[0].ticket;
    if (!status.ok()) return Take(session_.OnList(ticket, status));
    Take(session_.OnList(ticket, std::make_shared<const Catalog>(catalog)));
  }
  // A request whose answer takes what the run has.
  void RequestAndList(absl::string_view id, absl::string_view method,
                      absl::string_view params = "{}") {
    Request(id, method, params);
    List();
  }
  // Opens a legacy session; the answer is what was sent.
  void Initialize(absl::string_view version = "2025-11-25") {
    Request(R"("init")", "initialize",
            absl::StrCat(R"({"protocolVersion":")", version,
                         R"(","capabilities":{},"clientInfo":{"name":"c","version":"2"}})"));
    if (!lists.empty()) List();
  }
  void Take(const std::vector<Output>& outputs) {
    sent.clear(), sends.clear(), lists.clear(), calls.clear(), cancels.clear(), notes.clear();
    for (const Output& output : outputs) {
      if (const auto* o = std::get_if<Send>(&output)) sent.push_back(o->message);
      if (const auto* o = std::get_if<Send>(&output)) sends.push_back(*o);
      if (const auto* o = std::get_if<WantList>(&output)) lists.push_back(*o);
      if (const auto* o = std::get_if<WantCall>(&output)) calls.push_back(*o);
      if (const auto* o = std::get_if<Cancel>(&output)) cancels.push_back(o->ticket);
      if (const auto* o = std::get_if<Note>(&output)) notes.push_back(o->text);
    }
  }
  // The one message that was sent; fails the test when it is not one.
  json::Document Answer() const {
    EXPECT_EQ(sent.size(), 1u);
    if (sent.size() != 1) return json::Document();
    const absl::StatusOr<json::Document> document = json::Parse(sent[0], {.max_depth = 100});
    EXPECT_TRUE(document.ok()) << sent[0];
    EXPECT_EQ(sent[0].find('\n'), std::string::npos) << "one message a line";
    EXPECT_EQ(document->root().StringOr("jsonrpc", ""), "2.0");
    EXPECT_FALSE(document->root().Find("id").is_null()) << "ids are never null";
    return *document;
  }
  // Its error code, 0 when it is a result.
  int64_t ErrorCode() const { return Answer().root().Find("error").IntegerOr("code", 0); }

 private:
  ServerSession session_{{"tipstaff-guest", "1.2", "be good"}};
};

// A catalog with something of each kind.
inline Catalog FullCatalog() {
  Catalog catalog;
  catalog.tools.push_back({.name = "t", .input_schema = R"({"type":"object"})"});
  catalog.resources = {R"({"uri":"file:///a","name":"a"})"};
  catalog.resource_templates = {R"({"uriTemplate":"file:///{x}","name":"x"})"};
  catalog.prompts = {R"({"name":"p"})"};
  catalog.subscriptions = catalog.completions = catalog.logging = true;
  return catalog;
}

// `_meta` of a modern request, with `more` members behind.
inline std::string ModernMeta(absl::string_view more = "") {
  return absl::StrCat(R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                      R"("io.modelcontextprotocol/clientCapabilities":{})",
                      more.empty() ? "" : ",", more, "}");
}

}  // namespace tipstaff::mcp
