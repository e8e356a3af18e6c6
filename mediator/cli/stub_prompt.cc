#include "mediator/cli/stub_prompt.h"

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "mediator/base/status.h"
#include "mediator/base/utf8.h"
#include "mediator/cli/call_line.h"
#include "mediator/cli/stub_folder.h"
#include "mediator/cli/stub_reply.h"
#include "mediator/cli/stub_save.h"
#include "mediator/cli/tool_help.h"
#include "mediator/source/diagnostic.h"

namespace tipstaff::cli {
namespace {

constexpr char kHelp[] =
    "TOOL {\"name\": value}      call a tool\n"
    "TOOL name=text n:=3       the same; := takes JSON\n"
    "call TOOL ...             the same, of any name\n"
    "tools                     the stub's tools\n"
    "tool NAME                 a tool's arguments\n"
    "tables                    the tables and how many rows they have\n"
    "table NAME [KEY]          a table's rows, or one row\n"
    "reset                     start again from the fixtures\n"
    "replay                    make the session's calls again from the start\n"
    "save NAME                 write the session as tests/NAME.yaml of the stub\n"
    "help, quit\n";

std::string Show(absl::string_view text) {
  return absl::StrCat("`", base::EscapeAndCut(text, 60), "`");
}

absl::Status TakesNothing(absl::string_view word, absl::string_view rest) {
  if (rest.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("`", word, "` stands alone, without ", Show(rest)));
}

std::string Counted(size_t number, absl::string_view noun) {
  return absl::StrCat(number, " ", noun, number == 1 ? "" : "s");
}

// `name=3` is a text, where the tool takes a number.
std::string TextHint(const call::Tool* tool, json::Value arguments) {
  std::string text;
  for (const json::Member& member : arguments.members()) {
    if (tool == nullptr || !member.value.is_string()) continue;
    const absl::string_view type =
        tool->input_schema.root().Find("properties").Find(member.key).StringOr("type", "string");
    if (type == "string") continue;
    absl::StrAppend(&text, "  hint  `", base::EscapeAndCut(member.key, 40), "=...` is a text; for ",
                    base::EscapeAndCut(type, 20), " write `", base::EscapeAndCut(member.key, 40),
                    ":=...`\n");
  }
  return text;
}

}  // namespace

struct StubPrompt::Command {
  absl::string_view word;
  absl::StatusOr<std::string> (StubPrompt::*run)(absl::string_view rest);
};

const StubPrompt::Command* StubPrompt::Find(absl::string_view word) {
  static constexpr Command kCommands[] = {
      {"call", &StubPrompt::AnyCall},  {"help", &StubPrompt::Help}, {"replay", &StubPrompt::Replay},
      {"reset", &StubPrompt::Reset},   {"save", &StubPrompt::Save}, {"table", &StubPrompt::Table},
      {"tables", &StubPrompt::Tables}, {"tool", &StubPrompt::Tool}, {"tools", &StubPrompt::Tools},
  };
  for (const Command& command : kCommands) {
    if (command.word == word) return &command;
  }
  return nullptr;
}

StubPrompt::StubPrompt(std::string folder, StubSession session)
    : folder_(std::move(folder)),
      session_(std::move(session)),
      seen_(session_.stub()->files().files) {}

std::string StubPrompt::Greeting() const {
  return absl::StrCat(session_.stub()->name(), ": ",
                      Counted(session_.stub()->tools().size(), "tool"), ", ",
                      Counted(session_.state().TableNames().size(), "table"),
                      "; `help` says what to type, a file that is saved is loaded at once\n");
}

const call::Tool* StubPrompt::FindTool(absl::string_view name) const {
  for (const call::Tool& tool : session_.stub()->tools()) {
    if (tool.name == name) return &tool;
  }
  return nullptr;
}

absl::Status StubPrompt::UnknownWord(absl::string_view word) const {
  std::vector<std::string> words = {"call", "help",  "quit",   "replay", "reset",
                                    "save", "table", "tables", "tool",   "tools"};
  for (const call::Tool& tool : session_.stub()->tools()) words.push_back(tool.name);
  const std::string meant = source::NearestName(word, words);
  return absl::InvalidArgumentError(
      absl::StrCat("there is no tool and no command ", Show(word),
                   meant.empty() ? "; `tools` and `help` list them"
                                 : absl::StrCat(": did you mean `", meant, "`?")));
}

StubPrompt::Answer StubPrompt::Run(absl::string_view line) {
  line = absl::StripAsciiWhitespace(line);
  if (line.empty() || line.front() == '#') return {};
  const absl::string_view word = line.substr(0, line.find_first_of(" \t{"));
  const absl::string_view rest = absl::StripAsciiWhitespace(line.substr(word.size()));
  if ((word == "quit" || word == "exit") && rest.empty()) return {"", true, true};
  absl::StatusOr<std::string> text = base::IsUtf8(line)
                                         ? Dispatch(word, rest)
                                         : absl::InvalidArgumentError("the line is not UTF-8");
  if (text.ok()) return {*std::move(text)};
  return {absl::StrCat("? ", text.status().message(), "\n"), false};
}

absl::StatusOr<std::string> StubPrompt::Dispatch(absl::string_view word, absl::string_view rest) {
  if (const Command* command = Find(word)) return (this->*command->run)(rest);
  if (FindTool(word) == nullptr) return UnknownWord(word);
  return Call(word, rest);
}

absl::StatusOr<std::string> StubPrompt::Call(absl::string_view tool, absl::string_view arguments) {
  TIPSTAFF_ASSIGN_OR_RETURN(json::Document parsed, ParseCallArguments(arguments));
  const engine::Reply& reply = session_.Call(tool, std::move(parsed));
  std::string text = RenderReply(reply);
  const bool is_json = absl::StartsWith(absl::StripAsciiWhitespace(arguments), "{");
  if (reply.error == "invalid_arguments" && !is_json) {
    absl::StrAppend(&text, TextHint(FindTool(tool), session_.made().back().arguments.root()));
  }
  return text;
}

absl::StatusOr<std::string> StubPrompt::AnyCall(absl::string_view rest) {
  const absl::string_view tool = rest.substr(0, rest.find_first_of(" \t{"));
  if (tool.empty()) return absl::InvalidArgumentError("`call` needs a tool: call TOOL {...}");
  return Call(tool, rest.substr(tool.size()));
}

absl::StatusOr<std::string> StubPrompt::Tools(absl::string_view rest) {
  TIPSTAFF_RETURN_IF_ERROR(TakesNothing("tools", rest));
  return RenderTools(session_.stub()->tools());
}

absl::StatusOr<std::string> StubPrompt::Tool(absl::string_view rest) {
  if (rest.empty()) return absl::InvalidArgumentError("`tool` needs a name; `tools` lists them");
  if (const call::Tool* tool = FindTool(rest)) return RenderTool(*tool);
  std::vector<std::string> names;
  for (const call::Tool& tool : session_.stub()->tools()) names.push_back(tool.name);
  const std::string meant = source::NearestName(rest, names);
  return absl::InvalidArgumentError(absl::StrCat(
      "there is no tool ", Show(rest),
      meant.empty() ? "; `tools` lists them" : absl::StrCat(": did you mean `", meant, "`?")));
}

absl::StatusOr<std::string> StubPrompt::Tables(absl::string_view rest) {
  TIPSTAFF_RETURN_IF_ERROR(TakesNothing("tables", rest));
  const std::vector<std::string> captured = session_.state().CapturedTables();
  const std::vector<std::string> names = session_.state().TableNames();
  size_t width = 0;
  for (const std::string& name : names) width = std::max(width, name.size());
  std::string text;
  for (const std::string& name : names) {
    TIPSTAFF_ASSIGN_OR_RETURN(const json::Document rows, session_.state().Table(name));
    const bool captures = std::find(captured.begin(), captured.end(), name) != captured.end();
    absl::StrAppend(&text, name, std::string(width - name.size() + 2, ' '),
                    Counted(rows.root().size(), "row"), captures ? ", captures" : "", "\n");
  }
  return text.empty() ? "the stub has no tables\n" : text;
}

absl::StatusOr<std::string> StubPrompt::Table(absl::string_view rest) {
  TIPSTAFF_ASSIGN_OR_RETURN(const std::vector<std::string> words, SplitWords(rest));
  if (words.empty() || words.size() > 2) {
    return absl::InvalidArgumentError(
        "write `table NAME` or `table NAME KEY`; `tables` lists them");
  }
  if (words.size() == 1) {
    TIPSTAFF_ASSIGN_OR_RETURN(const json::Document rows, session_.state().Table(words[0]));
    return RenderRows(rows.root());
  }
  TIPSTAFF_ASSIGN_OR_RETURN(const json::Document row, session_.state().Row(words[0], words[1]));
  return RenderMembers(row.root(), "");
}

absl::StatusOr<std::string> StubPrompt::Reset(absl::string_view rest) {
  TIPSTAFF_RETURN_IF_ERROR(TakesNothing("reset", rest));
  TIPSTAFF_RETURN_IF_ERROR(session_.Reset());
  return "the fixtures again; the session's calls are forgotten\n";
}

std::string StubPrompt::Again(std::shared_ptr<const engine::Stub> stub) {
  const size_t calls = session_.made().size();
  const absl::StatusOr<std::vector<std::string>> differences = session_.Replay(std::move(stub));
  if (!differences.ok()) return absl::StrCat("? ", differences.status().message(), "\n");
  if (calls == 0) return "no calls to make again\n";
  std::string text = absl::StrCat("made ", Counted(calls, "call"), " again: ");
  if (differences->empty()) return text + "the same results\n";
  absl::StrAppend(&text, differences->size(), differences->size() == 1 ? " differs" : " differ",
                  "\n");
  for (const std::string& difference : *differences) absl::StrAppend(&text, "  ", difference, "\n");
  return text;
}

absl::StatusOr<std::string> StubPrompt::Replay(absl::string_view rest) {
  TIPSTAFF_RETURN_IF_ERROR(TakesNothing("replay", rest));
  std::string text = Again(session_.stub());
  uint64_t number = 0;
  for (const StubSession::Made& made : session_.made()) {
    absl::StrAppend(&text, ++number, "  ", made.tool, ": ", RenderReply(made.reply));
  }
  return text;
}

absl::StatusOr<std::string> StubPrompt::Save(absl::string_view rest) {
  TIPSTAFF_ASSIGN_OR_RETURN(const std::vector<std::string> words, SplitWords(rest));
  if (words.size() != 1) return absl::InvalidArgumentError("`save` needs one name: save NAME");
  TIPSTAFF_ASSIGN_OR_RETURN(const SavedTest saved, SaveTest(folder_, words[0], session_));
  const std::string next =
      saved.runs ? absl::StrCat("`tipstaff stub test ", base::Escape(folder_), "` runs it")
                 : absl::StrCat("only files in ", base::Escape(folder_), "/tests are run as tests");
  return absl::StrCat("wrote ", base::Escape(saved.path), ", a test of ",
                      Counted(session_.made().size(), "call"), ": ", next, "\n");
}

absl::StatusOr<std::string> StubPrompt::Help(absl::string_view) { return std::string(kHelp); }

std::string StubPrompt::Reload() {
  absl::StatusOr<engine::StubFiles> files = engine::ReadStubFiles(folder_);
  if (files.ok()) {
    if (files->files == seen_) return "";
    seen_ = files->files;
  } else if (seen_.empty()) {
    return "";  // said before
  } else {
    seen_.clear();
  }
  LoadedFolder loaded = LoadStubFolder(folder_);
  if (!loaded.problem.ok()) {
    return absl::StrCat(loaded.diagnostics, "not reloaded: ",
                        loaded.stub == nullptr && !loaded.diagnostics.empty()
                            ? "the files have errors"
                            : loaded.problem.message(),
                        "; the stub from before stays\n");
  }
  return absl::StrCat(loaded.diagnostics, "reloaded; ", Again(std::move(loaded.stub)));
}

}  // namespace tipstaff::cli
