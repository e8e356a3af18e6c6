#include "mediator/cli/stub_coverage.h"

#include "absl/strings/str_cat.h"
#include "mediator/source/printable.h"

namespace tipstaff::cli {
namespace {

using engine::StubPart;

// More of them than anybody reads in a terminal; JSON has all.
constexpr size_t kShownIdle = 20;

struct Kind {
  StubPart::Kind kind;
  const char* key;
};
constexpr Kind kKinds[] = {{StubPart::Kind::kTool, "tools"},
                           {StubPart::Kind::kError, "errors"},
                           {StubPart::Kind::kFault, "faults"}};

struct Count {
  size_t exercised = 0, all = 0;
};

Count CountOf(const TestedFile& file, StubPart::Kind kind) {
  Count count;
  for (const StubPart& part : file.stub_parts) {
    if (part.kind != kind) continue;
    ++count.all;
    count.exercised += part.reached ? 1 : 0;
  }
  return count;
}

}  // namespace

std::string RenderStubCoverage(const TestedFile& file) {
  std::string out = absl::StrCat("\n", source::Printable(file.file.path), ": the tests exercise");
  const char* separator = " ";
  for (const Kind& kind : kKinds) {
    const Count count = CountOf(file, kind.kind);
    absl::StrAppend(&out, separator, count.exercised, " of ", count.all, " ", kind.key);
    separator = ", ";
  }
  out += '\n';
  size_t idle = 0;
  for (const StubPart& part : file.stub_parts) {
    if (part.reached || ++idle > kShownIdle) continue;
    absl::StrAppend(&out, "  no test that passes reaches ", source::Printable(part.ToString()),
                    "\n");
  }
  if (idle > kShownIdle) {
    absl::StrAppend(&out, "  and ", idle - kShownIdle, " more: --format json lists them all\n");
  }
  return out;
}

void AddStubCoverage(const TestedFile& file, json::Builder& b) {
  b.StartObject().Field("file", file.file.path);
  for (const Kind& kind : kKinds) {
    const Count count = CountOf(file, kind.kind);
    b.Key(kind.key).StartObject();
    b.Field("exercised", static_cast<uint64_t>(count.exercised));
    b.Field("all", static_cast<uint64_t>(count.all)).EndObject();
  }
  b.Key("not_exercised").StartArray();
  for (const StubPart& part : file.stub_parts) {
    if (part.reached) continue;
    b.StartObject();
    if (part.kind == StubPart::Kind::kTool) b.Field("tool", part.owner);
    if (part.kind == StubPart::Kind::kError) b.Field("error", part.code).Field("of", part.owner);
    if (part.kind == StubPart::Kind::kFault) {
      b.Field("fault", part.code).Field("line", part.line).Field("of", part.owner);
    }
    b.EndObject();
  }
  b.EndArray().EndObject();
}

}  // namespace tipstaff::cli
