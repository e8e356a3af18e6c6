#include "mediator/cli/stub_state.h"

#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "mediator/backend/stub_backend.h"
#include "mediator/base/escape.h"
#include "mediator/base/status.h"
#include "mediator/cli/pinned_run.h"
#include "mediator/cli/stub_reply.h"
#include "mediator/host/stub_calls.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"

namespace tipstaff::cli {
namespace {

constexpr size_t kRecordsAtOnce = 512;
constexpr size_t kKeyColumns = 40, kValueBytes = 40, kRowColumns = 160;

absl::StatusOr<std::string> FindAlias(const run::Opened& opened, const std::string& name) {
  std::vector<std::string> aliases, of_this_stub;
  for (const run::PinnedStub& stub : opened.stubs) {
    if (stub.alias == name) return name;
    aliases.push_back(absl::StrCat("`", stub.alias, "`"));
    if (stub.name == name) of_this_stub.push_back(stub.alias);
  }
  if (of_this_stub.size() == 1) return of_this_stub.front();
  if (aliases.empty()) return absl::NotFoundError("the run has no stubs");
  return absl::NotFoundError(absl::StrCat("the run has no stub `", base::Escape(name),
                                          "`: there is ", absl::StrJoin(aliases, ", ")));
}

// The seq of the last record that counts: of the decision's last outcome; where it has none, of the
// decision.
absl::StatusOr<uint64_t> LastToTake(ledger::Reader& reader, const review::Row& row) {
  uint64_t last = 0;
  for (uint64_t next = 2;;) {
    TIPSTAFF_ASSIGN_OR_RETURN(
        const std::vector<ledger::StoredRecord> page,
        reader.Records(row.run, next, kRecordsAtOnce, ledger::Reader::Payload::kLeave));
    if (page.empty()) return last;
    for (const ledger::StoredRecord& stored : page) {
      if (stored.record.kind == call::RecordKind::kDecided && last == 0) {
        TIPSTAFF_ASSIGN_OR_RETURN(const run::Decided one, run::DecodeDecided(stored.record));
        if (one.number == row.decided.number) last = stored.seq;
        if (last != 0 && !row.settled) return last;
      } else if (stored.record.kind == call::RecordKind::kOutcome && last != 0) {
        TIPSTAFF_ASSIGN_OR_RETURN(const run::Settled one, run::DecodeSettled(stored.record));
        if (one.number == row.decided.number) last = stored.seq;
      }
    }
    next = page.back().seq + 1;
  }
}

absl::Status TakeUntil(ledger::Reader& reader, const std::string& run, uint64_t last,
                       host::StubCalls& calls) {
  for (uint64_t next = 2; next <= last;) {
    TIPSTAFF_ASSIGN_OR_RETURN(
        const std::vector<ledger::StoredRecord> page,
        reader.Records(run, next, kRecordsAtOnce, ledger::Reader::Payload::kFetch));
    if (page.empty()) return absl::OkStatus();
    for (const ledger::StoredRecord& stored : page) {
      if (stored.seq > last) return absl::OkStatus();
      TIPSTAFF_RETURN_IF_ERROR(calls.Take(stored.record));
    }
    next = page.back().seq + 1;
  }
  return absl::OkStatus();
}

// With what the run's records up to `last` say.
absl::StatusOr<StubState> MakeState(ledger::Reader& reader, const std::string& run, uint64_t last,
                                    const std::string& name) {
  TIPSTAFF_ASSIGN_OR_RETURN(PinnedRun pinned, ReadPinnedRun(reader, run));
  TIPSTAFF_ASSIGN_OR_RETURN(const std::string alias, FindAlias(pinned.opened, name));
  host::GrantedStub& granted = pinned.granted.states.at(alias);
  StubState found{alias, granted.stub->name(), nullptr, nullptr};
  backend::Backends backends;
  backends[alias] = std::make_unique<backend::StubBackend>(granted.stub, std::move(granted.state));
  host::StubCalls calls(pinned.opened.run, *pinned.granted.grant, backends);
  TIPSTAFF_RETURN_IF_ERROR(TakeUntil(reader, run, last, calls));
  found.owner = std::move(backends[alias]);
  const auto* stub = dynamic_cast<const backend::StubBackend*>(found.owner.get());
  if (stub == nullptr) {
    return absl::FailedPreconditionError(absl::StrCat("the state of stub `", alias,
                                                      "` cannot be made again: a call of ", run,
                                                      " had sensitive values, which are not kept"));
  }
  found.state = &stub->state();
  return found;
}

// What the decision's call did to a stub: by table and key the operation.
using Marks = std::map<std::pair<std::string, std::string>, char>;

Marks MarksOf(const review::Row& row, const std::string& alias) {
  Marks marks;
  if (!row.settled || call::SplitName(row.decided.tool).first != alias) return marks;
  const auto changes =
      json::Parse(row.settled->outcome.changes, {.max_depth = 2 * json::kMaxDepth});
  if (!changes.ok()) return marks;
  for (const json::Member& table : changes->root().members()) {
    for (const json::Value change : table.value.items()) {
      const absl::string_view operation = change.StringOr("op", "");
      marks[{std::string(table.key), std::string(change.StringOr("key", ""))}] =
          operation == "insert"   ? '+'
          : operation == "delete" ? '-'
                                  : '~';
    }
  }
  return marks;
}

// `+ msg_0001  subject="Hello" to=["dana@acme.example"]`: each column cut, so that many are seen.
std::string RowLine(char mark, absl::string_view key, json::Value row,
                    absl::string_view key_column) {
  std::string columns;
  for (const json::Member& column : row.members()) {
    if (column.key == key_column) continue;
    if (columns.size() > kRowColumns) {
      absl::StrAppend(&columns, " …");
      break;
    }
    absl::StrAppend(&columns, columns.empty() ? "" : " ",
                    base::EscapeAndCut(column.key, kKeyColumns), "=",
                    ShowValue(column.value, kValueBytes));
  }
  return absl::StrCat(std::string(1, mark), " ", base::EscapeAndCut(key, kKeyColumns),
                      columns.empty() ? "" : "  ", columns, "\n");
}

absl::Status RenderTable(const engine::State& state, const std::string& name, Marks& marks,
                         std::string& out) {
  TIPSTAFF_ASSIGN_OR_RETURN(const std::string key_column, state.KeyColumn(name));
  TIPSTAFF_ASSIGN_OR_RETURN(const json::Document rows, state.Table(name));
  const size_t count = rows.root().size();
  absl::StrAppend(&out, "\n", base::Escape(name), "  ", count, count == 1 ? " row\n" : " rows\n");
  for (const json::Value row : rows.root().items()) {
    const absl::string_view key = row.StringOr(key_column, "");
    const auto mark = marks.find({name, std::string(key)});
    absl::StrAppend(&out, RowLine(mark == marks.end() ? ' ' : mark->second, key, row, key_column));
  }
  for (const auto& [place, mark] : marks) {
    if (mark == '-' && place.first == name)
      absl::StrAppend(&out, RowLine('-', place.second, json::Value(), ""));
  }
  return absl::OkStatus();
}

// All of the stub's, where none is named.
std::vector<std::string> TablesOf(const StubState& state, const std::string& table) {
  if (table.empty()) return state.state->TableNames();
  return {table};
}

}  // namespace

absl::StatusOr<StubState> StubStateAt(ledger::Reader& reader, const review::Row& row,
                                      const std::string& name) {
  TIPSTAFF_ASSIGN_OR_RETURN(const uint64_t last, LastToTake(reader, row));
  return MakeState(reader, row.run, last, name);
}

absl::StatusOr<StubState> StubStateAtEnd(ledger::Reader& reader, const std::string& run,
                                         const std::string& name) {
  return MakeState(reader, run, std::numeric_limits<uint64_t>::max(), name);
}

absl::StatusOr<std::string> RenderState(const StubState& state, const review::Row& row,
                                        const std::string& table) {
  std::string out =
      absl::StrCat("stub ", state.stub, state.alias == state.stub ? "" : " as " + state.alias,
                   " after ", row.id(), " (", base::EscapeAndCut(row.decided.tool, 80), ")\n");
  Marks marks = MarksOf(row, state.alias);
  for (const std::string& name : TablesOf(state, table)) {
    TIPSTAFF_RETURN_IF_ERROR(RenderTable(*state.state, name, marks, out));
  }
  return out;
}

absl::Status AddState(const StubState& state, const std::string& table, json::Builder& b) {
  b.Field("stub", state.stub).Field("alias", state.alias).Field("digest", state.state->Digest());
  b.Key("tables").StartObject();
  for (const std::string& name : TablesOf(state, table)) {
    TIPSTAFF_ASSIGN_OR_RETURN(const json::Document rows, state.state->Table(name));
    b.Field(name, rows.root());
  }
  b.EndObject();
  return absl::OkStatus();
}

}  // namespace tipstaff::cli
