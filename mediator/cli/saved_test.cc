#include "mediator/cli/saved_test.h"

#include <algorithm>
#include <memory>
#include <set>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "mediator/base/status.h"
#include "mediator/cli/stub_reply.h"
#include "mediator/json/builder.h"
#include "mediator/json/parse.h"
#include "mediator/source/document.h"
#include "stubs/engine/changes.h"

namespace tipstaff::cli {
namespace {

// What calls hold stands deeper in a test than in a call.
constexpr int kBuildDepth = 2 * json::kMaxDepth;

void AddExpect(const engine::Reply& reply, json::Builder& b) {
  const absl::string_view kind = engine::ReplyKind(reply);
  b.Key("expect").StartObject();
  if (reply.is_content || reply.kind == call::OutcomeKind::kOk) {
    b.Field(kind, reply.value.root());
  } else if (reply.kind == call::OutcomeKind::kStubError) {
    b.Field(kind, reply.message);
  } else {
    b.Field(kind, reply.error);
    if (!reply.message.empty()) b.Field("message", reply.message);
  }
  // Exact, as a test compares: what people read is rounded.
  if (reply.delay > absl::ZeroDuration()) {
    b.Field("delay", absl::StrCat(absl::ToInt64Microseconds(reply.delay), "us"));
  }
  b.EndObject();
}

absl::Status AddChanges(const engine::Reply& reply, json::Builder& b) {
  const std::string changes = engine::ChangesInFull(reply.changes);
  TIPSTAFF_ASSIGN_OR_RETURN(
      const json::Document parsed,
      json::Parse(changes.empty() ? "{}" : changes, {.max_depth = kBuildDepth}));
  b.Field("changes", parsed.root());
  return absl::OkStatus();
}

absl::Status AddCall(const StubSession::Made& made, json::Builder& b) {
  b.StartObject().Field("tool", made.tool);
  if (made.arguments.root().size() > 0) b.Field("args", made.arguments.root());
  AddExpect(made.reply, b);
  TIPSTAFF_RETURN_IF_ERROR(AddChanges(made.reply, b));
  b.EndObject();
  return absl::OkStatus();
}

absl::Status AddEnd(const StubSession& session, json::Builder& b) {
  std::set<std::string> changed;
  for (const StubSession::Made& made : session.made()) {
    for (const engine::Change& change : made.reply.changes) changed.insert(change.table);
  }
  std::vector<std::string> unchanged, captured;
  for (const std::string& table : session.state().TableNames()) {
    if (!changed.contains(table)) unchanged.push_back(table);
  }
  for (const std::string& table : session.state().CapturedTables()) {
    if (changed.contains(table)) captured.push_back(table);
  }
  if (!unchanged.empty()) {
    b.Key("unchanged").StartArray();
    for (const std::string& table : unchanged) b.String(table);
    b.EndArray();
  }
  if (captured.empty()) return absl::OkStatus();
  b.Key("captured").StartObject();
  for (const std::string& table : captured) {
    TIPSTAFF_ASSIGN_OR_RETURN(const json::Document rows, session.state().Table(table));
    b.Field(table, rows.root());
  }
  b.EndObject();
  return absl::OkStatus();
}

absl::StatusOr<json::Document> BuildTest(const std::string& name, const StubSession& session) {
  json::Builder b(kBuildDepth);
  b.StartObject().Field("name", name).Field("seed", session.seed());
  if (session.bindings().root().size() > 0) b.Field("bindings", session.bindings().root());
  b.Key("calls").StartArray();
  for (const StubSession::Made& made : session.made()) TIPSTAFF_RETURN_IF_ERROR(AddCall(made, b));
  b.EndArray();
  TIPSTAFF_RETURN_IF_ERROR(AddEnd(session, b));
  b.EndObject();
  return std::move(b).Build();
}

// Of everything that was just written, whether it reads as it was meant.
absl::Status CheckReadsBack(const std::string& text, json::Value test) {
  source::Diagnostics diagnostics;
  const std::optional<source::Document> document = source::ParseYaml(
      std::make_shared<source::File>(source::File{"the test", text}), diagnostics);
  if (!document) {
    return absl::FailedPreconditionError(absl::StrCat("a call has what no test file can hold: ",
                                                      source::ToStatus(diagnostics).message()));
  }
  if (json::Equal(document->root().Find("tests").At(0), test)) return absl::OkStatus();
  return absl::FailedPreconditionError("a call has what no test file can hold");
}

}  // namespace

absl::StatusOr<std::string> RenderTest(const std::string& name, const StubSession& session) {
  if (session.made().empty()) {
    return absl::FailedPreconditionError("no call was made yet, so there is nothing to test");
  }
  TIPSTAFF_ASSIGN_OR_RETURN(const json::Document test, BuildTest(name, session));
  std::string text =
      "# Written by `tipstaff stub dev`: what the stub did when these calls were made. Take out "
      "what\n"
      "# does not matter, and say in the name what it shows.\ntests:\n";
  const char* start = "  - ";
  for (const json::Member& member : test.root().members()) {
    absl::StrAppend(&text, start, member.key, ":");
    start = "    ";
    if (member.key != "calls") {
      const std::string value = ToYaml(member.value, 6);
      absl::StrAppend(&text, value[0] == '\n' ? "" : " ", value, "\n");
      continue;
    }
    text += "\n";
    for (json::Value call : member.value.items()) {
      const char* mark = "      - ";
      for (const json::Member& part : call.members()) {
        const std::string value = ToYaml(part.value, 10);
        absl::StrAppend(&text, mark, part.key, ":", value[0] == '\n' ? "" : " ", value, "\n");
        mark = "        ";
      }
    }
  }
  TIPSTAFF_RETURN_IF_ERROR(CheckReadsBack(text, test.root()));
  return text;
}

}  // namespace tipstaff::cli
