#include <CLI/CLI.hpp>
#include <cstdio>
#include <iostream>
#include <iterator>
#include <memory>

#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "mediator/base/status.h"
#include "mediator/call/limits.h"
#include "mediator/cli/call_line.h"
#include "mediator/cli/calls_file.h"
#include "mediator/cli/commands.h"
#include "mediator/cli/print_json.h"
#include "mediator/cli/stub_folder.h"
#include "mediator/cli/stub_reply.h"
#include "mediator/cli/stub_session.h"
#include "mediator/json/parse.h"

namespace tipstaff::cli {
namespace {

struct Options {
  StubOptions stub;
  std::string tool, arguments = "{}", after;
};

// "-" is standard input, which ends.
absl::StatusOr<std::string> ArgumentsText(const std::string& given) {
  if (given != "-") return given;
  std::string text;
  char chunk[65536];
  size_t got;
  while ((got = std::fread(chunk, 1, sizeof chunk, stdin)) > 0) {
    text.append(chunk, got);
    if (text.size() > call::kMaxArgumentsBytes) {
      return absl::InvalidArgumentError(absl::StrCat(
          "the arguments on standard input are larger than ", call::kMaxArgumentsBytes, " bytes"));
    }
  }
  return text;
}

// Makes the calls of a file. One that is not ok is said, and may be meant.
absl::Status MakeCalls(const std::string& path, StubSession& session) {
  if (path.empty()) return absl::OkStatus();
  TIPSTAFF_ASSIGN_OR_RETURN(std::vector<FileCall> calls, ReadCalls(path));
  uint64_t number = 0;
  for (FileCall& call : calls) {
    const engine::Reply& reply = session.Call(call.tool, std::move(call.arguments));
    ++number;
    if (reply.kind == call::OutcomeKind::kOk) continue;
    std::fprintf(stderr, "tipstaff: call %s of `%s`, %s: %s\n", absl::StrCat(number).c_str(),
                 base::Escape(path).c_str(), base::EscapeAndCut(call.tool, 64).c_str(),
                 ReplyInOneLine(reply).c_str());
  }
  return absl::OkStatus();
}

absl::StatusOr<StubSession> Prepare(const Options& options, json::Document& arguments) {
  TIPSTAFF_ASSIGN_OR_RETURN(const std::string text, ArgumentsText(options.arguments));
  TIPSTAFF_ASSIGN_OR_RETURN(arguments, ParseObject(text));
  TIPSTAFF_ASSIGN_OR_RETURN(OpenedStub opened, OpenStub(options.stub));
  TIPSTAFF_ASSIGN_OR_RETURN(
      StubSession session,
      StubSession::Start(std::move(opened.stub), options.stub.seed, std::move(opened.bindings)));
  TIPSTAFF_RETURN_IF_ERROR(MakeCalls(options.after, session));
  return session;
}

ExitCode StubCall(const Options& options) {
  json::Document arguments;
  absl::StatusOr<StubSession> session = Prepare(options, arguments);
  if (!session.ok()) return Fail(session.status());
  const engine::Reply& reply = session->Call(options.tool, std::move(arguments));
  // An author's misspelling, not something the stub answers.
  if (reply.error == "unknown_tool") return Fail(absl::InvalidArgumentError(reply.message));
  if (options.stub.settings.json()) {
    json::Builder b(json::kMaxDepth + 8);
    AddReply(options.tool, reply, b);
    PrintJson(std::move(b));
  } else {
    std::printf("%s", RenderReply(reply).c_str());
  }
  return reply.kind == call::OutcomeKind::kOk ? kOk : kFindings;
}

}  // namespace

void AddStubCall(CLI::App& stub, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* command = stub.add_subcommand(
      "call", "make one call, and show the result and what it changed; exits with 1 for an error");
  AddStubOptions(*command, options->stub);
  AddFormatOption(*command, options->stub.settings);
  command->add_option("tool", options->tool, "the tool's name in the stub")
      ->required()
      ->type_name("TOOL");
  command
      ->add_option("arguments", options->arguments,
                   "a JSON object, or `-` to read it from standard input (default: {})")
      ->type_name("JSON");
  command
      ->add_option("--after", options->after,
                   "calls to make before: YAML, `- {tool: NAME, args: {...}}`, or JSON lines, "
                   "{\"tool\": ..., \"args\": ...}")
      ->type_name("FILE");
  command->footer(
      "There is no run and no mediator: nothing is recorded, and nothing is left afterwards.\n"
      "--format json prints {tool, kind, result or error and message, changes: {TABLE: [{key, op,\n"
      "row}]}, delay, note, log}; kind is ok, error, refused, stub_error\nor "
      "unknown.\n\nExamples:\n"
      "  tipstaff stub call stubs/orders get_item '{\"item_id\":\"item_0001\"}'\n"
      "  tipstaff stub call mailbox send_message - --after calls.yaml < message.json");
  command->callback([options, &exit_code] { exit_code = StubCall(*options); });
}

}  // namespace tipstaff::cli
