#include "mediator/cli/stub_reply.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "mediator/base/escape.h"
#include "mediator/base/units.h"
#include "mediator/base/utf8.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"
#include "stubs/engine/changes.h"

namespace tipstaff::cli {
namespace {

constexpr size_t kShownBytes = 100;     // of one value
constexpr size_t kShownRows = 20;       // of a list in a result
constexpr size_t kShownLogLines = 100;  // as many as a call keeps

// Escaped JSON, cut.
std::string Show(json::Value value) { return ShowValue(value, kShownBytes); }

using Lines = std::vector<std::pair<std::string, std::string>>;

std::string Align(const Lines& lines, absl::string_view indent) {
  size_t width = 0;
  for (const auto& [name, value] : lines) width = std::max(width, base::CountCodePoints(name));
  std::string text;
  for (const auto& [name, value] : lines) {
    absl::StrAppend(&text, indent, name, std::string(width - base::CountCodePoints(name) + 2, ' '),
                    value, "\n");
  }
  return text;
}

bool IsListOfObjects(json::Value value) {
  if (value.size() == 0 || !value.is_array()) return false;
  for (json::Value item : value.items()) {
    if (!item.is_object()) return false;
  }
  return true;
}

// A list's items, one a line.
std::string RenderItems(json::Value list, absl::string_view indent) {
  std::string text;
  size_t shown = 0;
  for (json::Value item : list.items()) {
    if (++shown > kShownRows) {
      absl::StrAppend(&text, indent, "and ", list.size() - kShownRows, " more\n");
      break;
    }
    absl::StrAppend(&text, indent, "- ", Show(item), "\n");
  }
  return text;
}

// Of an update what is different, else the row.
std::string RenderColumns(const engine::Change& change) {
  Lines lines;
  const json::Value before = change.before.root(), row = change.row.root();
  for (const json::Member& member : row.members()) {
    const json::Value was = before.Find(member.key);
    if (was.exists() && json::Equal(was, member.value)) continue;
    const bool names_it = member.value.is_string() && member.value.string() == change.key;
    if (!before.is_object() && names_it) continue;
    lines.emplace_back(
        base::EscapeAndCut(member.key, 40),
        was.exists() ? absl::StrCat(Show(was), " -> ", Show(member.value)) : Show(member.value));
  }
  return Align(lines, "      ");
}

std::string RenderChanges(const std::vector<engine::Change>& changes) {
  std::map<std::string, std::string> tables;
  for (const engine::Change& change : changes) {
    absl::StrAppend(&tables[change.table], "    ", change.operation, " ",
                    base::EscapeAndCut(change.key, 80), "\n", RenderColumns(change));
  }
  std::string text;
  for (const auto& [table, lines] : tables)
    absl::StrAppend(&text, "  changed ", table, "\n", lines);
  return text;
}

// Whether its value says what came of the call.
bool HasValue(const engine::Reply& reply) {
  return reply.is_content || reply.kind == call::OutcomeKind::kOk;
}

}  // namespace

std::string ShowValue(json::Value value, size_t bytes) {
  const std::string text = base::EscapeInJson(json::Dump(value));
  if (text.size() <= bytes) return text;
  return absl::StrCat(base::CutUtf8(text, bytes), "…");
}

std::string ReplyInOneLine(const engine::Reply& reply) {
  if (HasValue(reply)) return absl::StrCat(ReplyKind(reply), " ", Show(reply.value.root()));
  // A stub's own error is what its kind says.
  const std::string code =
      reply.kind == call::OutcomeKind::kStubError ? "" : absl::StrCat(" ", reply.error);
  return absl::StrCat(ReplyKind(reply), code, ": ", base::EscapeAndCut(reply.message, 300));
}

std::string RenderMembers(json::Value object, absl::string_view indent) {
  std::string text;
  Lines lines;
  const auto flush = [&] {
    text += Align(lines, indent);
    lines.clear();
  };
  for (const json::Member& member : object.members()) {
    const std::string name = base::EscapeAndCut(member.key, 40);
    if (!IsListOfObjects(member.value)) {
      lines.emplace_back(name, Show(member.value));
      continue;
    }
    flush();
    absl::StrAppend(&text, indent, name, "\n",
                    RenderItems(member.value, absl::StrCat(indent, "  ")));
  }
  flush();
  return text;
}

namespace {

// A fault or a canned reply can give a text or a list.
std::string RenderResult(json::Value value) {
  return value.is_object() ? RenderMembers(value, "  ") : absl::StrCat("  ", Show(value), "\n");
}

}  // namespace

std::string RenderReply(const engine::Reply& reply) {
  std::string text = HasValue(reply)
                         ? absl::StrCat(ReplyKind(reply), "\n", RenderResult(reply.value.root()))
                         : absl::StrCat(ReplyInOneLine(reply), "\n");
  text += RenderChanges(reply.changes);
  Lines more;
  if (reply.delay > absl::ZeroDuration()) {
    more.emplace_back("delay", base::ShowDuration(reply.delay));
  }
  for (const absl::string_view line : absl::StrSplit(reply.note, '\n', absl::SkipEmpty())) {
    more.emplace_back("note", base::EscapeAndCut(line, 1000));
  }
  size_t logged = 0;
  for (const std::string& line : reply.log) {
    if (++logged > kShownLogLines) break;
    more.emplace_back("log", base::EscapeAndCut(line, 300));
  }
  return text + Align(more, "  ");
}

void AddReply(absl::string_view tool, const engine::Reply& reply, json::Builder& b) {
  b.StartObject().Field("tool", tool).Field("kind", ReplyKind(reply));
  if (HasValue(reply)) {
    b.Field("result", reply.value.root());
  } else {
    b.Field("error", reply.error).Field("message", reply.message);
  }
  const std::string changes = engine::ChangesInFull(reply.changes);
  const absl::StatusOr<json::Document> parsed =
      json::Parse(changes.empty() ? "{}" : changes, {.max_depth = json::kMaxDepth + 4});
  if (parsed.ok()) b.Field("changes", parsed->root());
  if (reply.delay > absl::ZeroDuration()) b.Field("delay", base::ShowDuration(reply.delay));
  if (!reply.note.empty()) b.Field("note", reply.note);
  if (!reply.log.empty()) {
    b.Key("log").StartArray();
    for (const std::string& line : reply.log) b.String(line);
    b.EndArray();
  }
  b.EndObject();
}

}  // namespace tipstaff::cli
