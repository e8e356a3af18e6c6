#include "absl/strings/str_cat.h"
#include "mediator/cli/stub_coverage.h"
#include "mediator/cli/tested_file.h"
#include "mediator/json/builder.h"
#include "mediator/json/write.h"
#include "mediator/source/printable.h"

namespace tipstaff::cli {
namespace {

using policy::Covered;

// More of them than anybody reads in a terminal; JSON has all.
constexpr size_t kShownIdle = 20;

struct Count {
  Covered::Kind kind;
  const char* noun;
  const char* key;  // in JSON
  size_t exercised = 0, all = 0;
};

std::vector<Count> CountsOf(const TestedFile& file) {
  std::vector<Count> counts = {{Covered::Kind::kPermission, "permissions", "permissions"},
                               {Covered::Kind::kDenyRule, "deny rules", "deny_rules"},
                               {Covered::Kind::kConstraint, "constraints", "constraints"}};
  for (const Covered& part : file.parts) {
    for (Count& count : counts) {
      if (count.kind != part.kind) continue;
      ++count.all;
      count.exercised += part.exercised ? 1 : 0;
    }
  }
  return counts;
}

void AppendCoverage(const TestedFile& file, std::string& out) {
  absl::StrAppend(&out, "\n", source::Printable(file.file.path), ": the tests exercise");
  const char* separator = " ";
  for (const Count& count : CountsOf(file)) {
    absl::StrAppend(&out, separator, count.exercised, " of ", count.all, " ", count.noun);
    separator = ", ";
  }
  out += '\n';
  size_t idle = 0;
  for (const Covered& part : file.parts) {
    if (part.exercised || ++idle > kShownIdle) continue;
    absl::StrAppend(&out, "  line ", part.line, ": no test ",
                    part.kind == Covered::Kind::kPermission ? "is allowed by "
                    : part.kind == Covered::Kind::kDenyRule ? "is denied by "
                                                            : "fails at ",
                    part.ToString(), "\n");
  }
  if (idle > kShownIdle) {
    absl::StrAppend(&out, "  and ", idle - kShownIdle, " more: --format json lists them all\n");
  }
}

void AddTest(const Tested& test, json::Builder& b) {
  b.StartObject().Field("file", test.place).Field("name", test.name);
  b.Field("passed", test.passed());
  if (!test.passed()) {
    b.Field("message", test.message);
    if (!test.explanation.empty()) b.Field("explanation", test.explanation);
  }
  b.EndObject();
}

void AddCoverage(const TestedFile& file, json::Builder& b) {
  b.StartObject().Field("file", file.file.path);
  for (const Count& count : CountsOf(file)) {
    b.Key(count.key).StartObject();
    b.Field("exercised", static_cast<uint64_t>(count.exercised));
    b.Field("all", static_cast<uint64_t>(count.all)).EndObject();
  }
  b.Key("not_exercised").StartArray();
  for (const Covered& part : file.parts) {
    if (part.exercised) continue;
    const bool constraint = part.kind == Covered::Kind::kConstraint;
    b.StartObject().Field("line", part.line);
    b.Field(part.kind == Covered::Kind::kDenyRule ? "deny_rule" : "permission", part.id);
    if (constraint) b.Field("argument", part.argument).Field("keyword", part.keyword);
    b.EndObject();
  }
  b.EndArray().EndObject();
}

}  // namespace

std::string RenderResults(const std::vector<TestedFile>& files) {
  std::string out;
  size_t passed = 0, failed = 0;
  for (const TestedFile& file : files) {
    for (const Tested& test : file.tests) {
      absl::StrAppend(&out, test.passed() ? "ok    " : "FAIL  ", source::Printable(test.place),
                      ": ", source::Printable(test.name), "\n");
      ++(test.passed() ? passed : failed);
      if (test.passed()) continue;
      absl::StrAppend(&out, test.message, "\n");
      if (!test.explanation.empty()) absl::StrAppend(&out, "\n", test.explanation, "\n");
    }
  }
  absl::StrAppend(&out, passed, " passed, ", failed, " failed\n");
  for (const TestedFile& file : files) {
    if (!file.parts.empty()) AppendCoverage(file, out);
    if (!file.stub_parts.empty()) out += RenderStubCoverage(file);
  }
  return out;
}

std::string RenderResultsAsJson(const std::vector<TestedFile>& files) {
  json::Builder b;
  b.StartObject().Key("tests").StartArray();
  for (const TestedFile& file : files) {
    for (const Tested& test : file.tests) AddTest(test, b);
  }
  b.EndArray().Key("coverage").StartArray();
  for (const TestedFile& file : files) {
    if (!file.parts.empty()) AddCoverage(file, b);
    if (!file.stub_parts.empty()) AddStubCoverage(file, b);
  }
  b.EndArray().EndObject();
  const absl::StatusOr<json::Document> document = std::move(b).Build();
  return document.ok() ? json::Dump(document->root()) : "{}";
}

}  // namespace tipstaff::cli
