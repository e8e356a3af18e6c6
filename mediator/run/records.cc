#include "mediator/run/records.h"

#include "absl/strings/str_cat.h"
#include "mediator/base/digest.h"
#include "mediator/base/status.h"
#include "mediator/json/builder.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"

namespace tipstaff::run {
namespace {

using call::Record;
using call::RecordKind;
using json::Builder;
using json::Value;

// A body wraps values (arguments, rows of a stub) that nest to json::kMaxDepth themselves.
constexpr int kBodyDepth = 2 * json::kMaxDepth;

Record Finish(RecordKind kind, absl::Time time, Builder builder, std::string payload = "") {
  const absl::StatusOr<json::Document> document = std::move(builder).Build();
  // Bodies are built from values that parsed once; a mistake here is one of this file.
  if (!document.ok()) std::abort();
  return {kind, time, json::Canonical(document->root()), std::move(payload)};
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

void AddText(Builder& b, absl::string_view key, absl::string_view text) {
  if (!text.empty()) b.Field(key, text);
}

void AddFile(Builder& b, const PinnedFile& file) {
  b.StartObject().Field("path", file.path).Field("digest", file.digest).EndObject();
}

std::string Text(Value value, absl::string_view key) {
  return std::string(value.StringOr(key, ""));
}
uint64_t Count(Value value, absl::string_view key) {
  return static_cast<uint64_t>(value.IntegerOr(key, 0));
}
PinnedFile ReadFile(Value value) { return {Text(value, "path"), Text(value, "digest")}; }

void AddNearest(Builder& b, const call::Nearest& nearest) {
  b.Key("nearest").StartObject();
  AddText(b, "skill", nearest.skill);
  AddText(b, "permission", nearest.permission);
  b.Field("at", nearest.pointer);
  AddText(b, "constraint", nearest.constraint);
  AddText(b, "expected", nearest.expected);
  AddText(b, "found", nearest.found);
  AddText(b, "file", nearest.file);
  b.Field("line", nearest.line).Field("column", nearest.column).EndObject();
}

call::Nearest ReadNearest(Value value) {
  return {Text(value, "skill"),     Text(value, "permission"), Text(value, "at"),
          Text(value, "constraint"), Text(value, "expected"),  Text(value, "found"),
          Text(value, "file"),      static_cast<int>(value.IntegerOr("line", 0)),
          static_cast<int>(value.IntegerOr("column", 0))};
}

}  // namespace

Record EncodeOpened(const Opened& opened) {
  Builder b(kBodyDepth);
  b.StartObject().Field("run", opened.run).Field("version", 1);
  b.Key("skills").StartArray();
  for (const PinnedSkill& skill : opened.skills) {
    b.StartObject().Field("name", skill.name).Key("file");
    AddFile(b, skill.file);
    b.EndObject();
  }
  b.EndArray().Field("grant", opened.grant_digest).Field("bindings", opened.bindings.root());
  b.Key("stubs").StartArray();
  for (const PinnedStub& stub : opened.stubs) {
    b.StartObject().Field("alias", stub.alias).Field("name", stub.name).Key("files").StartArray();
    for (const PinnedFile& file : stub.files) AddFile(b, file);
    b.EndArray().EndObject();
  }
  b.EndArray();
  if (!opened.config.digest.empty()) {
    b.Key("config");
    AddFile(b, opened.config);
  }
  b.Field("channel", opened.channel).Field("seed", opened.seed);
  b.Field("opened_by", opened.opened_by);
  b.Field("expires_at", absl::ToUnixMicros(opened.expires_at));
  b.Key("facts").StartObject();
  for (const auto& [name, value] : opened.facts) b.Field(name, value);
  b.EndObject();
  AddText(b, "unconfined", opened.unconfined);
  AddText(b, "network", opened.network);
  b.EndObject();
  return Finish(RecordKind::kRunOpened, opened.opened_at, std::move(b));
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
  Builder bindings(kBodyDepth);
  bindings.Copy(body.Find("bindings"));
  TIPSTAFF_ASSIGN_OR_RETURN(opened.bindings, std::move(bindings).Build());
  for (Value stub : body.Find("stubs").items()) {
    PinnedStub pinned{Text(stub, "alias"), Text(stub, "name"), {}};
    for (Value file : stub.Find("files").items()) pinned.files.push_back(ReadFile(file));
    opened.stubs.push_back(std::move(pinned));
  }
  opened.config = ReadFile(body.Find("config"));
  opened.channel = Text(body, "channel");
  opened.seed = Text(body, "seed");
  opened.opened_by = Text(body, "opened_by");
  opened.opened_at = record.time;
  opened.expires_at = absl::FromUnixMicros(body.IntegerOr("expires_at", 0));
  for (const json::Member& fact : body.Find("facts").members()) {
    if (fact.value.is_string()) {
      opened.facts.emplace(std::string(fact.key), std::string(fact.value.string()));
    }
  }
  opened.unconfined = Text(body, "unconfined");
  opened.network = Text(body, "network");
  return opened;
}

Record EncodeDecided(const Decided& decided) {
  const call::Decision& decision = decided.decision;
  Builder b(kBodyDepth);
  b.StartObject().Field("call", decided.number).Field("tool", decided.tool);
  AddText(b, "id", decided.call_id);
  b.Key("arguments").StartObject();
  b.Field("digest", decided.arguments_digest).Field("size", decided.arguments_size).EndObject();
  b.Field("verdict", call::VerdictName(decision.verdict));
  b.Field("reason", call::ReasonName(decision.reason));
  b.Field("effect", call::EffectName(decision.effect));
  AddText(b, "skill", decision.skill);
  AddText(b, "permission", decision.permission);
  AddText(b, "policy", decision.policy_digest);
  AddText(b, "detail", decision.detail);
  if (decided.retry) b.Field("retry", true);
  if (decided.same_as != 0) b.Field("same_as", decided.same_as);
  if (decision.nearest) AddNearest(b, *decision.nearest);
  b.EndObject();
  std::string payload = decided.arguments;
  if (decision.verdict == call::Verdict::kDeny && payload.size() > kKeptOfDenied) {
    payload.resize(kKeptOfDenied);
  }
  return Finish(RecordKind::kDecided, decided.time, std::move(b), std::move(payload));
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
  decided.arguments_digest = Text(body.Find("arguments"), "digest");
  decided.arguments_size = Count(body.Find("arguments"), "size");
  decided.arguments = record.payload;
  decided.time = record.time;
  return decided;
}

Record EncodeSettled(const Settled& settled) {
  Builder b(kBodyDepth);
  b.StartObject().Field("call", settled.number);
  b.Field("kind", call::OutcomeKindName(settled.outcome.kind));
  b.Key("result").StartObject();
  b.Field("digest", base::ToHex(base::DigestOf(settled.outcome.result)));
  b.Field("size", uint64_t{settled.outcome.result.size()}).EndObject();
  b.Field("duration_us", absl::ToInt64Microseconds(settled.outcome.duration));
  AddText(b, "note", settled.outcome.note);
  if (!settled.outcome.changes.empty()) {
    const absl::StatusOr<json::Document> changes = json::Parse(settled.outcome.changes, {.max_depth = kBodyDepth});
    if (changes.ok()) b.Field("changes", changes->root());
  }
  b.EndObject();
  return Finish(RecordKind::kOutcome, settled.time, std::move(b), settled.outcome.result);
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
  if (const Value changes = body.Find("changes"); changes.exists()) {
    settled.outcome.changes = json::Canonical(changes);
  }
  settled.outcome.duration = absl::Microseconds(body.IntegerOr("duration_us", 0));
  settled.outcome.note = Text(body, "note");
  settled.result_size = Count(body.Find("result"), "size");
  settled.time = record.time;
  return settled;
}

Record EncodeStep(RecordKind kind, uint64_t number, absl::Time time) {
  Builder b(kBodyDepth);
  b.StartObject().Field("call", number).EndObject();
  return Finish(kind, time, std::move(b));
}

absl::StatusOr<uint64_t> DecodeStep(const Record& record) {
  TIPSTAFF_ASSIGN_OR_RETURN(const json::Document document, ParseBody(record, record.kind));
  return Count(document.root(), "call");
}

Record EncodeEnded(RecordKind kind, const Ended& ended, absl::Time time) {
  Builder b(kBodyDepth);
  b.StartObject();
  AddText(b, "by", ended.by);
  AddText(b, "why", ended.why);
  b.EndObject();
  return Finish(kind, time, std::move(b));
}

absl::StatusOr<Ended> DecodeEnded(const Record& record) {
  TIPSTAFF_ASSIGN_OR_RETURN(const json::Document document, ParseBody(record, record.kind));
  return Ended{Text(document.root(), "by"), Text(document.root(), "why")};
}

Record EncodeCleaned(const std::vector<std::string>& checked, absl::Time time) {
  Builder b(kBodyDepth);
  b.StartObject().Key("checked").StartArray();
  for (const std::string& item : checked) b.String(item);
  b.EndArray().EndObject();
  return Finish(RecordKind::kCleaned, time, std::move(b));
}

Record EncodeClosed(const Closed& closed, absl::Time time) {
  Builder b(kBodyDepth);
  b.StartObject().Field("records", closed.records);
  b.Field("allowed", closed.allowed).Field("denied", closed.denied);
  b.Field("result", closed.result);
  AddText(b, "by", closed.by);
  AddText(b, "why", closed.why);
  b.EndObject();
  return Finish(RecordKind::kClosed, time, std::move(b));
}

absl::StatusOr<Closed> DecodeClosed(const Record& record) {
  TIPSTAFF_ASSIGN_OR_RETURN(const json::Document document, ParseBody(record, RecordKind::kClosed));
  const Value body = document.root();
  return Closed{Text(body, "by"), Text(body, "why"), Count(body, "records"),
                Count(body, "allowed"), Count(body, "denied"), Text(body, "result")};
}

}  // namespace tipstaff::run
