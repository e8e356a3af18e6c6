#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "mediator/json/write.h"
#include "stubs/engine/codes.h"
#include "stubs/engine/limits.h"
#include "stubs/engine/load.h"
#include "stubs/engine/slots.h"

namespace tipstaff::engine {
namespace {

std::vector<std::string> NamesOf(const SlotTexts& slots) {
  std::vector<std::string> names;
  for (const auto& [name, text] : slots) names.push_back(name);
  return names;
}

bool CheckName(const json::Member& member, absl::string_view what, Fields& fields) {
  if (IsName(member.key)) return true;
  fields.ErrorAtKey(member.value, kValueCode,
                    absl::StrCat("bad name for a ", what, " `", base::Escape(member.key), "`"),
                    "expected a letter or _, then letters, digits and _");
  return false;
}

void LoadTable(const json::Member& member, Fields& fields, Definition& definition) {
  const Fields::Within note(fields, absl::StrCat("in table `", base::Escape(member.key), "`"));
  if (!CheckName(member, "table", fields)) return;
  if (!fields.IsMapping(member.value, "a table", {"key", "capture", "columns", "required"},
                        {"key"}))
    return;
  TableDefinition table;
  table.name = std::string(member.key);
  const json::Value key = member.value.Find("key");
  if (!fields.IsText(key, "`key`")) return;
  table.key = std::string(key.string());
  if (table.key.empty()) return fields.Error(key, kValueCode, "`key` must name a column");
  if (const json::Value capture = member.value.Find("capture"); capture.exists()) {
    table.capture = fields.Bool(capture, "`capture`").value_or(false);
  }
  table.columns = Columns::Load(member.value, table.key, fields);
  definition.tables.push_back(std::move(table));
}

SlotTexts LoadSlots(json::Value slots, Fields& fields) {
  SlotTexts texts;
  if (!slots.exists() || !fields.IsObject(slots, "`slots`")) return texts;
  for (const json::Member& member : slots.members()) {
    const Fields::Within note(fields, absl::StrCat("in slot `", base::Escape(member.key), "`"));
    if (!CheckName(member, "slot", fields)) continue;
    if (!fields.IsMapping(member.value, "a slot", {"default", "note"}, {"default"})) continue;
    const json::Value note_text = member.value.Find("note");
    if (note_text.exists() && !fields.IsText(note_text, "`note`")) continue;
    const json::Value text = member.value.Find("default");
    if (fields.IsText(text, "`default`")) {
      texts.emplace(member.key, std::string(text.string()));
    }
  }
  return texts;
}

void LoadRow(json::Value value, const SlotTexts& slots, std::set<std::string>& used, Fields& fields,
             TableDefinition& table) {
  absl::StatusOr<json::Document> row = FillSlots(value, slots, used);
  if (absl::IsNotFound(row.status())) {
    return fields.Unknown(value, "slot", row.status().message(), NamesOf(slots));
  }
  if (!row.ok()) return fields.Error(value, kSlotCode, row.status().message());
  const absl::StatusOr<absl::string_view> key = KeyOf(row->root(), table.key);
  if (!key.ok()) return fields.Error(value, kRowCode, key.status().message());
  if (const auto misfit = table.columns ? table.columns->Check(row->root()) : std::nullopt) {
    const json::Value cell = value.Find(misfit->column);
    return fields.Error(cell.exists() ? cell : value, kRowCode,
                        absl::StrCat("row `", base::EscapeAndCut(*key, 80), "` of `", table.name,
                                     "`, ", ShowMisfit(*misfit)));
  }
  if (!table.rows.emplace(*key, *row).second) {
    fields.Error(value.Find(table.key), kTwiceCode,
                 absl::StrCat("a second row `", base::Escape(*key), "`"));
  }
}

void LoadFixture(const json::Member& member, const SlotTexts& slots, std::set<std::string>& used,
                 Fields& fields, StubSources& sources, Definition& definition) {
  const std::optional<size_t> index = definition.FindTable(member.key);
  if (!index) return fields.Unknown(member.value, "table", member.key, definition.TableNames());
  TableDefinition& table = definition.tables[*index];
  if (table.capture) {
    return fields.Error(
        member.value, kRowCode,
        absl::StrCat("table `", table.name, "` captures what is done, so it starts empty"));
  }
  if (!fields.IsText(member.value, "a fixture")) return;
  const source::Document* document =
      sources.ParseRows(member.value, table.columns ? &*table.columns : nullptr, fields);
  if (document == nullptr) return;
  Fields file_fields(*document, sources.diagnostics());
  if (!file_fields.IsSequence(document->root(), "a fixture")) return;
  const size_t enough = sources.diagnostics().size() + kMaxRowDiagnostics;
  for (json::Value row : document->root().items()) {
    LoadRow(row, slots, used, file_fields, table);
    if (sources.diagnostics().size() >= enough) break;
  }
}

}  // namespace

void LoadTables(json::Value root, Fields& fields, StubSources& sources, Definition& definition) {
  const json::Value tables = root.Find("tables"), fixtures = root.Find("fixtures");
  if (tables.exists() && fields.IsObject(tables, "`tables`")) {
    for (const json::Member& member : tables.members()) LoadTable(member, fields, definition);
  }
  const json::Value slot_section = root.Find("slots");
  const SlotTexts slots = LoadSlots(slot_section, fields);
  std::set<std::string> used;
  if (fixtures.exists() && fields.IsObject(fixtures, "`fixtures`")) {
    for (const json::Member& member : fixtures.members()) {
      LoadFixture(member, slots, used, fields, sources, definition);
    }
  }
  for (const auto& [name, text] : slots) {
    if (!used.contains(name)) {
      fields.ErrorAtKey(slot_section.Find(name), kSlotCode,
                        absl::StrCat("no fixture has `${slot:", name, "}`"));
    }
  }
}

}  // namespace tipstaff::engine
