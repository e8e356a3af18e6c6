#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "mediator/base/digest.h"
#include "mediator/base/escape.h"
#include "mediator/base/status.h"
#include "mediator/json/builder.h"
#include "mediator/json/parse.h"
#include "stubs/engine/action.h"
#include "stubs/engine/faults.h"
#include "stubs/engine/fields.h"
#include "stubs/engine/loaded_stub.h"
#include "stubs/engine/lua_script.h"
#include "stubs/engine/lua_values.h"
#include "stubs/engine/near_miss.h"
#include "stubs/engine/random.h"
#include "stubs/engine/replies.h"
#include "stubs/engine/tables.h"

namespace tipstaff::engine {
namespace {

class LoadedState final : public State {
 public:
  LoadedState(std::shared_ptr<const LoadedStub> stub, const StateOptions& options)
      : stub_(std::move(stub)),
        definition_(stub_->definition()),
        bindings_(options.bindings),
        for_author_(options.for_author),
        key_(MakeRandomKey(options.seed, options.backend)),
        tables_(definition_.tables),
        sequences_(definition_.ids.size()),
        tool_calls_(definition_.tools.size()),
        given_(definition_.tools.size()) {
    for (size_t i = 0; i < given_.size(); ++i) {
      const auto* replies =
          std::get_if<std::shared_ptr<const Replies>>(&definition_.tools[i].action);
      if (replies != nullptr) given_[i].resize((*replies)->groups());
    }
  }

  Reply Call(uint64_t number, absl::string_view tool, const json::Document& arguments) override;
  Reply CallAgain(uint64_t number, absl::string_view tool, const json::Document& arguments,
                  bool was_stub_error) override;
  std::vector<std::string> TableNames() const override { return definition_.TableNames(); }
  std::vector<std::string> CapturedTables() const override;
  absl::StatusOr<std::string> KeyColumn(absl::string_view table) const override;
  absl::StatusOr<json::Document> Table(absl::string_view name) const override;
  absl::StatusOr<json::Document> Row(absl::string_view table, absl::string_view key) const override;
  std::string Digest() const override;

 private:
  // The table's index; NotFound.
  absl::StatusOr<size_t> Find(absl::string_view table) const;
  // What the call comes to when no fault answers in its place.
  Reply Answer(uint64_t number, size_t index, absl::Time now, const json::Document& arguments);
  Reply UnknownTool(absl::string_view tool) const;
  ActionResult Act(const ToolDefinition& tool, CallScope& scope);
  static ActionResult FillResult(const Template& wanted, const json::Document& parts,
                                 CallScope& scope);
  // The result as it may go out: broken where it breaks the tool's promises.
  ActionResult Check(const ToolDefinition& tool, ActionResult result) const;
  Reply Settle(const ToolDefinition& tool, ActionResult result);

  const std::shared_ptr<const LoadedStub> stub_;
  const Definition& definition_;
  const json::Document bindings_;
  const bool for_author_;
  const RandomKey key_;
  Tables tables_;
  ScriptRunner scripts_;
  std::vector<uint64_t> sequences_;           // by id: the last number given out
  std::vector<uint64_t> tool_calls_;          // by tool
  std::vector<std::vector<uint64_t>> given_;  // by tool and group of its replies: how many
  uint64_t calls_ = 0;
};

Reply LoadedState::UnknownTool(absl::string_view tool) const {
  Reply reply;
  reply.kind = call::OutcomeKind::kToolError;
  reply.error = "unknown_tool";
  reply.message = absl::StrCat("there is no tool `", base::EscapeAndCut(tool, 64), "`");
  const std::string suggestion = Suggest(tool, definition_.ToolNames());
  if (!suggestion.empty()) absl::StrAppend(&reply.message, ": ", suggestion);
  return reply;
}

ActionResult LoadedState::FillResult(const Template& wanted, const json::Document& parts,
                                     CallScope& scope) {
  scope.set_parts(parts.root());
  std::vector<json::Document> storage;
  const absl::StatusOr<json::Value> value = wanted.Resolve(scope, storage);
  scope.set_parts({});
  if (!value.ok()) return ActionResult::Of(value.status());
  json::Builder builder;
  builder.Copy(*value);
  absl::StatusOr<json::Document> result = std::move(builder).Build();
  return result.ok() ? ActionResult::Ok(*std::move(result)) : ActionResult::Of(result.status());
}

ActionResult LoadedState::Act(const ToolDefinition& tool, CallScope& scope) {
  ActionResult result = RunAction(tool.action, scope);
  if (tool.result && result.kind == ActionResult::Kind::kOk) {
    result = FillResult(*tool.result, result.value, scope);
  }
  result = Check(tool, std::move(result));
  if (result.kind == ActionResult::Kind::kOk && tool.tool.effect == call::Effect::kRead &&
      tables_.changed()) {
    return ActionResult::Broken(
        absl::StrCat("tool `", tool.tool.name, "` says `effect: read` and changed a table"));
  }
  return result;
}

ActionResult LoadedState::Check(const ToolDefinition& tool, ActionResult result) const {
  if (result.kind != ActionResult::Kind::kOk || !tool.output || result.is_content) return result;
  const std::optional<schema::Failure> failure = tool.output->Check(result.value.root());
  if (!failure) return result;
  return ActionResult::Broken(absl::StrCat(
      "the result of `", tool.tool.name, "` does not pass its output schema at `", failure->pointer,
      "`: expected ", failure->expected, ", found ", failure->found));
}

Reply LoadedState::Settle(const ToolDefinition& tool, ActionResult result) {
  Reply reply;
  const bool finalizes = tool.tool.effect == call::Effect::kFinalize;
  const call::OutcomeKind failed =
      finalizes ? call::OutcomeKind::kRefused : call::OutcomeKind::kToolError;
  if (result.kind == ActionResult::Kind::kOk) {
    reply.is_content = result.is_content;
    const bool error = result.is_content && result.value.root().BoolOr("isError", false);
    reply.kind = error ? failed : call::OutcomeKind::kOk;
    reply.value = std::move(result.value);
    reply.note = std::move(result.note);
    reply.changes = tables_.Changes();
    tables_.Commit();
    return reply;
  }
  tables_.Rollback();
  const bool broken = result.kind == ActionResult::Kind::kBroken;
  reply.kind = broken ? call::OutcomeKind::kStubError : failed;
  reply.error = broken ? "stub_error" : std::move(result.code);
  reply.message = std::move(result.message);
  reply.note = std::move(result.note);
  return reply;
}

Reply LoadedState::Answer(uint64_t number, size_t index, absl::Time now,
                          const json::Document& arguments) {
  const ToolDefinition& tool = definition_.tools[index];
  if (const std::optional<schema::Failure> failure = tool.input.Check(arguments.root())) {
    return Settle(tool,
                  ActionResult::Failed("invalid_arguments",
                                       absl::StrCat("argument `", failure->pointer, "`: expected ",
                                                    failure->expected, ", found ", failure->found),
                                       ArgumentNote(tool.tool, arguments.root(), *failure)));
  }
  const auto filled = tool.defaults.Fill(arguments.root());
  if (!filled.ok()) {
    return Settle(tool, ActionResult::Broken(std::string(filled.status().message())));
  }
  const json::Document& complete = filled->has_value() ? **filled : arguments;
  const std::vector<uint64_t> saved = sequences_;
  CallScope scope(definition_, index, tables_, sequences_, given_[index], scripts_,
                  RandomStream(key_, RandomStream::Purpose::kScript, number), now, complete.root(),
                  bindings_.root());
  scope.for_author = for_author_;
  Reply reply = Settle(tool, Act(tool, scope));
  if (reply.kind != call::OutcomeKind::kOk) sequences_ = saved;
  // A canned error is an answer, too.
  if (reply.kind != call::OutcomeKind::kStubError && scope.reply_group()) {
    ++given_[index][*scope.reply_group()];
  }
  reply.log = std::move(scope.log());
  return reply;
}

Reply LoadedState::CallAgain(uint64_t number, absl::string_view tool,
                             const json::Document& arguments, bool was_stub_error) {
  if (was_stub_error) {
    ++calls_;
    if (const std::optional<size_t> index = definition_.FindTool(tool)) ++tool_calls_[*index];
    return {};
  }
  scripts_.SetLive(false);
  Reply reply = Call(number, tool, arguments);
  scripts_.SetLive(true);
  return reply;
}

Reply LoadedState::Call(uint64_t number, absl::string_view tool, const json::Document& arguments) {
  const absl::Time now = definition_.clock.start + calls_ * definition_.clock.per_call;
  ++calls_;
  const std::optional<size_t> index = definition_.FindTool(tool);
  if (!index) return UnknownTool(tool);
  const FaultDefinition* fault =
      PickFault(definition_, *index, ++tool_calls_[*index], key_, number);
  if (fault == nullptr) return Answer(number, *index, now, arguments);
  const ToolDefinition& definition = definition_.tools[*index];
  Reply reply = !Prevents(*fault) ? Answer(number, *index, now, arguments)
                : fault->error.empty()
                    ? TimedOut()
                    : Settle(definition, ActionResult::Failed(fault->error, fault->message));
  ApplyFault(*fault, definition, reply);
  reply.fault = fault - definition_.faults.data();
  return reply;
}

std::vector<std::string> LoadedState::CapturedTables() const {
  std::vector<std::string> names;
  for (const TableDefinition& table : definition_.tables) {
    if (table.capture) names.push_back(table.name);
  }
  return names;
}

absl::StatusOr<size_t> LoadedState::Find(absl::string_view table) const {
  if (const std::optional<size_t> found = definition_.FindTable(table)) return *found;
  return absl::NotFoundError(absl::StrCat("stub `", definition_.name, "` has no table `",
                                          base::EscapeAndCut(table, 64), "`; it has ",
                                          ListNames(definition_.TableNames())));
}

absl::StatusOr<std::string> LoadedState::KeyColumn(absl::string_view table) const {
  TIPSTAFF_ASSIGN_OR_RETURN(const size_t found, Find(table));
  return definition_.tables[found].key;
}

absl::StatusOr<json::Document> LoadedState::Row(absl::string_view name,
                                                absl::string_view key) const {
  TIPSTAFF_ASSIGN_OR_RETURN(const size_t table, Find(name));
  const json::Document* row = tables_.Find(table, key);
  if (row != nullptr) return *row;
  return absl::NotFoundError(KeyNote(definition_.tables[table], tables_.rows(table), key));
}

absl::StatusOr<json::Document> LoadedState::Table(absl::string_view name) const {
  TIPSTAFF_ASSIGN_OR_RETURN(const size_t table, Find(name));
  json::Builder builder(json::kMaxDepth + 1);
  builder.StartArray();
  for (const auto& [key, row] : tables_.rows(table)) builder.Copy(row.root());
  builder.EndArray();
  return std::move(builder).Build();
}

// Over one line each for the counters and for every table, by name.
std::string LoadedState::Digest() const {
  std::map<std::string, std::string> lines;
  for (size_t i = 0; i < definition_.tables.size(); ++i) {
    lines["table " + definition_.tables[i].name] = base::ToHex(tables_.DigestOf(i));
  }
  for (size_t i = 0; i < definition_.ids.size(); ++i) {
    lines["id " + definition_.ids[i].name] = absl::StrCat(sequences_[i]);
  }
  for (size_t i = 0; i < definition_.tools.size(); ++i) {
    const std::string& name = definition_.tools[i].tool.name;
    lines["tool " + name] = absl::StrCat(tool_calls_[i]);
    for (size_t group = 0; group < given_[i].size(); ++group) {
      if (given_[i][group] > 0) {
        lines[absl::StrCat("replies ", name, " ", group)] = absl::StrCat(given_[i][group]);
      }
    }
  }
  std::string text = absl::StrCat("calls ", calls_, "\n");
  for (const auto& [name, value] : lines) absl::StrAppend(&text, name, " ", value, "\n");
  return base::ToHex(base::DigestOf(text));
}

}  // namespace

absl::StatusOr<std::unique_ptr<State>> State::Create(std::shared_ptr<const Stub> stub,
                                                     const StateOptions& options) {
  auto loaded = std::dynamic_pointer_cast<const LoadedStub>(std::move(stub));
  if (loaded == nullptr) return absl::InvalidArgumentError("not a stub that Stub::Load made");
  if (!options.bindings.root().is_object() && !options.bindings.root().is_null()) {
    return absl::InvalidArgumentError("bindings must be an object");
  }
  if (HasLargeInteger(options.bindings.root())) {
    return absl::InvalidArgumentError(
        "a binding holds an integer over 9223372036854775807, which scripts cannot read");
  }
  return std::make_unique<LoadedState>(std::move(loaded), options);
}

}  // namespace tipstaff::engine
