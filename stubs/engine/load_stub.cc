#include "absl/strings/str_cat.h"
#include "mediator/base/clock.h"
#include "mediator/base/escape.h"
#include "mediator/base/units.h"
#include "stubs/engine/codes.h"
#include "stubs/engine/load.h"
#include "stubs/engine/loaded_stub.h"

namespace tipstaff::engine {
namespace {

void LoadNames(json::Value root, Fields& fields, Definition& definition) {
  const json::Value name = root.Find("stub"), description = root.Find("description");
  if (name.exists() && fields.IsText(name, "`stub`")) {
    definition.name = std::string(name.string());
    if (!call::IsToolName(definition.name)) {
      fields.Error(name, kValueCode,
                   absl::StrCat("bad stub name `", base::Escape(definition.name), "`"),
                   "expected 1 to 64 letters, digits, `_`, `-` and `.`");
    }
  }
  if (description.exists() && fields.IsText(description, "`description`")) {
    definition.description = std::string(description.string());
  }
}

void LoadClock(json::Value clock, Fields& fields, Definition& definition) {
  if (!clock.exists() || !fields.IsMapping(clock, "`clock`", {"start", "per_call"})) return;
  const json::Value start = clock.Find("start"), per_call = clock.Find("per_call");
  if (start.exists() && fields.IsText(start, "`start`")) {
    const absl::StatusOr<absl::Time> time = base::ParseTime(start.string());
    if (time.ok()) {
      definition.clock.start = *time;
    } else {
      fields.Error(start, kValueCode, time.status().message(), "for instance 2026-05-01T09:00:00Z");
    }
  }
  if (per_call.exists() && fields.IsText(per_call, "`per_call`")) {
    const absl::StatusOr<absl::Duration> duration = base::ParseDuration(per_call.string());
    if (duration.ok() && *duration <= absl::Hours(24)) {
      definition.clock.per_call = *duration;
    } else {
      fields.Error(per_call, kValueCode,
                   duration.ok() ? "more than a day for each call"
                                 : std::string(duration.status().message()),
                   "for instance 1s");
    }
  }
}

void LoadIds(json::Value ids, Fields& fields, Definition& definition) {
  if (!ids.exists() || !fields.IsObject(ids, "`ids`")) return;
  for (const json::Member& member : ids.members()) {
    if (!IsName(member.key)) {
      fields.ErrorAtKey(member.value, kValueCode,
                        absl::StrCat("bad name for an id `", base::Escape(member.key), "`"));
      continue;
    }
    if (!fields.IsText(member.value, "an id's format")) continue;
    absl::StatusOr<IdFormat> format = IdFormat::Parse(member.value.string());
    if (format.ok()) {
      definition.ids.push_back({std::string(member.key), *std::move(format)});
    } else {
      fields.Error(member.value, kValueCode, format.status().message());
    }
  }
}

Definition LoadDefinition(const source::Document& document, StubSources& sources) {
  Definition definition;
  Fields fields(document, sources.diagnostics());
  const json::Value root = document.root();
  fields.IsMapping(root, "stub.yaml",
                   {"stub", "description", "clock", "ids", "fixtures", "slots", "tables", "tools",
                    "faults", "unmatched"},
                   {"stub", "description", "tools"});
  if (!root.is_object()) return definition;
  LoadNames(root, fields, definition);
  LoadClock(root.Find("clock"), fields, definition);
  LoadIds(root.Find("ids"), fields, definition);
  LoadTables(root, fields, sources, definition);
  if (root.Find("tools").exists()) LoadTools(root.Find("tools"), fields, sources, definition);
  // Faults name tools, and those with errors are not in the definition.
  const bool complete = !source::HasErrors(sources.diagnostics());
  if (complete && root.Find("faults").exists()) {
    LoadFaults(root.Find("faults"), fields, definition);
  }
  LoadUnmatched(root.Find("unmatched"), fields, definition);
  if (complete) WarnOfStates(root.Find("tools"), fields, definition);
  return definition;
}

}  // namespace

std::shared_ptr<const Stub> Stub::Load(StubFiles files, source::Diagnostics& diagnostics) {
  source::Diagnostics found;
  std::shared_ptr<const Stub> stub;
  StubSources sources(files, found);
  if (std::shared_ptr<const source::File> file = sources.Find("stub.yaml"); file == nullptr) {
    source::Diagnostic diagnostic;
    diagnostic.code = kFileCode;
    diagnostic.message = absl::StrCat("no stub.yaml in `", base::Escape(files.folder), "`");
    found.push_back(std::move(diagnostic));
  } else if (const source::Document* document = sources.Parse(std::move(file))) {
    Definition definition = LoadDefinition(*document, sources);
    if (!source::HasErrors(found)) {
      sources.WarnOfUnused();
      stub = std::make_shared<LoadedStub>(files, std::move(definition));
    }
  }
  diagnostics.insert(diagnostics.end(), found.begin(), found.end());
  return stub;
}

}  // namespace tipstaff::engine
