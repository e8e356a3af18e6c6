#include "mediator/review/print.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "mediator/base/clock.h"
#include "mediator/base/escape.h"
#include "mediator/base/units.h"
#include "mediator/base/utf8.h"
#include "mediator/json/builder.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"

namespace tipstaff::review {
namespace {

constexpr char kColumns[] = "%-19s %-12s %-24s %-7s %-16s %-10s %s";
constexpr size_t kToolColumns = 24;
constexpr size_t kWhyColumns = 72;
constexpr size_t kShownBytes = 2000;

std::string OutcomeWord(const Row& row) {
  if (row.settled) return std::string(call::OutcomeKindName(row.settled->outcome.kind));
  if (row.decided.same_as != 0) return absl::StrCat("as #", row.decided.same_as);
  return row.decided.decision.verdict == call::Verdict::kAllow ? "in flight" : "-";
}

// What decided, or what failed.
std::string Why(const Row& row) {
  const call::Decision& decision = row.decided.decision;
  if (decision.verdict == call::Verdict::kDeny && decision.nearest) {
    const call::Nearest& near = *decision.nearest;
    return absl::StrCat(near.permission, near.pointer.empty() ? "" : " ", near.pointer, ": wants ",
                        near.expected, near.found.empty() ? "" : ", found ", near.found);
  }
  if (!decision.detail.empty()) return decision.detail;
  return decision.permission;
}

// JSON as JSON; what is none is told apart from it.
std::string Shown(absl::string_view bytes, size_t most) {
  const bool is_json = json::Parse(bytes, {.max_depth = 2 * json::kMaxDepth}).ok();
  const absl::string_view cut = base::CutUtf8(bytes, most);
  return is_json ? base::EscapeInJson(cut) : base::Escape(cut);
}

std::string Cut(const std::string& bytes, size_t whole_size) {
  std::string shown = Shown(bytes, kShownBytes);
  if (whole_size > kShownBytes) {
    absl::StrAppend(&shown, " … (", base::ShowBytes(whole_size), " in all)");
  }
  return shown;
}

// A stub's changes as one line each: `outbox: insert msg_0001`.
void AppendChanges(const std::string& changes, std::string& out) {
  const absl::StatusOr<json::Document> document =
      json::Parse(changes, {.max_depth = 2 * json::kMaxDepth});
  if (!document.ok()) return;
  for (const json::Member& table : document->root().members()) {
    for (json::Value change : table.value.items()) {
      const std::string row = json::Dump(change.Find("row"));
      absl::StrAppend(&out, "\n  changed      ", base::Escape(table.key), ": ",
                      base::Escape(change.StringOr("op", "?")), " ",
                      base::Escape(change.StringOr("key", "")), " ", Cut(row, row.size()));
      for (const json::Member& column : change.Find("long").members()) {
        absl::StrAppend(&out, ", `", base::Escape(column.key), "` of ",
                        base::ShowBytes(column.value.IntegerOr("size", 0)));
      }
    }
  }
}

// "resolved 2026-05-01T09:00:00.000Z as accepted by uid:0: text".
std::string StepText(const Step& step) {
  std::string text = absl::StrCat(call::RecordKindName(step.kind), "  ", base::ShowTime(step.time));
  if (step.resolved) {
    absl::StrAppend(&text, "  as ", run::ResolutionName(step.resolved->as), " by ",
                    base::Escape(step.resolved->by), ": ", base::Escape(step.resolved->why));
  }
  if (step.approval) {
    absl::StrAppend(&text, "  ", step.approval->approved ? "approved" : "denied", " by ",
                    base::Escape(step.approval->by));
    if (!step.approval->why.empty()) absl::StrAppend(&text, ": ", base::Escape(step.approval->why));
    if (step.approval->approved) {
      absl::StrAppend(&text, ", to be used before ", base::ShowTime(step.approval->until));
    }
  }
  return text;
}

void AddSteps(const std::vector<Step>& steps, json::Builder& b) {
  if (steps.empty()) return;
  b.Key("steps").StartArray();
  for (const Step& step : steps) {
    b.StartObject().Field("kind", call::RecordKindName(step.kind));
    b.Field("time", base::ShowTime(step.time));
    if (step.resolved) {
      b.Field("as", run::ResolutionName(step.resolved->as));
      b.Field("by", step.resolved->by).Field("why", step.resolved->why);
    }
    if (step.approval) {
      b.Field("as", step.approval->approved ? "approved" : "denied");
      b.Field("by", step.approval->by).Field("why", step.approval->why);
      if (step.approval->approved) b.Field("until", base::ShowTime(step.approval->until));
      if (!step.approval->note.empty()) b.Field("note", step.approval->note);
    }
    b.EndObject();
  }
  b.EndArray();
}

// Bytes that are usually JSON (a denied call's arguments need not be, and may be cut).
void AddJsonOrText(json::Builder& b, absl::string_view key, const std::string& bytes) {
  const absl::StatusOr<json::Document> document =
      json::Parse(bytes, {.max_depth = 2 * json::kMaxDepth});
  if (document.ok()) {
    b.Field(key, document->root());
  } else {
    b.Field(key, base::Escape(bytes));
  }
}

void AddWithheld(json::Builder& b, const std::vector<run::Withheld>& withheld) {
  if (withheld.empty()) return;
  b.Key("withheld").StartArray();
  for (const run::Withheld& one : withheld) {
    b.StartObject().Field("at", one.pointer).Field("size", one.size);
    for (const auto& [key, words] : {std::pair("holds", &one.holds), {"fails", &one.fails}}) {
      b.Key(key).StartArray();
      for (const std::string& word : *words) b.String(word);
      b.EndArray();
    }
    b.EndObject();
  }
  b.EndArray();
}

// "/token (12 bytes), as it is sensitive; holds: type; fails: pattern".
std::string WithheldInWords(const run::Withheld& one) {
  std::string words = absl::StrCat(one.pointer.empty() ? "the whole" : base::Escape(one.pointer),
                                   " (", base::ShowBytes(one.size), "), as it is sensitive");
  if (!one.holds.empty()) absl::StrAppend(&words, "; holds: ", absl::StrJoin(one.holds, ", "));
  if (!one.fails.empty()) absl::StrAppend(&words, "; fails: ", absl::StrJoin(one.fails, ", "));
  return words;
}

// What is no name of a tool was escaped when it was recorded.
std::string ShownTool(absl::string_view tool, size_t columns) {
  const std::string escaped = base::WriteOutNonAscii(base::EscapeAndCut(tool, columns));
  return absl::StrReplaceAll(escaped, {{"\\\\", "\\"}});
}

}  // namespace

std::string TableHeading() {
  return absl::StrFormat(kColumns, "DECISION", "TIME", "TOOL", "VERDICT", "REASON", "OUTCOME",
                         "WHY");
}

std::string TableLine(const Row& row) {
  const call::Decision& decision = row.decided.decision;
  // The time of day is enough here; --format json and `show` have the date.
  const std::string time = absl::FormatTime("%H:%M:%E3S", row.decided.time, absl::UTCTimeZone());
  return absl::StrFormat(kColumns, row.id(), time, ShownTool(row.decided.tool, kToolColumns),
                         std::string(call::VerdictName(decision.verdict)),
                         std::string(call::ReasonName(decision.reason)), OutcomeWord(row),
                         base::EscapeAndCut(Why(row), kWhyColumns));
}

void AddNearest(absl::string_view key, const call::Nearest& near, json::Builder& b) {
  b.Key(key).StartObject().Field("skill", near.skill);
  b.Field("permission", near.permission).Field("at", near.pointer);
  b.Field("constraint", near.constraint).Field("expected", near.expected);
  b.Field("found", near.found).Field("file", near.file);
  b.Field("line", near.line).Field("column", near.column).EndObject();
}

std::string RowJson(const Row& row, bool whole) {
  const call::Decision& decision = row.decided.decision;
  json::Builder b(4 * json::kMaxDepth);
  b.StartObject().Field("id", row.id()).Field("run", row.run).Field("call", row.decided.number);
  b.Field("time", base::ShowTime(row.decided.time)).Field("tool", row.decided.tool);
  b.Field("verdict", call::VerdictName(decision.verdict));
  b.Field("reason", call::ReasonName(decision.reason));
  b.Field("effect", call::EffectName(decision.effect));
  if (!decision.skill.empty()) b.Field("skill", decision.skill);
  if (!decision.permission.empty()) b.Field("permission", decision.permission);
  if (!decision.detail.empty()) b.Field("detail", decision.detail);
  b.Field("arguments_size", row.decided.arguments_size);
  if (decision.nearest) AddNearest("nearest", *decision.nearest, b);
  if (row.decided.same_as != 0) b.Field("same_as", row.decided.same_as);
  if (row.decided.approval != 0) b.Field("approval", row.decided.approval);
  if (whole) AddJsonOrText(b, "arguments", row.decided.arguments);
  AddSteps(row.steps, b);
  AddWithheld(b, row.decided.withheld);
  if (row.settled) {
    const call::Outcome& outcome = row.settled->outcome;
    b.Key("outcome").StartObject().Field("kind", call::OutcomeKindName(outcome.kind));
    b.Field("result_size", row.settled->result_size);
    b.Field("duration_us", absl::ToInt64Microseconds(outcome.duration));
    if (!outcome.note.empty()) b.Field("note", outcome.note);
    if (row.settled->result_left_out) b.Field("result_left_out", true);
    if (whole && !row.settled->result_left_out) AddJsonOrText(b, "result", outcome.result);
    AddWithheld(b, row.settled->withheld);
    if (whole && !outcome.changes.empty()) AddJsonOrText(b, "changes", outcome.changes);
    b.EndObject();
  }
  b.EndObject();
  const absl::StatusOr<json::Document> document = std::move(b).Build();
  return document.ok() ? json::Dump(document->root()) : "{}";
}

std::string Details(const Row& row) {
  const call::Decision& decision = row.decided.decision;
  std::string out = absl::StrCat(row.id(), "  ", ShownTool(row.decided.tool, std::string::npos));
  const auto line = [&out](absl::string_view name, absl::string_view text) {
    if (!text.empty())
      absl::StrAppendFormat(&out, "\n  %-12s %s", std::string(name), std::string(text));
  };
  line("time", base::ShowTime(row.decided.time));
  line("verdict", absl::StrCat(call::VerdictName(decision.verdict), " (",
                               call::ReasonName(decision.reason), ")"));
  line("means", call::ReasonSentence(decision.reason));
  line("detail", base::Escape(decision.detail));
  line("effect", call::EffectName(decision.effect));
  line("skill", base::Escape(decision.skill));
  line("permission", base::Escape(decision.permission));
  if (decision.nearest) {
    const call::Nearest& near = *decision.nearest;
    if (!near.file.empty()) {
      line("nearest", absl::StrCat(base::Escape(near.permission), " in ", base::Escape(near.file),
                                   ":", near.line, ":", near.column));
    }
    line("at", base::Escape(near.pointer.empty() ? "the whole call" : near.pointer));
    line("constraint", base::Escape(near.constraint));
    line("expected", base::Escape(near.expected));
    line("found", base::Escape(near.found));
  }
  // Who is asked to approve a call has to see all of it.
  line("arguments", decision.verdict == call::Verdict::kHold
                        ? Shown(row.decided.arguments, row.decided.arguments.size())
                        : Cut(row.decided.arguments, row.decided.arguments_size));
  for (const run::Withheld& one : row.decided.withheld) line("not kept", WithheldInWords(one));
  if (row.decided.same_as != 0) {
    line("outcome", absl::StrCat("the receipt of #", row.decided.same_as));
  }
  if (row.decided.approval != 0) {
    line("approval", absl::StrCat(decision.verdict == call::Verdict::kAllow ? "used that of #"
                                                                            : "asked for as #",
                                  row.decided.approval));
  }
  for (size_t i = 0; i < row.steps.size(); ++i) {
    line(i == 0 ? "steps" : "", StepText(row.steps[i]));
    if (row.steps[i].approval) line("signed", base::Escape(row.steps[i].approval->note));
  }
  if (row.settled) {
    const call::Outcome& outcome = row.settled->outcome;
    line("outcome", absl::StrCat(call::OutcomeKindName(outcome.kind), " after ",
                                 base::ShowDuration(outcome.duration)));
    line("note", base::Escape(outcome.note));
    line("result", row.settled->result_left_out
                       ? absl::StrCat("not kept, as the disk was full (",
                                      base::ShowBytes(row.settled->result_size), ")")
                       : Cut(outcome.result, row.settled->result_size));
    for (const run::Withheld& one : row.settled->withheld) line("not kept", WithheldInWords(one));
    if (row.settled->changes_withheld) line("changes", "not kept, as they may hold such values");
    if (!outcome.changes.empty()) AppendChanges(outcome.changes, out);
  }
  return out;
}

}  // namespace tipstaff::review
