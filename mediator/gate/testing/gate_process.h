// A real tipstaff-gate, started as the mediator starts it: descriptors 3 and 4, no environment.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace tipstaff::gate {

// Owns the process: killed and reaped on destruction if it still runs. Its standard error goes to
// a file.
class GateProcess {
 public:
  // A descriptor below 0 is left closed in the gate. Both stay the caller's.
  GateProcess(std::vector<std::string> arguments, int connections, int mediator,
              std::string errors_path);
  ~GateProcess();
  GateProcess(const GateProcess&) = delete;
  GateProcess& operator=(const GateProcess&) = delete;

  bool Running();
  // The exit code, or 1000 + signal; nothing when it still runs after `milliseconds`.
  std::optional<int> Wait(int milliseconds);
  std::string Errors() const;
  // A line of /proc/PID/status, for instance "VmRSS": what follows the colon.
  std::string StatusOf(const std::string& line) const;

 private:
  pid_t pid_ = -1;
  std::optional<int> ended_;
  const std::string errors_path_;
};

}  // namespace tipstaff::gate
