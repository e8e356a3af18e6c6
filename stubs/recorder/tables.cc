#include "stubs/recorder/tables.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "mediator/json/builder.h"
#include "mediator/json/parse.h"

namespace tipstaff::recorder {
namespace {

using Kind = RecordedCall::Kind;
using Calls = std::vector<const RecordedCall*>;

Calls CallsOf(const Recording& recording, absl::string_view tool) {
  Calls calls;
  for (const RecordedCall& call : recording.calls) {
    if (call.tool == tool) calls.push_back(&call);
  }
  return calls;
}

// "get_report" reads of `report`.
std::string NounOf(absl::string_view tool) {
  for (const absl::string_view verb : {"get_", "read_", "fetch_", "show_", "find_", "lookup_"}) {
    if (absl::StartsWith(tool, verb) && tool.size() > verb.size()) {
      return absl::StrCat(tool.substr(verb.size()), "_rows");
    }
  }
  return absl::StrCat(tool, "_rows");
}

// The only argument of all the calls, a text.
std::optional<std::string> OnlyArgument(const Calls& calls) {
  std::string name;
  for (const RecordedCall* call : calls) {
    const json::Value arguments = call->arguments.root();
    if (arguments.size() != 1) return std::nullopt;
    const json::Member only = *arguments.members().begin();
    if (!only.value.is_string() || only.value.string().empty()) return std::nullopt;
    if (!name.empty() && name != only.key) return std::nullopt;
    name = std::string(only.key);
  }
  if (name.empty()) return std::nullopt;
  return name;
}

// The member of every answer that has the argument's text.
std::optional<std::string> KeyColumn(const Calls& calls, const std::string& argument) {
  std::optional<std::set<std::string>> columns;
  for (const RecordedCall* call : calls) {
    if (call->kind == Kind::kError) continue;
    if (call->kind != Kind::kValue || !call->answer.root().is_object()) return std::nullopt;
    const absl::string_view key = call->arguments.root().StringOr(argument, "");
    std::set<std::string> here;
    for (const json::Member& member : call->answer.root().members()) {
      if (member.value.is_string() && member.value.string() == key) here.emplace(member.key);
    }
    if (!columns) columns = here;
    std::erase_if(*columns, [&](const std::string& one) { return !here.contains(one); });
  }
  if (!columns || columns->empty()) return std::nullopt;
  return columns->contains("id") ? "id" : *columns->begin();
}

std::optional<FoundTable> FindTable(const Recording& recording, const call::Tool& tool) {
  if (tool.effect != call::Effect::kRead) return std::nullopt;
  const Calls calls = CallsOf(recording, tool.name);
  const auto argument = OnlyArgument(calls);
  if (!argument) return std::nullopt;
  const auto key_column = KeyColumn(calls, *argument);
  if (!key_column) return std::nullopt;
  FoundTable table{NounOf(tool.name), *key_column, tool.name, *argument, "", {}, {}};
  for (const RecordedCall* call : calls) {
    if (call->kind == Kind::kError) {
      if (call->error != "not_found") return std::nullopt;
      table.not_found = call->message;
    } else {
      table.rows.emplace(call->arguments.root().StringOr(*argument, ""), call->answer);
    }
  }
  return table;
}

// The argument of every call that holds the key of a row.
std::optional<std::string> RowArgument(const Calls& calls, const FoundTable& table) {
  std::optional<std::set<std::string>> names;
  for (const RecordedCall* call : calls) {
    std::set<std::string> here;
    for (const json::Member& member : call->arguments.root().members()) {
      if (member.value.is_string() && table.rows.contains(std::string(member.value.string()))) {
        here.emplace(member.key);
      }
    }
    if (!names) names = here;
    std::erase_if(*names, [&](const std::string& one) { return !here.contains(one); });
  }
  if (!names || names->empty()) return std::nullopt;
  return *names->begin();
}

// Which arguments the columns show that a call changed; nothing when one shows something else.
std::optional<std::map<std::string, std::string>> Explain(json::Value before, json::Value after,
                                                          json::Value arguments) {
  std::map<std::string, std::string> sets;
  for (const json::Member& column : after.members()) {
    const json::Value was = before.Find(column.key);
    if (was.exists() && json::Equal(was, column.value)) continue;
    for (const json::Member& argument : arguments.members()) {
      if (json::Equal(argument.value, column.value)) {
        sets.emplace(column.key, argument.key);
        break;
      }
    }
    if (!sets.contains(std::string(column.key))) return std::nullopt;
  }
  return sets;
}

// How each member of the results follows from the arguments, the row or nothing at all.
std::optional<json::Document> ResultTemplate(const Calls& calls, const Calls& later_reads) {
  json::Builder builder(json::kMaxDepth);
  builder.StartObject();
  for (const json::Member& member : calls[0]->answer.root().members()) {
    const auto all = [&](auto same) {
      for (size_t i = 0; i < calls.size(); ++i) {
        const json::Value value = calls[i]->answer.root().Find(member.key);
        const json::Value other = same(i);
        if (!value.exists() || !other.exists() || !json::Equal(value, other)) return false;
      }
      return true;
    };
    std::string reference;
    for (const json::Member& argument : calls[0]->arguments.root().members()) {
      if (all([&](size_t i) { return calls[i]->arguments.root().Find(argument.key); })) {
        reference = absl::StrCat("$args.", argument.key);
      }
    }
    for (const json::Member& column : later_reads[0]->answer.root().members()) {
      if (reference.empty() &&
          all([&](size_t i) { return later_reads[i]->answer.root().Find(column.key); })) {
        reference = absl::StrCat("$row.", column.key);
      }
    }
    if (!reference.empty()) {
      builder.Field(member.key, reference);
    } else if (!member.value.is_string() && all([&](size_t) { return member.value; })) {
      builder.Field(member.key, member.value);
    } else if (member.value.is_string() && all([&](size_t) { return member.value; })) {
      // Not a reference, whatever it begins with.
      const bool dollar = absl::StartsWith(member.value.string(), "$");
      builder.Field(member.key, absl::StrCat(dollar ? "$" : "", member.value.string()));
    } else {
      return std::nullopt;
    }
  }
  builder.EndObject();
  absl::StatusOr<json::Document> document = std::move(builder).Build();
  if (!document.ok()) return std::nullopt;
  return *std::move(document);
}

// The reads of a call's row: the last before it, the first after it.
struct Around {
  json::Value before;
  const RecordedCall* after = nullptr;
};

Around ReadsAround(const Recording& recording, const FoundTable& table, const RecordedCall& write,
                   const std::string& key) {
  Around around;
  bool passed = false;
  for (const RecordedCall& call : recording.calls) {
    passed = passed || &call == &write;
    if (call.tool != table.read_tool || call.kind != Kind::kValue ||
        call.arguments.root().StringOr(table.argument, "") != key) {
      continue;
    }
    if (!passed) around.before = call.answer.root();
    if (passed && around.after == nullptr) around.after = &call;
  }
  if (!around.before.exists()) around.before = table.rows.at(key).root();
  return around;
}

std::optional<FoundUpdate> FindUpdate(const Recording& recording, const FoundTable& table,
                                      const call::Tool& tool) {
  if (tool.effect == call::Effect::kRead) return std::nullopt;
  Calls calls = CallsOf(recording, tool.name);
  std::erase_if(calls, [](const RecordedCall* call) { return call->kind != Kind::kValue; });
  const auto argument = RowArgument(calls, table);
  if (!argument) return std::nullopt;
  FoundUpdate update{tool.name, *argument, {}, json::Document()};
  Calls later_reads;
  for (const RecordedCall* call : calls) {
    const std::string key(call->arguments.root().StringOr(*argument, ""));
    const Around around = ReadsAround(recording, table, *call, key);
    if (around.after == nullptr) return std::nullopt;
    const auto sets = Explain(around.before, around.after->answer.root(), call->arguments.root());
    if (!sets) return std::nullopt;
    update.sets.insert(sets->begin(), sets->end());
    later_reads.push_back(around.after);
  }
  if (calls.empty() || update.sets.empty()) return std::nullopt;
  const bool rows = std::all_of(calls.begin(), calls.end(), [&](const RecordedCall* call) {
    const auto at = std::find(calls.begin(), calls.end(), call) - calls.begin();
    return json::Equal(call->answer.root(), later_reads[at]->answer.root());
  });
  if (rows) return update;
  auto result = ResultTemplate(calls, later_reads);
  if (!result) return std::nullopt;
  update.result = *std::move(result);
  return update;
}

}  // namespace

std::vector<FoundTable> FindTables(const Recording& recording,
                                   const std::set<std::string>& left_out) {
  std::vector<FoundTable> tables;
  std::set<std::string> taken = left_out;
  for (const call::Tool& tool : recording.tools) {
    if (taken.contains(tool.name)) continue;
    if (auto table = FindTable(recording, tool)) tables.push_back(*std::move(table));
  }
  for (FoundTable& table : tables) {
    for (const call::Tool& tool : recording.tools) {
      if (taken.contains(tool.name)) continue;
      if (auto update = FindUpdate(recording, table, tool)) {
        taken.insert(tool.name);
        table.updates.push_back(*std::move(update));
      }
    }
  }
  // One row that was only read may be anything.
  std::erase_if(tables, [](const FoundTable& table) {
    return table.updates.empty() && table.rows.size() < 2;
  });
  return tables;
}

}  // namespace tipstaff::recorder
