// Compiling a schema and checking a value. An input is a letter for the kind of schema, the schema
// up to the first line feed, and the value: `t{"type":"string"}\n"x"`.
//   t, 7: a tool's, of 2020-12 or draft 7; f: with `format` asserted; s: a skill's; a: `args`
#include <algorithm>
#include <cstdint>
#include <vector>

#include "mediator/json/builder.h"
#include "mediator/json/parse.h"
#include "mediator/schema/program.h"
#include "tests/fuzz/require.h"

namespace tipstaff::schema {
namespace {

const std::vector<Binding>& Bindings() {
  static const auto* bindings =
      new std::vector<Binding>{{"id", /*in_scope=*/true, /*is_array=*/false},
                               {"people", /*in_scope=*/true, /*is_array=*/true}};
  return *bindings;
}

const std::vector<json::Value>& BoundValues() {
  static const auto* document = new json::Document(json::MustParse(R"(["rep_a",["d@a.example"]])"));
  static const auto* values =
      new std::vector<json::Value>{document->root().At(0), document->root().At(1)};
  return *values;
}

std::optional<Program> Compile(char kind, json::Value schema) {
  CompileOptions options;
  options.dialect = kind == 's' || kind == 'a' ? Dialect::kSkill : Dialect::kTool;
  options.draft = kind == '7' ? Draft::k7 : Draft::k2020;
  options.assert_formats = kind == 'f';
  if (options.dialect == Dialect::kSkill) options.bindings = Bindings();
  std::vector<Problem> problems;
  std::optional<Program> program = kind == 'a'
                                       ? Program::CompileArguments(schema, options, problems)
                                       : Program::Compile(schema, options, problems);
  const bool stopped = !std::all_of(problems.begin(), problems.end(), IsWarning);
  TIPSTAFF_REQUIRE(program.has_value() != stopped);
  for (const Problem& problem : problems) TIPSTAFF_REQUIRE(!problem.message.empty());
  return program;
}

// The same value with the members of its objects the other way round.
void AppendTurned(json::Value value, json::Builder& builder) {
  if (value.is_array()) {
    builder.StartArray();
    for (json::Value item : value.items()) AppendTurned(item, builder);
    builder.EndArray();
  } else if (value.is_object()) {
    std::vector<json::Member> members;
    for (const json::Member& member : value.members()) members.push_back(member);
    builder.StartObject();
    for (auto member = members.rbegin(); member != members.rend(); ++member) {
      AppendTurned(member->value, builder.Key(member->key));
    }
    builder.EndObject();
  } else {
    builder.Copy(value);
  }
}

void CheckValue(const Program& program, json::Value value) {
  const Tally tally = program.CheckAll(value, BoundValues());
  TIPSTAFF_REQUIRE(program.Accepts(value, BoundValues()) == (tally.constraints == 0));
  TIPSTAFF_REQUIRE(tally.first.has_value() == (tally.constraints > 0));
  TIPSTAFF_REQUIRE(tally.scope_constraints <= tally.constraints);
  TIPSTAFF_REQUIRE(program.Check(value, BoundValues()).has_value() == tally.first.has_value());
  if (tally.first.has_value()) {
    TIPSTAFF_REQUIRE(tally.first->pointer.empty() || tally.first->pointer[0] == '/');
    TIPSTAFF_REQUIRE(!tally.first->expected.empty());
  }
  json::Builder builder;
  AppendTurned(value, builder);
  const absl::StatusOr<json::Document> turned = std::move(builder).Build();
  TIPSTAFF_REQUIRE(turned.ok());
  const Tally other = program.CheckAll(turned->root(), BoundValues());
  TIPSTAFF_REQUIRE(other.constraints == tally.constraints);
  TIPSTAFF_REQUIRE(other.scope_constraints == tally.scope_constraints);
  TIPSTAFF_REQUIRE(!tally.first.has_value() || other.first->pointer == tally.first->pointer);
}

void CheckOne(absl::string_view bytes) {
  const size_t end = bytes.find('\n');
  if (bytes.empty() || end == absl::string_view::npos) return;
  const char kind = bytes[0];
  if (absl::string_view("t7fsa").find(kind) == absl::string_view::npos) return;
  const absl::StatusOr<json::Document> schema = json::Parse(bytes.substr(1, end - 1));
  if (!schema.ok()) return;
  const std::optional<Program> program = Compile(kind, schema->root());
  if (!program.has_value()) return;
  program->BindsToScope();
  const absl::StatusOr<json::Document> value = json::Parse(bytes.substr(end + 1));
  if (value.ok()) CheckValue(*program, value->root());
}

}  // namespace
}  // namespace tipstaff::schema

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  tipstaff::schema::CheckOne(absl::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
