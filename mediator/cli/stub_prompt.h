// The lines of `tipstaff stub dev`: what each does, and what is printed for it. Knows no terminal.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "mediator/cli/stub_session.h"

namespace tipstaff::cli {

class StubPrompt {
 public:
  // `folder`: of the session's stub, to reload it from and to save tests in.
  StubPrompt(std::string folder, StubSession session);

  struct Answer {
    std::string text;
    bool understood = true;
    bool ends = false;
  };
  // An empty line and one that begins with `#` do nothing.
  Answer Run(absl::string_view line);

  // Reads the files again: "" when they are as they were. On a stub that does not load the one
  // before stays, and the diagnostics are what is printed.
  std::string Reload();

  const StubSession& session() const { return session_; }
  std::string Greeting() const;

 private:
  struct Command;
  static const Command* Find(absl::string_view word);

  absl::StatusOr<std::string> Call(absl::string_view tool, absl::string_view arguments);
  absl::StatusOr<std::string> AnyCall(absl::string_view rest);
  absl::StatusOr<std::string> Tools(absl::string_view rest);
  absl::StatusOr<std::string> Tool(absl::string_view rest);
  absl::StatusOr<std::string> Tables(absl::string_view rest);
  absl::StatusOr<std::string> Table(absl::string_view rest);
  absl::StatusOr<std::string> Reset(absl::string_view rest);
  absl::StatusOr<std::string> Replay(absl::string_view rest);
  absl::StatusOr<std::string> Save(absl::string_view rest);
  absl::StatusOr<std::string> Help(absl::string_view rest);
  absl::StatusOr<std::string> Dispatch(absl::string_view word, absl::string_view rest);
  // What calling again on `stub` came to.
  std::string Again(std::shared_ptr<const engine::Stub> stub);
  const call::Tool* FindTool(absl::string_view name) const;
  absl::Status UnknownWord(absl::string_view word) const;

  const std::string folder_;
  StubSession session_;
  std::map<std::string, std::string> seen_;  // the files that were last read, loaded or not
};

}  // namespace tipstaff::cli
