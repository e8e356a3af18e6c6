// The program under test as a child process, spoken to by lines. Every wait has an end, after
// which the test fails.
#pragma once

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "mediator/base/fd.h"
#include "mediator/json/document.h"

namespace tipstaff::guest_agent {

class Child {
 public:
  // Starts `program` (a path) with an environment of just `environment` ("NAME=value").
  Child(const std::string& program, std::vector<std::string> arguments,
        std::vector<std::string> environment = {});
  // Kills it when it still runs.
  ~Child();

  void Write(absl::string_view bytes);
  void WriteLine(absl::string_view line);
  void CloseInput() { input_.reset(); }
  void CloseOutput() { output_.reset(); }
  // The next line from stdout, as JSON; null (and a failed test) at the end or after a minute.
  json::Document ReadMessage();
  // What is left on stdout up to its end.
  std::string ReadOutput();
  // Waits for the exit: its code, or 1000 and the signal.
  int Wait();
  // What it wrote to stderr so far.
  std::string Errors();
  // Waits until it wrote that to stderr, and a line feed behind; what stands between the two.
  std::string WaitForError(absl::string_view text);
  void Signal(int signal);
  int pid() const { return pid_; }

 private:
  bool Fill();

  int pid_ = -1;
  bool reaped_ = false;
  base::Fd input_, output_, errors_;
  std::string buffer_;
};

}  // namespace tipstaff::guest_agent
