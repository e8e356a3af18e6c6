#include "tests/bench/schema_corpus.h"

#include <algorithm>
#include <filesystem>

#include "absl/strings/str_cat.h"
#include "mediator/base/file.h"
#include "mediator/base/status.h"
#include "mediator/json/builder.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"
#include "mediator/schema/program.h"
#include "tests/bench/schema_example.h"
#include "tests/bench/schema_skills.h"

namespace tipstaff::bench {
namespace {

namespace fs = std::filesystem;

constexpr size_t kShort = 20, kLong = 700;

json::Document Copy(json::Value value) {
  json::Builder builder;
  builder.Copy(value);
  return std::move(builder).Build().value();
}

enum class Damage { kOtherType, kMissing, kUnlisted };

// The first member of another type; without it; with one more.
json::Document Damaged(json::Value object, Damage damage) {
  json::Builder builder;
  builder.StartObject();
  bool first = true;
  for (const json::Member& member : object.members()) {
    if (first && damage == Damage::kOtherType) {
      builder.Key(member.key).StartArray().StartObject().EndObject().EndArray();
    } else if (!first || damage != Damage::kMissing) {
      builder.Field(member.key, member.value);
    }
    first = false;
  }
  if (damage == Damage::kUnlisted) builder.Field("not-listed", "x");
  builder.EndObject();
  return std::move(builder).Build().value();
}

absl::Status AddSamples(SchemaCase& one) {
  TIPSTAFF_ASSIGN_OR_RETURN(const schema::Program program,
                            schema::Program::Compile(one.schema.root(), schema::Dialect::kTool));
  std::vector<json::Document> values;
  for (const bool all : {false, true}) {
    values.push_back(ExampleOf(one.schema.root(), all, all ? kLong : kShort));
  }
  for (const Damage damage : {Damage::kOtherType, Damage::kMissing, Damage::kUnlisted}) {
    values.push_back(Damaged(values[1].root(), damage));
  }
  for (json::Document& value : values) {
    Sample sample{.value = std::move(value)};
    sample.text = json::Canonical(sample.value.root());
    sample.valid = program.Accepts(sample.value.root());
    one.samples.push_back(std::move(sample));
  }
  if (!one.samples[0].valid && !one.samples[1].valid) {
    return absl::InternalError(absl::StrCat("no example of `", one.name, "` passes"));
  }
  return absl::OkStatus();
}

absl::Status AddCase(std::string name, json::Document schema, std::vector<SchemaCase>& cases) {
  SchemaCase one{.name = std::move(name), .schema = std::move(schema)};
  one.text = json::Dump(one.schema.root());
  TIPSTAFF_RETURN_IF_ERROR(AddSamples(one));
  cases.push_back(std::move(one));
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::vector<SchemaCase>> ReadCorpus(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder + "/tools", error)) {
    files.push_back(entry.path().string());
  }
  if (files.empty()) {
    return absl::NotFoundError(
        absl::StrCat("no schemas in `", folder, "/tools`: run it in the source folder"));
  }
  std::sort(files.begin(), files.end());
  std::vector<SchemaCase> cases;
  for (const std::string& file : files) {
    TIPSTAFF_ASSIGN_OR_RETURN(const std::string text, base::ReadFile(file));
    TIPSTAFF_ASSIGN_OR_RETURN(const json::Document server, json::Parse(text));
    for (json::Value tool : server.root().Find("tools").items()) {
      TIPSTAFF_RETURN_IF_ERROR(AddCase(
          absl::StrCat(server.root().StringOr("package", ""), " ", tool.StringOr("name", "")),
          Copy(tool.Find("inputSchema")), cases));
    }
  }
  TIPSTAFF_ASSIGN_OR_RETURN(const auto grants, ShippedGrants());
  for (const auto& grant : grants) {
    for (const policy::PublishedTool& tool : grant->tools()) {
      TIPSTAFF_ASSIGN_OR_RETURN(json::Document schema, json::Parse(tool.input_schema));
      TIPSTAFF_RETURN_IF_ERROR(AddCase(absl::StrCat(grant->skills()[0]->name(), " ", tool.name),
                                       std::move(schema), cases));
    }
  }
  return cases;
}

std::string ToJson(const std::vector<SchemaCase>& cases) {
  std::string schemas, values;
  for (const SchemaCase& one : cases) {
    absl::StrAppend(&schemas, schemas.empty() ? "" : ",", one.text);
    absl::StrAppend(&values, values.empty() ? "[" : ",[");
    for (size_t i = 0; i < one.samples.size(); ++i) {
      absl::StrAppend(&values, i == 0 ? "" : ",", one.samples[i].text);
    }
    values += ']';
  }
  return absl::StrCat("{\"schemas\":[", schemas, "],\"values\":[", values, "]}");
}

}  // namespace tipstaff::bench
