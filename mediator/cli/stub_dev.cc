#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <memory>

#include "absl/strings/str_cat.h"
#include "mediator/base/fd.h"
#include "mediator/base/status.h"
#include "mediator/cli/commands.h"
#include "mediator/cli/folder_watch.h"
#include "mediator/cli/line_input.h"
#include "mediator/cli/stub_folder.h"
#include "mediator/cli/stub_prompt.h"

namespace tipstaff::cli {
namespace {

// Where nothing tells of changes, how often to look.
constexpr int kLookMs = 500;

// Ctrl-C as something to poll, so that it never comes in the middle of a save.
base::Fd InterruptFd() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  base::Fd fd(::signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC));
  if (fd) sigprocmask(SIG_BLOCK, &set, nullptr);  // else it ends the program as it always does
  return fd;
}

class Loop {
 public:
  Loop(StubPrompt prompt, const std::string& folder)
      : prompt_(std::move(prompt)),
        watch_(folder),
        input_(STDIN_FILENO),
        interrupt_(InterruptFd()) {}

  ExitCode Run();

 private:
  // Whether to go on.
  bool Step();
  bool RunLine(const LineInput::Line& line);
  void LookAtFiles();
  void ShowPrompt();
  void Print(const std::string& text);

  StubPrompt prompt_;
  FolderWatch watch_;
  LineInput input_;
  const base::Fd interrupt_;
  const bool shows_prompt_ = ::isatty(STDIN_FILENO) != 0 && ::isatty(STDOUT_FILENO) != 0;
  bool not_understood_ = false;
};

void Loop::Print(const std::string& text) {
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
}

void Loop::ShowPrompt() {
  if (shows_prompt_) Print(absl::StrCat(prompt_.session().stub()->name(), "> "));
}

void Loop::LookAtFiles() {
  if (!watch_.Take()) return;
  if (watch_.fd() >= 0) watch_.Settle();
  const std::string text = prompt_.Reload();
  if (text.empty()) return;
  Print(absl::StrCat(shows_prompt_ ? "\n" : "", text));
  ShowPrompt();
}

bool Loop::RunLine(const LineInput::Line& line) {
  StubPrompt::Answer answer = line.too_long
                                  ? StubPrompt::Answer{"? the line is longer than 1 MiB\n", false}
                                  : prompt_.Run(line.text);
  not_understood_ |= !answer.understood;
  Print(answer.text);
  if (!answer.ends) ShowPrompt();
  return !answer.ends;
}

bool Loop::Step() {
  // What was saved before a line was typed is loaded before the line is run.
  LookAtFiles();
  if (const std::optional<LineInput::Line> line = input_.Take()) return RunLine(*line);
  if (input_.at_end()) return false;
  pollfd waits[] = {
      {input_.fd(), POLLIN, 0}, {interrupt_.get(), POLLIN, 0}, {watch_.fd(), POLLIN, 0}};
  const bool told = watch_.fd() >= 0 && watch_.is_watching();
  if (::poll(waits, 3, told ? -1 : kLookMs) < 0) return errno == EINTR;
  if (waits[1].revents != 0) return false;
  if (waits[0].revents != 0) input_.Read();
  return true;
}

ExitCode Loop::Run() {
  if (shows_prompt_) Print(prompt_.Greeting());
  ShowPrompt();
  while (Step()) {
  }
  if (shows_prompt_) Print("\n");
  return not_understood_ && !shows_prompt_ ? kFindings : kOk;
}

absl::StatusOr<ExitCode> Dev(const StubOptions& options) {
  TIPSTAFF_ASSIGN_OR_RETURN(OpenedStub opened, OpenStub(options));
  TIPSTAFF_ASSIGN_OR_RETURN(StubSession session,
                            StubSession::Start(opened.stub, options.seed, opened.bindings));
  return Loop(StubPrompt(opened.folder, std::move(session)), opened.folder).Run();
}

}  // namespace

void AddStubDev(CLI::App& stub, int& exit_code) {
  auto options = std::make_shared<StubOptions>();
  CLI::App* command = stub.add_subcommand(
      "dev", "a prompt to call tools at; what you save in the stub's folder is loaded at once");
  AddStubOptions(*command, *options);
  command->footer(
      "At the prompt: TOOL {json}, TOOL name=text n:=3, tools, tool NAME, tables, table NAME "
      "[KEY],\n"
      "reset, replay, save NAME (the session as a test), help, quit. When a file of the stub is\n"
      "saved, the session's calls are made again on the new version, and what differs is said.\n"
      "Lines of a pipe are run likewise; the exit is 1 when one of them could not be "
      "understood.\n\n"
      "Examples:\n  tipstaff stub dev stubs/orders\n"
      "  printf 'tools\\nget_item item_id=item_0001\\n' | tipstaff stub dev stubs/orders");
  command->callback([options, &exit_code] {
    const absl::StatusOr<ExitCode> done = Dev(*options);
    exit_code = done.ok() ? *done : Fail(done.status());
  });
}

}  // namespace tipstaff::cli
