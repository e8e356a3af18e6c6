#include "stubs/recorder/stub_writer.h"

#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "mediator/json/builder.h"
#include "mediator/json/write.h"
#include "mediator/schema/program.h"

namespace tipstaff::recorder {
namespace {

using Kind = RecordedCall::Kind;

// JSON is YAML too, where what acts on a terminal or hides is written out.
std::string Text(json::Value value) { return base::EscapeInJson(json::Dump(value)); }
std::string Text(absl::string_view text) { return base::EscapeInJson(json::Quote(text)); }

bool SaysNothing(json::Value schema) { return !schema.exists() || schema.is_null(); }

// What the tool does: where tables tell it.
struct Told {
  const FoundTable* table = nullptr;
  const FoundUpdate* update = nullptr;  // null: it reads
};

Told ByTables(const std::vector<FoundTable>& tables, const std::string& tool) {
  for (const FoundTable& table : tables) {
    if (table.read_tool == tool) return {&table, nullptr};
    for (const FoundUpdate& update : table.updates) {
      if (update.tool == tool) return {&table, &update};
    }
  }
  return {};
}

// The system's own sentence, where it was recorded.
std::string NotFound(const FoundTable& table) {
  return table.not_found.empty() ? "nobody asked for this while the system was recorded"
                                 : table.not_found;
}

std::string SelectOf(const FoundTable& table) {
  std::string text = absl::StrCat("    select:\n      from: ", table.name, "\n      where: {",
                                  Text(table.key_column), ": ", Text("$args." + table.argument),
                                  "}\n      one: true\n");
  absl::StrAppend(&text, "      not_found: ", Text(NotFound(table)), "\n");
  return text;
}

std::string UpdateOf(const FoundTable& table, const FoundUpdate& update) {
  std::string text =
      absl::StrCat("    update:\n      table: ", table.name,
                   "\n      key: ", Text("$args." + update.argument), "\n      set:\n");
  for (const auto& [column, argument] : update.sets) {
    absl::StrAppend(&text, "        ", Text(column), ": ", Text("$args." + argument), "\n");
  }
  absl::StrAppend(&text, "      not_found: ", Text(NotFound(table)), "\n");
  if (update.result.root().is_object()) {
    absl::StrAppend(&text, "    result: ", Text(update.result.root()), "\n");
  }
  return text;
}

std::string AnswerOf(const RecordedCall& call) {
  switch (call.kind) {
    case Kind::kValue:
      return absl::StrCat("\"result\":", Text(call.answer.root()));
    case Kind::kContent:
      return absl::StrCat("\"content\":", Text(call.answer.root()));
    case Kind::kError:
      break;
  }
  return absl::StrCat("\"error\":", Text(call.error), ",\"message\":", Text(call.message));
}

// One reply a line. Where a call got the same answer each time, it is there once.
std::string RepliesTo(const std::vector<const RecordedCall*>& calls, const std::string& tool) {
  std::map<std::string, std::vector<std::string>> by_arguments;
  std::vector<std::string> order;
  for (const RecordedCall* call : calls) {
    if (call->tool != tool) continue;
    const std::string arguments = json::Canonical(call->arguments.root());
    if (!by_arguments.contains(arguments)) order.push_back(arguments);
    by_arguments[arguments].push_back(
        absl::StrCat("{\"args\":", Text(call->arguments.root()), ",", AnswerOf(*call), "}"));
  }
  std::string text = "[";
  for (const std::string& arguments : order) {
    std::vector<std::string>& replies = by_arguments[arguments];
    while (replies.size() > 1 && replies.back() == replies[replies.size() - 2]) replies.pop_back();
    for (const std::string& reply : replies) {
      absl::StrAppend(&text, text == "[" ? "\n" : ",\n", reply);
    }
  }
  return text + "\n]\n";
}

class Writer {
 public:
  Writer(const Recording& recording, const std::vector<const RecordedCall*>& answer,
         const std::vector<FoundTable>& tables, const MakeOptions& options)
      : recording_(recording), answer_(answer), tables_(tables), options_(options) {}

  std::map<std::string, std::string> Write() && {
    yaml_ = absl::StrCat(
        "# Made by `tipstaff stub record`. README.md says of what.\nstub: ", options_.name,
        "\ndescription: ", Text(options_.description),
        "\n\n# What a tool with replies was not asked while it was recorded is not answered, and "
        "nothing else is asked.\nunmatched: error\n");
    WriteTables();
    absl::StrAppend(&yaml_, "\ntools:\n");
    for (const call::Tool& tool : recording_.tools) WriteTool(tool);
    files_["stub.yaml"] = std::move(yaml_);
    files_["tests/recorded.yaml"] = Tests();
    return std::move(files_);
  }

 private:
  void WriteTables() {
    if (tables_.empty()) return;
    absl::StrAppend(&yaml_, "\ntables:\n");
    for (const FoundTable& table : tables_) {
      absl::StrAppend(&yaml_, "  ", table.name, ": {key: ", Text(table.key_column), "}\n");
    }
    absl::StrAppend(&yaml_, "fixtures:\n");
    for (const FoundTable& table : tables_) {
      const std::string path = absl::StrCat("fixtures/", table.name, ".json");
      absl::StrAppend(&yaml_, "  ", table.name, ": ", path, "\n");
      std::string rows = "[";
      for (const auto& [key, row] : table.rows) {
        absl::StrAppend(&rows, rows == "[" ? "\n" : ",\n", Text(row.root()));
      }
      files_[path] = rows + "\n]\n";
    }
  }

  void WriteTool(const call::Tool& tool) {
    absl::StrAppend(&yaml_, "  - name: ", tool.name, "\n");
    if (!tool.title.empty()) absl::StrAppend(&yaml_, "    title: ", Text(tool.title), "\n");
    if (!tool.description.empty()) {
      absl::StrAppend(&yaml_, "    description: ", Text(tool.description), "\n");
    }
    absl::StrAppend(&yaml_, "    effect: ", call::EffectName(tool.effect), "\n");
    if (!tool.idempotency_key.empty()) {
      absl::StrAppend(&yaml_, "    idempotency_key: ", Text(tool.idempotency_key), "\n");
    }
    if (!tool.audience.empty()) {
      absl::StrAppend(&yaml_, "    audience: ", Text(tool.audience), "\n");
    }
    WriteSchema("input", absl::StrCat("schema/", tool.name, ".json"), tool.input_schema.root());
    if (!SaysNothing(tool.output_schema.root()) && AllPass(tool)) {
      WriteSchema("output", absl::StrCat("schema/", tool.name, ".result.json"),
                  tool.output_schema.root());
    }
    WriteAction(tool);
  }

  // What came back may be in part, or not as the tool promises: then nothing is promised.
  bool AllPass(const call::Tool& tool) const {
    const auto output = schema::Program::Compile(tool.output_schema.root(), schema::Dialect::kTool);
    for (const RecordedCall* call : answer_) {
      if (call->tool != tool.name || call->kind != Kind::kValue) continue;
      if (!output.ok() || !output->Accepts(call->answer.root())) return false;
    }
    return true;
  }

  void WriteSchema(absl::string_view key, const std::string& path, json::Value schema) {
    absl::StrAppend(&yaml_, "    ", key, ": ", path, "\n");
    files_[path] = Text(schema) + "\n";
  }

  void WriteAction(const call::Tool& tool) {
    const Told told = ByTables(tables_, tool.name);
    if (told.table != nullptr) {
      absl::StrAppend(&yaml_, told.update == nullptr ? SelectOf(*told.table)
                                                     : UpdateOf(*told.table, *told.update));
      return;
    }
    const std::string path = absl::StrCat("replies/", tool.name, ".json");
    absl::StrAppend(&yaml_, "    replies: ", path, "\n");
    files_[path] = RepliesTo(answer_, tool.name);
  }

  // That the stub answers as the recorded system did.
  std::string Tests() const {
    std::string text =
        "seed: recorded\ntests:\n  - name: the recorded calls, in their order\n    calls:\n";
    for (const RecordedCall* call : answer_) {
      absl::StrAppend(&text, "      - {\"tool\":", Text(call->tool),
                      ",\"args\":", Text(call->arguments.root()), ",\"expect\":{");
      if (call->kind == Kind::kError) {
        const bool finalize = EffectOf(call->tool) == call::Effect::kFinalize;
        absl::StrAppend(&text, finalize ? "\"refused\":" : "\"error\":", Text(call->error),
                        ",\"message\":", Text(call->message));
      } else {
        absl::StrAppend(&text, call->kind == Kind::kValue ? "\"ok\":" : "\"content\":",
                        Text(call->answer.root()));
      }
      absl::StrAppend(&text, "}}\n");
    }
    return text;
  }

  call::Effect EffectOf(const std::string& name) const {
    for (const call::Tool& tool : recording_.tools) {
      if (tool.name == name) return tool.effect;
    }
    return call::Effect::kWrite;
  }

  const Recording& recording_;
  const std::vector<const RecordedCall*>& answer_;
  const std::vector<FoundTable>& tables_;
  const MakeOptions& options_;
  std::map<std::string, std::string> files_;
  std::string yaml_;
};

}  // namespace

std::map<std::string, std::string> WriteStub(const Recording& recording,
                                             const std::vector<const RecordedCall*>& answer,
                                             const std::vector<FoundTable>& tables,
                                             const MakeOptions& options) {
  return Writer(recording, answer, tables, options).Write();
}

}  // namespace tipstaff::recorder
