#include "tests/harness/processes.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace tipstaff::harness {
namespace {

std::vector<pid_t> All() {
  std::vector<pid_t> pids;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
    int pid = 0;
    if (absl::SimpleAtoi(entry.path().filename().string(), &pid)) pids.push_back(pid);
  }
  return pids;
}

// A zombie has none.
std::string Read(pid_t pid, const char* file) {
  std::ifstream in(absl::StrCat("/proc/", pid, "/", file), std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

}  // namespace

std::vector<pid_t> ProcessesWith(absl::string_view assignment) {
  std::vector<pid_t> found;
  for (const pid_t pid : All()) {
    const std::string environment = Read(pid, "environ");
    for (const absl::string_view one : absl::StrSplit(environment, '\0')) {
      if (one != assignment) continue;
      found.push_back(pid);
      break;
    }
  }
  return found;
}

std::string PidNamespaceOf(pid_t pid) {
  std::error_code error;
  const auto link = std::filesystem::read_symlink(absl::StrCat("/proc/", pid, "/ns/pid"), error);
  return error ? "" : link.string();
}

std::vector<pid_t> ProcessesInPidNamespace(const std::string& pid_namespace) {
  std::vector<pid_t> found;
  for (const pid_t pid : All()) {
    // A zombie that nobody has waited for yet is no process that could do anything.
    if (PidNamespaceOf(pid) == pid_namespace && !Read(pid, "cmdline").empty()) {
      found.push_back(pid);
    }
  }
  return found;
}

std::vector<CommandLine> CommandLines() {
  std::vector<CommandLine> lines;
  for (const pid_t pid : All()) {
    std::string text = Read(pid, "cmdline");
    std::replace(text.begin(), text.end(), '\0', ' ');
    if (!text.empty()) lines.push_back({pid, std::move(text)});
  }
  return lines;
}

}  // namespace tipstaff::harness
