// A catalog of tools for tests: the stubs that are shipped, as far as skills see them, and an
// upstream with resources and prompts.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "mediator/json/parse.h"
#include "mediator/policy/catalog.h"

namespace tipstaff::policy {

class FakeCatalog final : public Catalog {
 public:
  // With the stubs reports, mailbox and tickets, and the upstreams tickets-test and docs.
  FakeCatalog() {
    AddReports();
    AddMailbox();
    AddDocs();
    AddTickets(BackendRef{BackendRef::Kind::kStub, "tickets"});
    AddTickets(BackendRef{BackendRef::Kind::kUpstream, "tickets-test"});
  }

  // Adds a tool, or replaces the one of that name.
  void Add(const BackendRef& backend, const std::string& name, call::Effect effect,
           absl::string_view input_schema, absl::string_view output_schema = "null") {
    call::Tool tool{.name = name,
                    .title = absl::StrCat("Title of ", name),
                    .description = absl::StrCat("Does ", name, "."),
                    .effect = effect,
                    .input_schema = json::MustParse(input_schema),
                    .output_schema = json::MustParse(output_schema)};
    Add(backend, std::move(tool));
  }
  void Add(const BackendRef& backend, call::Tool tool) {
    const std::string name = call::FullName(tool.kind, "", tool.name);
    backends_[backend.ToString()].insert_or_assign(name, std::move(tool));
  }
  void Remove(const BackendRef& backend, const std::string& name) {
    backends_[backend.ToString()].erase(call::FullName(call::Kind::kTool, "", name));
  }

  absl::StatusOr<std::vector<call::Tool>> ToolsOf(const BackendRef& backend) const override {
    const auto there = backends_.find(backend.ToString());
    if (there == backends_.end()) {
      return absl::NotFoundError(absl::StrCat("there is no ", backend.ToString()));
    }
    std::vector<call::Tool> tools;
    for (const auto& entry : there->second) tools.push_back(entry.second);
    return tools;
  }

  std::vector<std::string> NamesOf(BackendRef::Kind kind) const override {
    const std::string prefix = BackendRef{kind, ""}.ToString();
    std::vector<std::string> names;
    for (const auto& entry : backends_) {
      if (entry.first.rfind(prefix, 0) == 0) names.push_back(entry.first.substr(prefix.size()));
    }
    return names;
  }
  std::optional<std::vector<std::string>> Approvers() const override { return approvers; }

  std::vector<std::string> approvers = {"dana", "leads"};

 private:
  // A tool, a resource and a prompt have one name: they are three things all the same.
  void AddDocs() {
    const BackendRef docs{BackendRef::Kind::kUpstream, "docs"};
    Add(docs, "guide", call::Effect::kWrite, R"({"type":"object","properties":{
        "uri":{"type":"string"}}})");
    for (const char* name : {"guide", "page"}) {
      Add(docs,
          {.name = name,
           .kind = call::Kind::kResource,
           .effect = call::Effect::kRead,
           .input_schema = json::MustParse(
               R"({"type":"object","properties":{"uri":{"type":"string"}},"required":["uri"]})")});
    }
    Add(docs,
        {.name = "guide",
         .kind = call::Kind::kPrompt,
         .effect = call::Effect::kRead,
         .input_schema = json::MustParse(
             R"({"type":"object","properties":{"topic":{"type":"string"}},"required":["topic"]})")});
    Add(docs, {.name = "guide",
               .kind = call::Kind::kCompletion,
               .effect = call::Effect::kRead,
               .input_schema = json::MustParse(R"({"type":"object","properties":{
                   "argument":{"type":"string","enum":["topic"]},"value":{"type":"string"},
                   "context":{"type":"object","additionalProperties":{"type":"string"}}},
                   "required":["argument","value"]})")});
  }
  void AddReports() {
    const BackendRef reports{BackendRef::Kind::kStub, "reports"};
    Add(reports, "get_report", call::Effect::kRead, R"({"type":"object","properties":{
        "report_id":{"type":"string","description":"which report"}},"required":["report_id"]})",
        R"({"type":"object"})");
    Add(reports, "attach_evidence", call::Effect::kWrite, R"({"type":"object","properties":{
        "report_id":{"type":"string"},"name":{"type":"string","maxLength":200},
        "content":{"type":"string"}},"required":["report_id","name","content"]})");
    Add(reports, "submit_result", call::Effect::kFinalize, R"({"type":"object","properties":{
        "report_id":{"type":"string"},"severity":{"type":"string"},"summary":{"type":"string"}},
        "required":["report_id","severity","summary"]})");
  }
  void AddMailbox() {
    const BackendRef mail{BackendRef::Kind::kStub, "mailbox"};
    constexpr char kMessage[] = R"({"type":"object","properties":{
        "to":{"type":"array","items":{"type":"string","description":"an address"}},
        "subject":{"type":"string"},"body":{"type":"string"},"in_reply_to":{"type":"string"}},
        "required":["to","subject","body"]})";
    Add(mail, "list_messages", call::Effect::kRead, R"({"type":"object","properties":{
        "folder":{"type":"string","default":"inbox"},"limit":{"type":"integer"}}})");
    Add(mail, "search_messages", call::Effect::kRead, R"({"type":"object","properties":{
        "query":{"type":"string"},"limit":{"type":"integer"}},"required":["query"]})");
    Add(mail, "read_message", call::Effect::kRead, R"({"type":"object","properties":{
        "id":{"type":"string"}},"required":["id"]})");
    Add(mail, "draft_message", call::Effect::kWrite, kMessage);
    Add(mail, "send_message", call::Effect::kWrite, kMessage);
    Add(mail, "send_draft", call::Effect::kWrite, R"({"type":"object","properties":{
        "id":{"type":"string"}},"required":["id"]})");
    Add(mail, "reply", call::Effect::kWrite, R"({"type":"object","properties":{
        "id":{"type":"string"},"body":{"type":"string"}},"required":["id","body"]})");
    Add(mail, "forward", call::Effect::kWrite, R"({"type":"object","properties":{
        "id":{"type":"string"},"to":{"type":"array","items":{"type":"string"}}},
        "required":["id","to"]})");
  }
  void AddTickets(const BackendRef& tickets) {
    Add(tickets, "search_tickets", call::Effect::kRead, R"({"type":"object","properties":{
        "query":{"type":"string"},"status":{"type":"string"},"limit":{"type":"integer"}},
        "required":["query"]})");
    Add(tickets, "get_ticket", call::Effect::kRead, R"({"type":"object","properties":{
        "ticket_id":{"type":"string"}},"required":["ticket_id"]})");
    Add(tickets, "create_ticket", call::Effect::kWrite, R"({"type":"object","properties":{
        "title":{"type":"string"},"body":{"type":"string"},"priority":{"type":"string"}},
        "required":["title","body"]})");
    Add(tickets, "comment_ticket", call::Effect::kWrite, R"({"type":"object","properties":{
        "ticket_id":{"type":"string"},"body":{"type":"string"}},
        "required":["ticket_id","body"]})");
    Add(tickets, "transition_ticket", call::Effect::kWrite, R"({"type":"object","properties":{
        "ticket_id":{"type":"string"},"status":{"type":"string"}},
        "required":["ticket_id","status"]})");
  }

  std::map<std::string, std::map<std::string, call::Tool>> backends_;
};

}  // namespace tipstaff::policy
