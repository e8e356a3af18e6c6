#include "tests/harness/mcp_server/options.h"

#include <variant>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "mediator/base/status.h"

namespace tipstaff::mcp_server {
namespace {

struct Flag {
  const char* name;
  const char* argument;  // "": none
  std::variant<bool Options::*, size_t Options::*, std::string Options::*> member;
  const char* help;
  const char* value = "";  // what a flag without an argument sets a string to
};

const std::vector<Flag>& Flags() {
  static const auto& flags = *new std::vector<Flag>{
      {"--http", "127.0.0.1:PORT", &Options::http, "Streamable HTTP at /mcp; port 0 picks one"},
      {"--sse", "", &Options::sse, "over HTTP answers are streams of events, never JSON"},
      {"--banner", "", &Options::banner, "noise on standard output before and between messages"},
      {"--exit-on-unknown", "", &Options::exit_on_unknown, "ends when it gets an unknown method"},
      {"--silent-probe", "", &Options::silent_probe, "never answers an unknown method"},
      {"--stderr-flood", "", &Options::stderr_flood, "4 MiB on standard error, and 1 MiB a call"},
      {"--leave-child", "FILE", &Options::leave_child,
       "starts a child that outlives it, deaf to SIGTERM; its process id goes into FILE"},
      {"--accounts", "FOLDER", &Options::accounts,
       "has `look`, `post`, `submit` and `find_operation`, which keep an account there"},
      {"--die-after", "N", &Options::die_after, "ends at the Nth call, before it answers"},
      {"--paged", "N", &Options::paged, "lists have pages of N items"},
      {"--empty-cursor", "", &Options::empty_cursor, "the second page has the cursor \"\""},
      {"--endless-pages", "", &Options::endless_pages, "each page names another one"},
      {"--cursor-loop", "", &Options::cursor_loop, "each page names the second one"},
      {"--drift", "", &Options::drift, "lists another description the second time"},
      {"--list-changed", "", &Options::list_changed, "announces after a call, and changes, a tool"},
      {"--top-level-anyof", "", &Options::top_level_anyof, "a tool whose inputSchema is an anyOf"},
      {"--long-names", "", &Options::long_names, "tools with long and odd names"},
      {"--ask-sampling", "", &Options::ask, "asks the client in a call, and waits for the answer",
       "sampling/createMessage"},
      {"--ask-roots", "", &Options::ask, "the same with roots", "roots/list"},
      {"--ask-elicitation", "", &Options::ask, "the same with elicitation", "elicitation/create"},
      {"--double-answer", "", &Options::double_answer, "answers calls twice"},
      {"--swap-answers", "", &Options::swap_answers,
       "answers two calls in the other order; over HTTP each in the other's response"},
      {"--wrong-id-type", "", &Options::wrong_id_type, "answers calls with \"1\" for 1"},
      {"--bad-structured", "", &Options::bad_structured,
       "`structured` breaks its own outputSchema"},
      {"--never-answer", "", &Options::never_answer, "never answers calls"},
      {"--error-null-id", "", &Options::error_null_id, "answers calls with an error of id null"},
      {"--huge-line", "", &Options::huge_line, "says a line of 40 MiB before it answers a call"},
      {"--session-gone-after", "N", &Options::session_gone_after,
       "legacy, over HTTP: a session is gone (404) after N requests"},
      {"--authorization", "FILE", &Options::authorization,
       "over HTTP: 401 without the header Authorization that FILE has"},
      {"--redirect", "", &Options::redirect, "over HTTP: 302 to /elsewhere, which answers"},
  };
  return flags;
}

absl::Status Set(const Flag& flag, const std::string& value, Options& options) {
  if (const auto* member = std::get_if<bool Options::*>(&flag.member)) {
    options.** member = true;
  } else if (const auto* member = std::get_if<std::string Options::*>(&flag.member)) {
    options.** member = *flag.argument == '\0' ? flag.value : value;
  } else if (size_t number = 0; absl::SimpleAtoi(value, &number) && number > 0) {
    options.*std::get<size_t Options::*>(flag.member) = number;
  } else {
    return absl::InvalidArgumentError(
        absl::StrCat("`", flag.name, " ", value, "`: a number from 1 is due"));
  }
  return absl::OkStatus();
}

absl::Status SetGenerations(const std::string& value, Options& options) {
  if (value == "legacy") options.generations = Generations::kLegacy;
  if (value == "modern") options.generations = Generations::kModern;
  if (value == "both") options.generations = Generations::kBoth;
  if (value == "legacy" || value == "modern" || value == "both") return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("`--generation ", value, "`: one of legacy, modern, both is due"));
}

}  // namespace

absl::StatusOr<Options> ParseOptions(const std::vector<std::string>& arguments) {
  Options options;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& name = arguments[i];
    const Flag* flag = nullptr;
    for (const Flag& known : Flags()) {
      if (name == known.name) flag = &known;
    }
    const bool generation = name == "--generation";
    if (flag == nullptr && !generation) {
      return absl::InvalidArgumentError(
          absl::StrCat("`", name, "`: no such flag; --help lists them"));
    }
    const bool takes = generation || *flag->argument != '\0';
    if (takes && ++i == arguments.size()) {
      return absl::InvalidArgumentError(absl::StrCat("`", name, "`: its argument is missing"));
    }
    const std::string value = takes ? arguments[i] : "";
    TIPSTAFF_RETURN_IF_ERROR(generation ? SetGenerations(value, options)
                                        : Set(*flag, value, options));
  }
  return options;
}

std::string Usage() {
  std::string usage =
      "usage: tipstaff-test-mcp-server [FLAG...]\n"
      "An MCP server for tests, on stdio, or over HTTP.\n\n";
  const auto add = [&](const std::string& flag, absl::string_view help) {
    absl::StrAppend(&usage, absl::StrFormat("  %-28s ", flag), help, "\n");
  };
  add("--generation G", "legacy, modern or both (the default)");
  for (const Flag& flag : Flags()) {
    const std::string name = flag.name;
    add(*flag.argument == '\0' ? name : absl::StrCat(name, " ", flag.argument), flag.help);
  }
  return usage;
}

}  // namespace tipstaff::mcp_server
