#include "mediator/cli/calls_file.h"

#include <memory>
#include <optional>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "mediator/base/escape.h"
#include "mediator/base/file.h"
#include "mediator/base/status.h"
#include "mediator/json/builder.h"
#include "mediator/json/parse.h"
#include "mediator/source/document.h"
#include "mediator/source/read.h"

namespace tipstaff::cli {
namespace {

// `where`: "calls.yaml:3".
absl::StatusOr<FileCall> ReadCall(json::Value value, const std::string& where) {
  const auto wrong = [&where](absl::string_view what) {
    return absl::InvalidArgumentError(absl::StrCat(where, ": ", what));
  };
  if (!value.is_object()) return wrong("a call is a mapping: {tool: NAME, args: {...}}");
  for (const json::Member& member : value.members()) {
    if (member.key != "tool" && member.key != "args") {
      return wrong(absl::StrCat("unknown key `", base::EscapeAndCut(member.key, 60),
                                "`: a call has `tool` and `args`"));
    }
  }
  if (!value.Find("tool").is_string()) return wrong("a call needs `tool`, a text");
  const json::Value arguments = value.Find("args");
  if (arguments.exists() && !arguments.is_object()) return wrong("`args` must be a mapping");
  json::Builder b;
  if (arguments.exists()) {
    b.Copy(arguments);
  } else {
    b.StartObject().EndObject();
  }
  TIPSTAFF_ASSIGN_OR_RETURN(json::Document copy, std::move(b).Build());
  return FileCall{std::string(value.Find("tool").string()), std::move(copy)};
}

bool IsJsonLines(const source::File& file) {
  if (absl::EndsWith(file.path, ".jsonl") || absl::EndsWith(file.path, ".ndjson")) return true;
  const std::string first = file.text.substr(0, file.text.find('\n'));
  const absl::StatusOr<json::Document> parsed = json::Parse(first);
  return parsed.ok() && parsed->root().Find("tool").exists();
}

absl::StatusOr<std::vector<FileCall>> ReadLines(const source::File& file) {
  std::vector<FileCall> calls;
  int number = 0;
  for (const absl::string_view line : absl::StrSplit(file.text, '\n')) {
    const std::string where = absl::StrCat(base::Escape(file.path), ":", ++number);
    if (absl::StripAsciiWhitespace(line).empty()) continue;
    const absl::StatusOr<json::Document> parsed = json::Parse(line);
    if (!parsed.ok()) {
      return absl::InvalidArgumentError(absl::StrCat(where, ": ", parsed.status().message()));
    }
    TIPSTAFF_ASSIGN_OR_RETURN(FileCall call, ReadCall(parsed->root(), where));
    calls.push_back(std::move(call));
  }
  return calls;
}

absl::StatusOr<std::vector<FileCall>> ReadYaml(std::shared_ptr<const source::File> file) {
  source::Diagnostics diagnostics;
  const std::string path = base::Escape(file->path);
  const std::optional<source::Document> document = source::ParseYaml(std::move(file), diagnostics);
  if (!document) return source::ToStatus(diagnostics);
  json::Value list = document->root();
  if (list.is_object() && list.size() == 1 && list.Find("calls").exists()) {
    list = list.Find("calls");
  }
  if (!list.is_array()) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": expected a sequence of calls, `- {tool: NAME, args: {...}}`"));
  }
  std::vector<FileCall> calls;
  for (json::Value value : list.items()) {
    const std::string where = absl::StrCat(path, ":", document->SpanOf(value).line);
    TIPSTAFF_ASSIGN_OR_RETURN(FileCall call, ReadCall(value, where));
    calls.push_back(std::move(call));
  }
  return calls;
}

}  // namespace

absl::StatusOr<std::vector<FileCall>> ReadCalls(const std::string& path) {
  absl::StatusOr<std::string> text = base::ReadFile(path, source::kMaxFileBytes);
  // Whatever keeps it from being read: another file is what helps.
  if (!text.ok()) return absl::InvalidArgumentError(text.status().message());
  auto file = std::make_shared<source::File>(source::File{path, *std::move(text)});
  return IsJsonLines(*file) ? ReadLines(*file) : ReadYaml(std::move(file));
}

}  // namespace tipstaff::cli
