#include "mediator/cli/explanation.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "mediator/source/diagnostic.h"

namespace tipstaff::cli {
namespace {

using policy::Considered;

// The skill's file as it was loaded.
std::shared_ptr<const source::File> FileOf(const policy::Grant& grant, const std::string& skill) {
  for (const std::shared_ptr<const policy::Skill>& one : grant.skills()) {
    if (one->name() == skill) return {one, &one->file()};
  }
  return nullptr;
}

std::string Render(const policy::Grant& grant, const call::Nearest& near, std::string message,
                   std::vector<std::string> notes) {
  source::Diagnostic diagnostic;
  diagnostic.severity = source::Severity::kNote;
  diagnostic.message = std::move(message);
  diagnostic.file = FileOf(grant, near.skill);
  diagnostic.span = {near.line, near.column, near.length};
  diagnostic.label = absl::StrCat("wants ", near.expected);
  if (!near.found.empty()) notes.insert(notes.begin(), absl::StrCat("found ", near.found));
  diagnostic.notes = std::move(notes);
  return source::RenderText(diagnostic);
}

std::string RenderConsidered(const policy::Grant& grant, const Considered& one) {
  const std::string name = absl::StrCat("`", one.permission, "` of `", one.skill, "`");
  if (one.came == Considered::Came::kAsks) {
    return absl::StrCat("note: ", name, " permits it once a person approves\n");
  }
  if (!one.failed) return absl::StrCat("note: ", name, " permits it\n");
  std::string message = absl::StrCat(name, " does not permit it: `", one.failed->constraint, "`");
  if (!one.failed->pointer.empty()) absl::StrAppend(&message, " at `", one.failed->pointer, "`");
  std::vector<std::string> notes;
  if (one.constraints > 1) {
    notes.push_back(absl::StrCat("the first of ", one.constraints, " constraints that fail"));
  }
  return Render(grant, *one.failed, std::move(message), std::move(notes));
}

// Of a planted text that leaves with the arguments, or may; empty for any other decision.
std::string RenderPlanted(const call::Decision& decision) {
  if (!SawPlanted(decision)) return "";
  const call::Nearest& near = *decision.nearest;
  std::string at;
  if (!near.pointer.empty()) at = absl::StrCat(", at `", base::Escape(near.pointer), "`");
  if (decision.reason != call::Reason::kCanary) {
    return absl::StrCat("note: the arguments hold ", base::Escape(near.found),
                        " for a planted text", at, ": no permission matters\n");
  }
  return absl::StrCat("note: the arguments carry ", base::Escape(near.found), at,
                      ": no permission matters\n");
}

}  // namespace

std::vector<policy::Considered> NearestFirst(std::vector<policy::Considered> considered) {
  std::stable_sort(
      considered.begin(), considered.end(), [](const Considered& a, const Considered& b) {
        return std::make_pair(a.came, a.constraints) < std::make_pair(b.came, b.constraints);
      });
  return considered;
}

bool SawPlanted(const call::Decision& decision) {
  return decision.nearest && decision.nearest->constraint == "canary";
}

std::string RenderTrace(const policy::Grant& grant, const policy::Trace& trace) {
  std::string out;
  if (trace.denied) {
    out = Render(grant, *trace.denied,
                 absl::StrCat("the deny rule `", trace.denied->permission, "` of `",
                              trace.denied->skill, "` overrides every permission"),
                 {});
  }
  if (const std::string planted = RenderPlanted(trace.decision); !planted.empty()) {
    absl::StrAppend(&out, out.empty() ? "" : "\n", planted);
  }
  for (const Considered& one : NearestFirst(trace.considered)) {
    absl::StrAppend(&out, out.empty() ? "" : "\n", RenderConsidered(grant, one));
  }
  if (trace.considered.empty() && !trace.denied) {
    absl::StrAppend(&out, out.empty() ? "" : "\n",
                    "note: no permission of the run's skills names the tool\n");
  }
  return out;
}

}  // namespace tipstaff::cli
