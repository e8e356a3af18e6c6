#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "mediator/json/builder.h"
#include "stubs/engine/codes.h"
#include "stubs/engine/load.h"

namespace tipstaff::engine {
namespace {

bool IsWord(absl::string_view text, bool upper) {
  if (text.empty() || text.size() > 64 || absl::ascii_isdigit(text[0])) return false;
  return std::all_of(text.begin(), text.end(), [upper](unsigned char c) {
    return absl::ascii_islower(c) || absl::ascii_isdigit(c) || c == '_' ||
           (upper && absl::ascii_isupper(c));
  });
}

void AddProblem(const schema::Problem& problem, absl::string_view what, Fields& fields) {
  const json::Value at = problem.at;
  const std::string message = absl::StrCat(what, ": ", problem.message);
  const std::string label = Suggest(problem.wrong, problem.candidates);
  if (schema::IsWarning(problem)) {
    fields.Warning(at, kSchemaCode, message, label);
  } else if (problem.at_key) {
    fields.ErrorAtKey(at, kSchemaCode, message, label);
  } else {
    fields.Error(at, kSchemaCode, message, label);
  }
}

// A default that the schema itself refuses would be refused in every call that leaves it out.
bool DefaultsPass(json::Value schema, absl::string_view what, Fields& fields) {
  bool good = true;
  for (const json::Member& property : schema.Find("properties").members()) {
    const json::Value value = property.value.Find("default");
    if (!value.exists()) continue;
    const absl::StatusOr<schema::Program> program =
        schema::Program::Compile(property.value, schema::Dialect::kTool);
    if (!program.ok()) continue;  // reported with the whole schema
    const std::optional<schema::Failure> failure = program->Check(value);
    if (!failure) continue;
    fields.Error(
        value, kSchemaCode,
        absl::StrCat(what, ": the default of `", property.key, "` does not pass: expected ",
                     failure->expected, ", found ", failure->found));
    good = false;
  }
  return good;
}

std::optional<LoadedSchema> Compile(json::Value schema, absl::string_view what, Fields& fields) {
  if (!fields.IsObject(schema, what)) return std::nullopt;
  if (schema.StringOr("type", "") != "object") {
    fields.Error(schema, kSchemaCode, absl::StrCat(what, " must say `type: object`"));
    return std::nullopt;
  }
  std::optional<schema::Program> program = CompileSchema(schema, what, fields);
  if (!program || !DefaultsPass(schema, what, fields)) return std::nullopt;
  json::Builder builder;
  builder.Copy(schema);
  absl::StatusOr<json::Document> copy = std::move(builder).Build();
  if (!copy.ok()) {
    fields.Error(schema, kSchemaCode, copy.status().message());
    return std::nullopt;
  }
  return LoadedSchema{*std::move(copy), *std::move(program)};
}

}  // namespace

bool IsName(absl::string_view text) { return IsWord(text, true); }
bool IsErrorCode(absl::string_view text) { return IsWord(text, false) && text[0] != '_'; }

std::optional<schema::Program> CompileSchema(json::Value schema, absl::string_view what,
                                             Fields& fields) {
  std::vector<schema::Problem> problems;
  std::optional<schema::Program> program = schema::Program::Compile(schema, {}, problems);
  for (const schema::Problem& problem : problems) AddProblem(problem, what, fields);
  if (!program) return std::nullopt;
  for (const std::string& pointer : program->unchecked()) {
    fields.Warning(schema, kUncheckedCode,
                   absl::StrCat(what, ": `", pointer, "` is not checked by this version"));
  }
  return program;
}

std::optional<LoadedSchema> LoadSchema(json::Value at, absl::string_view what, Fields& fields,
                                       StubSources& sources) {
  if (!at.is_string()) return Compile(at, what, fields);
  const source::Document* document = sources.Parse(at, fields);
  if (document == nullptr) return std::nullopt;
  Fields file_fields(*document, sources.diagnostics());
  return Compile(document->root(), what, file_fields);
}

}  // namespace tipstaff::engine
