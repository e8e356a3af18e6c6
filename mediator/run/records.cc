#include "mediator/run/records.h"

#include <cassert>

#include "absl/strings/str_cat.h"
#include "mediator/base/digest.h"
#include "mediator/base/status.h"
#include "mediator/base/utf8.h"
#include "mediator/json/builder.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"

namespace tipstaff::run {
namespace {

using call::Record;
using call::RecordKind;
using json::Value;

// A body wraps values (arguments, rows of a stub) that nest to json::kMaxDepth themselves.
constexpr int kBodyDepth = 2 * json::kMaxDepth;

// Writes a body in canonical form: members come in the order of their keys.
class Body {
 public:
  Body& Raw(absl::string_view key, absl::string_view json) {
    assert(last_key_ < key);
    last_key_ = key;
    text_ += text_.size() == 1 ? "" : ",";
    json::AppendQuoted(key, text_);
    text_ += ':';
    text_.append(json.data(), json.size());
    return *this;
  }
  Body& Text(absl::string_view key, absl::string_view text) {
    Raw(key, "");
    json::AppendQuoted(text, text_);
    return *this;
  }
  // A member only where there is something to say.
  Body& TextIfAny(absl::string_view key, absl::string_view text) {
    return text.empty() ? *this : Text(key, text);
  }
  Body& Count(absl::string_view key, uint64_t count) { return Raw(key, absl::StrCat(count)); }
  Body& CountIfAny(absl::string_view key, uint64_t count) {
    return count == 0 ? *this : Count(key, count);
  }
  Body& Signed(absl::string_view key, int64_t number) { return Raw(key, absl::StrCat(number)); }

  std::string Take() { return std::move(text_ += '}'); }

 private:
  std::string text_ = "{";
  absl::string_view last_key_;  // it lives as long as this
};

std::string Quoted(const std::string& text) {
  std::string out;
  json::AppendQuoted(text, out);
  return out;
}

template <typename Items, typename ToJson>
std::string List(const Items& items, ToJson to_json) {
  std::string text = "[";
  for (const auto& item : items) absl::StrAppend(&text, text.size() == 1 ? "" : ",", to_json(item));
  return text + "]";
}

absl::StatusOr<json::Document> ParseBody(const Record& record, RecordKind wanted) {
  if (record.kind != wanted) {
    return absl::InvalidArgumentError(absl::StrCat("a record `", call::RecordKindName(record.kind),
                                                   "` where `", call::RecordKindName(wanted),
                                                   "` was expected"));
  }
  absl::StatusOr<json::Document> body = json::Parse(record.body, {.max_depth = kBodyDepth});
  if (!body.ok() || !body->root().is_object()) {
    return absl::DataLossError(
        absl::StrCat("the body of a `", call::RecordKindName(wanted), "` record is not an object"));
  }
  return body;
}

std::string FileJson(const PinnedFile& file) {
  return Body().Text("digest", file.digest).Text("path", file.path).Take();
}

std::string Text(Value value, absl::string_view key) {
  return std::string(value.StringOr(key, ""));
}
uint64_t Count(Value value, absl::string_view key) {
  return static_cast<uint64_t>(value.IntegerOr(key, 0));
}
PinnedFile ReadFile(Value value) { return {Text(value, "path"), Text(value, "digest")}; }

std::string NearestJson(const call::Nearest& nearest) {
  return Body()
      .Text("at", nearest.pointer)
      .Signed("column", nearest.column)
      .TextIfAny("constraint", nearest.constraint)
      .TextIfAny("expected", nearest.expected)
      .TextIfAny("file", nearest.file)
      .TextIfAny("found", nearest.found)
      .Signed("line", nearest.line)
      .TextIfAny("permission", nearest.permission)
      .TextIfAny("skill", nearest.skill)
      .Take();
}

std::string ContentJson(const std::string& digest, uint64_t size, bool keyed = false) {
  Body body;
  body.Text("digest", digest);
  if (keyed) body.Raw("keyed", "true");
  return body.Count("size", size).Take();
}

call::Nearest ReadNearest(Value value) {
  return {Text(value, "skill"),
          Text(value, "permission"),
          Text(value, "at"),
          Text(value, "constraint"),
          Text(value, "expected"),
          Text(value, "found"),
          Text(value, "file"),
          static_cast<int>(value.IntegerOr("line", 0)),
          static_cast<int>(value.IntegerOr("column", 0))};
}

std::string WithheldJson(const Withheld& one) {
  Body body;
  body.Text("at", one.pointer);
  if (!one.fails.empty()) body.Raw("fails", List(one.fails, json::Quote));
  if (!one.holds.empty()) body.Raw("holds", List(one.holds, json::Quote));
  return body.Count("size", one.size).Take();
}

std::vector<std::string> ReadTexts(Value list) {
  std::vector<std::string> texts;
  for (Value item : list.items()) {
    if (item.is_string()) texts.emplace_back(item.string());
  }
  return texts;
}

std::vector<Withheld> ReadWithheld(Value list) {
  std::vector<Withheld> withheld;
  for (Value one : list.items()) {
    withheld.push_back({Text(one, "at"), Count(one, "size"), ReadTexts(one.Find("holds")),
                        ReadTexts(one.Find("fails"))});
  }
  return withheld;
}

std::string TestSystemJson(const PinnedTestSystem& system) {
  return Body()
      .Text("alias", system.alias)
      .Raw("command", List(system.command, Quoted))
      .Text("folder", system.folder)
      .Text("name", system.name)
      .Text("stop", StopKindName(system.stop))
      .Signed("timeout_us", absl::ToInt64Microseconds(system.timeout))
      .Raw("tools", FileJson(system.tools))
      .Take();
}

std::string McpServerJson(const PinnedMcpServer& server) {
  return Body()
      .Text("alias", server.alias)
      .Text("approved_by", server.approved_by)
      .Signed("approved_until", absl::ToUnixMicros(server.approved_until))
      .Raw("configuration", server.configuration)
      .Text("name", server.name)
      .Raw("pins", FileJson(server.pins))
      .Raw("sign_off", FileJson(server.sign_off))
      .Take();
}

PinnedMcpServer ReadMcpServer(Value server) {
  return {Text(server, "alias"),
          Text(server, "name"),
          json::Canonical(server.Find("configuration")),
          ReadFile(server.Find("pins")),
          ReadFile(server.Find("sign_off")),
          Text(server, "approved_by"),
          absl::FromUnixMicros(server.IntegerOr("approved_until", 0))};
}

absl::StatusOr<PinnedTestSystem> ReadTestSystem(Value value) {
  const std::optional<StopKind> stop = ParseStopKind(Text(value, "stop"));
  if (!stop) return absl::DataLossError("a test system with an unknown stop kind");
  return PinnedTestSystem{Text(value, "alias"),
                          Text(value, "name"),
                          ReadTexts(value.Find("command")),
                          Text(value, "folder"),
                          *stop,
                          absl::Microseconds(value.IntegerOr("timeout_us", 0)),
                          ReadFile(value.Find("tools"))};
}

}  // namespace

Record EncodeOpened(const Opened& opened) {
  Body facts, body;
  for (const auto& [name, value] : opened.facts) facts.Text(name, value);
  body.Raw("bindings", json::Canonical(opened.bindings.root()));
  if (opened.budget > 0) body.Count("budget", opened.budget);
  if (!opened.canaries.empty()) body.Raw("canaries", List(opened.canaries, Quoted));
  body.Text("channel", opened.channel);
  if (!opened.config.digest.empty()) body.Raw("config", FileJson(opened.config));
  body.Signed("expires_at", absl::ToUnixMicros(opened.expires_at)).Raw("facts", facts.Take());
  body.Text("grant", opened.grant_digest);
  if (!opened.mcp_servers.empty()) {
    body.Raw("mcp_servers", List(opened.mcp_servers, McpServerJson));
  }
  body.TextIfAny("network", opened.network);
  body.Text("opened_by", opened.opened_by).Text("run", opened.run).Text("seed", opened.seed);
  body.Raw("skills", List(opened.skills, [](const PinnedSkill& skill) {
             return Body().Raw("file", FileJson(skill.file)).Text("name", skill.name).Take();
           }));
  body.Raw("stubs", List(opened.stubs, [](const PinnedStub& stub) {
             return Body()
                 .Text("alias", stub.alias)
                 .Raw("files", List(stub.files, FileJson))
                 .Text("name", stub.name)
                 .Take();
           }));
  if (!opened.test_systems.empty()) {
    body.Raw("test_systems", List(opened.test_systems, TestSystemJson));
  }
  body.TextIfAny("unconfined", opened.unconfined).Count("version", 1);
  return {RecordKind::kRunOpened, opened.opened_at, body.Take(), ""};
}

absl::StatusOr<Opened> DecodeOpened(const Record& record) {
  TIPSTAFF_ASSIGN_OR_RETURN(const json::Document document,
                            ParseBody(record, RecordKind::kRunOpened));
  const Value body = document.root();
  Opened opened;
  opened.run = Text(body, "run");
  for (Value skill : body.Find("skills").items()) {
    opened.skills.push_back({Text(skill, "name"), ReadFile(skill.Find("file"))});
  }
  opened.grant_digest = Text(body, "grant");
  json::Builder bindings(kBodyDepth);
  bindings.Copy(body.Find("bindings"));
  TIPSTAFF_ASSIGN_OR_RETURN(opened.bindings, std::move(bindings).Build());
  for (Value stub : body.Find("stubs").items()) {
    PinnedStub pinned{Text(stub, "alias"), Text(stub, "name"), {}};
    for (Value file : stub.Find("files").items()) pinned.files.push_back(ReadFile(file));
    opened.stubs.push_back(std::move(pinned));
  }
  for (Value system : body.Find("test_systems").items()) {
    TIPSTAFF_ASSIGN_OR_RETURN(PinnedTestSystem pinned, ReadTestSystem(system));
    opened.test_systems.push_back(std::move(pinned));
  }
  for (Value server : body.Find("mcp_servers").items()) {
    opened.mcp_servers.push_back(ReadMcpServer(server));
  }
  opened.config = ReadFile(body.Find("config"));
  opened.channel = Text(body, "channel");
  opened.seed = Text(body, "seed");
  for (Value planted : body.Find("canaries").items()) {
    if (planted.is_string()) opened.canaries.emplace_back(planted.string());
  }
  opened.opened_by = Text(body, "opened_by");
  opened.opened_at = record.time;
  opened.expires_at = absl::FromUnixMicros(body.IntegerOr("expires_at", 0));
  for (const json::Member& fact : body.Find("facts").members()) {
    if (fact.value.is_string()) {
      opened.facts.emplace(std::string(fact.key), std::string(fact.value.string()));
    }
  }
  opened.budget = Count(body, "budget");
  opened.unconfined = Text(body, "unconfined");
  opened.network = Text(body, "network");
  return opened;
}

Record EncodeDecided(const Decided& decided) {
  const call::Decision& decision = decided.decision;
  Body body;
  if (decided.approval != 0) body.Count("approval", decided.approval);
  body.Raw("arguments",
           ContentJson(decided.arguments_digest, decided.arguments_size, decided.keyed));
  body.Count("call", decided.number).TextIfAny("detail", decision.detail);
  body.Text("effect", call::EffectName(decision.effect)).TextIfAny("id", decided.call_id);
  if (decision.nearest) body.Raw("nearest", NearestJson(*decision.nearest));
  body.TextIfAny("permission", decision.permission).TextIfAny("policy", decision.policy_digest);
  body.Text("reason", call::ReasonName(decision.reason));
  if (decided.retry) body.Raw("retry", "true");
  if (decided.same_as != 0) body.Count("same_as", decided.same_as);
  body.TextIfAny("skill", decision.skill).Text("tool", decided.tool);
  body.Text("verdict", call::VerdictName(decision.verdict));
  if (!decided.withheld.empty()) body.Raw("withheld", List(decided.withheld, WithheldJson));
  if (decision.verdict == call::Verdict::kDeny) {
    return {RecordKind::kDecided, decided.time, body.Take(),
            std::string(base::CutUtf8(decided.arguments, kKeptOfDenied))};
  }
  return {RecordKind::kDecided, decided.time, body.Take(), decided.arguments,
          decided.keyed ? std::nullopt : base::DigestFromHex(decided.arguments_digest)};
}

absl::StatusOr<Decided> DecodeDecided(const Record& record) {
  TIPSTAFF_ASSIGN_OR_RETURN(const json::Document document, ParseBody(record, RecordKind::kDecided));
  const Value body = document.root();
  const auto verdict = call::ParseVerdict(body.StringOr("verdict", ""));
  const auto reason = call::ParseReason(body.StringOr("reason", ""));
  const auto effect = call::ParseEffect(body.StringOr("effect", ""));
  if (!verdict || !reason || !effect) {
    return absl::DataLossError("a `decided` record with an unknown verdict, reason or effect");
  }
  Decided decided;
  decided.number = Count(body, "call");
  decided.call_id = Text(body, "id");
  decided.tool = Text(body, "tool");
  decided.decision.verdict = *verdict;
  decided.decision.reason = *reason;
  decided.decision.effect = *effect;
  decided.decision.skill = Text(body, "skill");
  decided.decision.permission = Text(body, "permission");
  decided.decision.policy_digest = Text(body, "policy");
  decided.decision.detail = Text(body, "detail");
  if (const Value nearest = body.Find("nearest"); nearest.is_object()) {
    decided.decision.nearest = ReadNearest(nearest);
  }
  decided.retry = body.BoolOr("retry", false);
  decided.same_as = Count(body, "same_as");
  decided.approval = Count(body, "approval");
  decided.arguments_digest = Text(body.Find("arguments"), "digest");
  decided.arguments_size = Count(body.Find("arguments"), "size");
  decided.keyed = body.Find("arguments").BoolOr("keyed", false);
  decided.arguments = record.payload;
  decided.withheld = ReadWithheld(body.Find("withheld"));
  decided.time = record.time;
  return decided;
}

Record EncodeSettled(const Settled& settled) {
  const call::Outcome& outcome = settled.outcome;
  Body body;
  body.Count("call", settled.number);
  if (!outcome.changes.empty()) body.Raw("changes", outcome.changes);
  if (settled.changes_withheld) body.Raw("changes_withheld", "true");
  body.Signed("duration_us", absl::ToInt64Microseconds(outcome.duration));
  body.Text("kind", call::OutcomeKindName(outcome.kind)).TextIfAny("note", outcome.note);
  const base::Digest digest = base::DigestOf(outcome.result);
  body.Raw("result", ContentJson(base::ToHex(digest), settled.result_size));
  if (outcome.timed_out) body.Raw("timed_out", "true");
  if (outcome.turned_away) body.Raw("turned_away", "true");
  if (!settled.withheld.empty()) body.Raw("withheld", List(settled.withheld, WithheldJson));
  return {RecordKind::kOutcome, settled.time, body.Take(), outcome.result, digest};
}

absl::StatusOr<Settled> DecodeSettled(const Record& record) {
  TIPSTAFF_ASSIGN_OR_RETURN(const json::Document document, ParseBody(record, RecordKind::kOutcome));
  const Value body = document.root();
  const auto kind = call::ParseOutcomeKind(body.StringOr("kind", ""));
  if (!kind) return absl::DataLossError("an `outcome` record of an unknown kind");
  Settled settled;
  settled.number = Count(body, "call");
  settled.outcome.kind = *kind;
  settled.outcome.result = record.payload;
  settled.withheld = ReadWithheld(body.Find("withheld"));
  settled.changes_withheld = body.BoolOr("changes_withheld", false);
  if (const Value changes = body.Find("changes"); changes.exists()) {
    settled.outcome.changes = json::Canonical(changes);
  }
  settled.outcome.duration = absl::Microseconds(body.IntegerOr("duration_us", 0));
  settled.outcome.note = Text(body, "note");
  settled.outcome.turned_away = body.BoolOr("turned_away", false);
  settled.outcome.timed_out = body.BoolOr("timed_out", false);
  settled.result_size = Count(body.Find("result"), "size");
  settled.result_left_out = body.Find("result").BoolOr("left_out", false);
  settled.time = record.time;
  return settled;
}

bool LeaveOutResult(Record& record) {
  if (record.kind != RecordKind::kOutcome || record.payload.empty()) return false;
  const absl::StatusOr<json::Document> document = ParseBody(record, RecordKind::kOutcome);
  if (!document.ok()) return false;
  Body body;
  for (const json::Member& member : document->root().members()) {
    if (member.key == "result") {
      body.Raw("result", Body()
                             .Text("digest", Text(member.value, "digest"))
                             .Raw("left_out", "true")
                             .Count("size", Count(member.value, "size"))
                             .Take());
    } else {
      body.Raw(member.key, json::Canonical(member.value));
    }
  }
  record.body = body.Take();
  record.payload.clear();
  record.payload_digest.reset();
  return true;
}

Record EncodeStep(RecordKind kind, uint64_t number, absl::Time time) {
  return {kind, time, Body().Count("call", number).Take(), ""};
}

absl::StatusOr<uint64_t> DecodeStep(const Record& record) {
  TIPSTAFF_ASSIGN_OR_RETURN(const json::Document document, ParseBody(record, record.kind));
  return Count(document.root(), "call");
}

Record EncodeEnded(RecordKind kind, const Ended& ended, absl::Time time) {
  return {kind, time, Body().TextIfAny("by", ended.by).TextIfAny("why", ended.why).Take(), ""};
}

absl::StatusOr<Ended> DecodeEnded(const Record& record) {
  TIPSTAFF_ASSIGN_OR_RETURN(const json::Document document, ParseBody(record, record.kind));
  return Ended{Text(document.root(), "by"), Text(document.root(), "why")};
}

absl::string_view ResolutionName(Resolution resolution) {
  static constexpr const char* kNames[] = {"over", "abandoned", "accepted", "refused"};
  return kNames[static_cast<int>(resolution)];
}

std::optional<Resolution> ParseResolution(absl::string_view name) {
  for (const Resolution one :
       {Resolution::kOver, Resolution::kAbandoned, Resolution::kAccepted, Resolution::kRefused}) {
    if (name == ResolutionName(one)) return one;
  }
  return std::nullopt;
}

Record EncodeResolved(const Resolved& resolved, absl::Time time) {
  Body body;
  body.Text("as", ResolutionName(resolved.as)).TextIfAny("by", resolved.by);
  body.Count("call", resolved.number).TextIfAny("why", resolved.why);
  return {RecordKind::kResolved, time, body.Take(), ""};
}

absl::StatusOr<Resolved> DecodeResolved(const Record& record) {
  TIPSTAFF_ASSIGN_OR_RETURN(const json::Document document,
                            ParseBody(record, RecordKind::kResolved));
  const Value body = document.root();
  const std::optional<Resolution> as = ParseResolution(body.StringOr("as", ""));
  if (!as) return absl::DataLossError("a `resolved` record that does not say as what");
  return Resolved{Count(body, "call"), *as, Text(body, "by"), Text(body, "why")};
}

Record EncodeApproval(const Approval& approval, absl::Time time) {
  Body body;
  body.Text("as", approval.approved ? "approved" : "denied").TextIfAny("by", approval.by);
  body.Count("call", approval.number);
  if (approval.approved) body.Signed("until", absl::ToUnixMicros(approval.until));
  body.TextIfAny("why", approval.why);
  return {RecordKind::kApproval, time, body.Take(), approval.note};
}

absl::StatusOr<Approval> DecodeApproval(const Record& record) {
  TIPSTAFF_ASSIGN_OR_RETURN(const json::Document document,
                            ParseBody(record, RecordKind::kApproval));
  const Value body = document.root();
  const absl::string_view as = body.StringOr("as", "");
  if (as != "approved" && as != "denied") {
    return absl::DataLossError("an `approval` record that does not say as what");
  }
  Approval approval{Count(body, "call"), as == "approved",     Text(body, "by"),
                    Text(body, "why"),   absl::InfinitePast(), record.payload};
  if (approval.approved) approval.until = absl::FromUnixMicros(body.IntegerOr("until", 0));
  return approval;
}

Record EncodeCleaned(const std::vector<std::string>& checked, absl::Time time) {
  return {RecordKind::kCleaned, time, Body().Raw("checked", List(checked, json::Quote)).Take(), ""};
}

Record EncodeClosed(const Closed& closed, absl::Time time) {
  Body body;
  body.Count("allowed", closed.tally.allowed).TextIfAny("by", closed.by);
  body.Count("denied", closed.tally.denied).TextIfAny("ended", closed.ended);
  body.CountIfAny("held", closed.tally.held).Count("records", closed.records);
  body.Text("result", closed.result).TextIfAny("why", closed.why);
  return {RecordKind::kClosed, time, body.Take(), ""};
}

absl::StatusOr<Closed> DecodeClosed(const Record& record) {
  TIPSTAFF_ASSIGN_OR_RETURN(const json::Document document, ParseBody(record, RecordKind::kClosed));
  const Value body = document.root();
  const Tally tally{Count(body, "allowed"), Count(body, "denied"), Count(body, "held")};
  return Closed{
      Text(body, "ended"), Text(body, "by"), Text(body, "why"), Count(body, "records"), tally,
      Text(body, "result")};
}

}  // namespace tipstaff::run
