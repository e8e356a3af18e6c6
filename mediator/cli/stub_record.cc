#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "mediator/base/clock.h"
#include "mediator/base/escape.h"
#include "mediator/base/ids.h"
#include "mediator/base/status.h"
#include "mediator/cli/commands.h"
#include "mediator/cli/ledger_option.h"
#include "mediator/cli/new_stub.h"
#include "mediator/cli/recorded_calls.h"
#include "mediator/cli/settings.h"
#include "mediator/cli/shell_word.h"
#include "mediator/source/read.h"
#include "stubs/recorder/redaction.h"
#include "stubs/recorder/stub_maker.h"

namespace tipstaff::cli {
namespace {

namespace fs = std::filesystem;

struct Options {
  Settings settings;
  std::string ledger, run, backend, name, into = "stubs", redact, unredacted;
};

// One system's recording on its way to a stub.
struct Take {
  std::string name;  // of the stub
  RecordedCalls calls;
  recorder::MadeStub made;
  std::string folder;
};

absl::StatusOr<std::vector<recorder::RedactionRule>> RulesOf(const Options& options) {
  const bool says_why = !absl::StripAsciiWhitespace(options.unredacted).empty();
  if (!options.unredacted.empty() && !says_why) {
    return absl::InvalidArgumentError("--unredacted needs a reason");
  }
  if (options.redact.empty() && !says_why) {
    return absl::InvalidArgumentError(
        "a recording holds what real people and systems said: name what must not be kept with "
        "--redact FILE (see --help), or say with --unredacted WHY that all of it may be");
  }
  std::vector<recorder::RedactionRule> none;
  if (options.redact.empty()) return none;
  source::Diagnostics diagnostics;
  const std::shared_ptr<const source::File> file = source::ReadSource(options.redact, diagnostics);
  auto rules = file == nullptr ? std::nullopt : recorder::LoadRedaction(file, diagnostics);
  if (rules) return *std::move(rules);
  std::fputs(source::RenderText(diagnostics).c_str(), stderr);
  return absl::InvalidArgumentError(
      absl::StrCat("`", base::Escape(options.redact), "` has no rules that can be used"));
}

absl::StatusOr<std::vector<std::string>> ChooseSystems(const Options& options,
                                                       const PinnedRun& run) {
  const std::vector<std::string> all = SystemsOf(run);
  if (options.backend.empty()) return all;
  for (const std::string& alias : all) {
    if (alias == options.backend) return std::vector<std::string>{alias};
  }
  return absl::NotFoundError(absl::StrCat("run `", run.opened.run, "` has no backend `",
                                          base::Escape(options.backend), "`: there is `",
                                          absl::StrJoin(all, "`, `"), "`"));
}

std::string CallsOf(size_t count) { return absl::StrCat(count, count == 1 ? " call" : " calls"); }

// What the stub's own folder says of where it comes from.
std::string Readme(const Options& options, const PinnedRun& run, const Take& take,
                   const recorder::Redacted& redacted) {
  std::string text =
      absl::StrCat("# ", take.name, "\nMade by `tipstaff stub record` of ",
                   CallsOf(take.made.answered), " of `", take.calls.recording.system, "` in ",
                   run.opened.run, ", opened ", base::ShowTime(run.opened.opened_at),
                   ". It answers them as they were answered, and asks "
                   "nothing else.\n");
  for (size_t i = 0; i < redacted.found.size(); ++i) {
    absl::StrAppend(&text, "Redacted by rule ", i + 1, " in the run: ", redacted.found[i], "\n");
  }
  if (!options.unredacted.empty()) {
    absl::StrAppend(&text, "Not redacted: ", base::Escape(options.unredacted), "\n");
  }
  return text;
}

absl::StatusOr<std::vector<Take>> ReadAll(const Options& options, ledger::Reader& reader,
                                          const PinnedRun& run,
                                          const std::vector<std::string>& systems) {
  std::vector<Take> takes;
  for (const std::string& alias : systems) {
    Take& take = takes.emplace_back();
    take.name = options.name.empty() ? absl::StrCat(alias, "_recorded") : options.name;
    take.folder = (fs::path(options.into) / take.name).string();
    TIPSTAFF_ASSIGN_OR_RETURN(take.calls, ReadRecordedCalls(reader, run, alias));
  }
  return takes;
}

// All at once: what a rule finds in one system's calls must not stand in another's.
absl::StatusOr<recorder::Redacted> RedactAll(const std::vector<recorder::RedactionRule>& rules,
                                             std::vector<Take>& takes) {
  std::vector<recorder::Recording*> recordings;
  for (Take& take : takes) recordings.push_back(&take.calls.recording);
  return recorder::Redact(rules, recordings);
}

absl::Status MakeAll(const Options& options, const PinnedRun& run,
                     const recorder::Redacted& redacted, std::vector<Take>& takes) {
  for (Take& take : takes) {
    const recorder::Recording& recording = take.calls.recording;
    if (recording.calls.empty()) continue;
    TIPSTAFF_ASSIGN_OR_RETURN(
        take.made,
        recorder::MakeStub(recording, {take.name, absl::StrCat("Answers as `", recording.system,
                                                               "` did in ", run.opened.run, ".")}));
    take.made.files["README.md"] = Readme(options, run, take, redacted);
  }
  return absl::OkStatus();
}

// A rule that is misspelt finds nothing, and so does one for a tool that there is not.
absl::Status CheckRules(const std::vector<recorder::RedactionRule>& rules,
                        const recorder::Redacted& redacted, const std::vector<Take>& takes) {
  for (size_t i = 0; i < rules.size(); ++i) {
    bool is_tool = rules[i].tool.empty();
    for (const Take& take : takes) {
      for (const call::Tool& tool : take.calls.recording.tools) {
        is_tool = is_tool || tool.name == rules[i].tool;
      }
    }
    const std::string rule =
        absl::StrCat("rule ", i + 1, " (`", base::EscapeInJson(rules[i].written), "`)");
    if (!is_tool) {
      return absl::InvalidArgumentError(
          absl::StrCat(rule, ": there is no tool `", base::Escape(rules[i].tool), "`"));
    }
    if (redacted.found[i] == 0 && !rules[i].optional) {
      return absl::InvalidArgumentError(
          absl::StrCat(rule,
                       " found nothing, and nothing was written: mend it, or say in it that "
                       "it is `optional: true`"));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckBeforeWriting(const std::vector<Take>& takes) {
  std::error_code ignored;
  for (const Take& take : takes) {
    if (fs::exists(fs::symlink_status(take.folder, ignored))) {
      return absl::InvalidArgumentError(
          absl::StrCat("`", base::Escape(take.folder),
                       "` is already there, and nothing was written: choose another --name or "
                       "--into"));
    }
  }
  return absl::OkStatus();
}

// False when there is something that nobody has said may stay.
bool AreSuspectsAllowed(const Options& options, const recorder::Redacted& redacted) {
  for (const std::string& suspect : redacted.suspects) {
    std::fprintf(stderr, "tipstaff: %s is left\n", base::EscapeAndCut(suspect, 120).c_str());
  }
  if (redacted.suspects.empty() || !options.unredacted.empty()) return true;
  std::fprintf(stderr,
               "tipstaff: nothing was written: add a rule for what is left, or say with "
               "--unredacted WHY that it may stay\n");
  return false;
}

std::string NamesOf(const std::vector<std::string>& names) { return absl::StrJoin(names, ", "); }

void Print(const Take& take) {
  const recorder::Recording& recording = take.calls.recording;
  if (recording.calls.empty()) {
    std::printf("%s: no calls were made, so there is no stub\n", recording.system.c_str());
    return;
  }
  std::printf("%s: %s of `%s`\n", base::Escape(take.folder).c_str(),
              CallsOf(take.made.answered).c_str(), recording.system.c_str());
  std::map<std::string, size_t> calls;
  for (const recorder::RecordedCall& call : recording.calls) ++calls[call.tool];
  std::vector<std::string> by_replies;
  for (const auto& [tool, count] : calls) {
    const auto& told = take.made.by_tables;
    if (std::find(told.begin(), told.end(), tool) == told.end()) {
      by_replies.push_back(absl::StrCat(tool, " (", count, ")"));
    }
  }
  const auto line = [](const char* what, const std::string& text) {
    if (!text.empty()) std::printf("  %-12s %s\n", what, text.c_str());
  };
  line("by tables", NamesOf(take.made.by_tables));
  line("by replies", NamesOf(by_replies));
  line("not called", NamesOf(take.made.unused));
  for (const std::string& left_out : take.calls.left_out) line("left out", left_out);
  for (const std::string& refused : take.made.refused) line("left out", refused);
}

void PrintRules(const std::vector<recorder::RedactionRule>& rules,
                const recorder::Redacted& redacted) {
  for (size_t i = 0; i < rules.size(); ++i) {
    std::printf("  %-12s %s: %zu%s\n", "redacted", base::EscapeInJson(rules[i].written).c_str(),
                redacted.found[i], redacted.found[i] == 0 ? ", it found nothing" : "");
  }
}

absl::Status Write(const Take& take) {
  std::vector<NewFile> files;
  for (const auto& [path, text] : take.made.files) files.push_back({path, text});
  return WriteFiles(take.folder, files).status();
}

ExitCode StubRecord(const Options& options) {
  if (!base::IsRunId(options.run)) {
    return Fail(absl::InvalidArgumentError(
        absl::StrCat("`", base::Escape(options.run), "` is no run's id (run_...)")));
  }
  if (!options.name.empty() && NearestStubName(options.name) != options.name) {
    return Fail(absl::InvalidArgumentError(absl::StrCat("`", base::Escape(options.name),
                                                        "` is no name for a stub: try `",
                                                        NearestStubName(options.name), "`")));
  }
  const auto rules = RulesOf(options);
  if (!rules.ok()) return Fail(rules.status());
  auto reader = OpenLedger(options.settings, options.ledger);
  if (!reader.ok()) return Fail(reader.status());
  const absl::StatusOr<PinnedRun> run = ReadPinnedRun(**reader, options.run);
  if (!run.ok()) return Fail(run.status());
  const auto systems = ChooseSystems(options, *run);
  if (!systems.ok()) return Fail(systems.status());
  if (!options.name.empty() && systems->size() != 1) {
    return Fail(absl::InvalidArgumentError(absl::StrCat("--name is for one stub, and the run has ",
                                                        systems->size(),
                                                        " backends: choose one with --backend")));
  }
  absl::StatusOr<std::vector<Take>> takes = ReadAll(options, **reader, *run, *systems);
  if (!takes.ok()) return Fail(takes.status());
  const absl::StatusOr<recorder::Redacted> redacted = RedactAll(*rules, *takes);
  if (!redacted.ok()) return Fail(redacted.status());
  for (const absl::Status& status :
       {CheckBeforeWriting(*takes), CheckRules(*rules, *redacted, *takes),
        MakeAll(options, *run, *redacted, *takes)}) {
    if (!status.ok()) return Fail(status);
  }
  if (!AreSuspectsAllowed(options, *redacted)) return kFindings;
  std::string written;
  for (const Take& take : *takes) {
    if (!take.made.files.empty()) {
      if (const absl::Status status = Write(take); !status.ok()) return Fail(status);
      absl::StrAppend(&written, " ", ShellWord(take.folder));
    }
    Print(take);
  }
  PrintRules(*rules, *redacted);
  if (!written.empty()) std::printf("\nnext: tipstaff stub test%s\n", written.c_str());
  return kOk;
}

}  // namespace

void AddStubRecord(CLI::App& stub, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* command = stub.add_subcommand(
      "record", "make a stub of the calls that a run made: it answers them as they were answered");
  AddConfigOption(*command, options->settings);
  AddLedgerOption(*command, options->ledger);
  command->add_option("--run", options->run, "the run")->required()->type_name("RUN");
  command
      ->add_option("--backend", options->backend,
                   "the system, by its alias in the run (default: a stub for each)")
      ->type_name("ALIAS");
  command->add_option("--name", options->name, "of the stub (default: ALIAS_recorded)")
      ->type_name("NAME");
  command->add_option("--into", options->into, "where its folder goes (default: stubs)")
      ->type_name("FOLDER");
  command->add_option("--redact", options->redact, "rules for what must not be kept")
      ->type_name("FILE");
  command
      ->add_option("--unredacted", options->unredacted,
                   "why all that no rule finds may be kept; it stands in the stub's README")
      ->type_name("WHY");
  command->footer(
      "Rules, in YAML; a text that one finds is replaced wherever the recording has it:\n\n"
      "  redact:\n"
      "    - {at: /reporter/email, with: \"reporter{n}@customer.example\"}\n"
      "    - {tool: get_report, at: \"/attachments/*/name\", with: file.txt}\n"
      "    - {matching: '[a-z.]+@corp\\.com', with: \"person{n}@customer.example\"}\n\n"
      "A rule that finds nothing is an error, unless it says `optional: true`.\n"
      "The stub never asks the system that was recorded. Tools that come out `by replies` answer a "
      "call that was not recorded with `unmatched`; those `by tables` answer for their rows.\n\n"
      "Example:\n  tipstaff stub record --run run_k3v7q2m4x7aa --backend reports --redact "
      "rules.yaml");
  command->callback([options, &exit_code] { exit_code = StubRecord(*options); });
}

}  // namespace tipstaff::cli
