#include "mediator/base/crash_point.h"

#if TIPSTAFF_CRASH_POINTS

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "absl/strings/numbers.h"

namespace tipstaff::base {
namespace {

absl::string_view Variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? absl::string_view(value) : absl::string_view();
}

std::string& LeftOut() {
  static auto* left_out = new std::string(Variable("TIPSTAFF_LEAVE_OUT"));
  return *left_out;
}

std::vector<const CrashPoint*>& All() {
  static auto* all = new std::vector<const CrashPoint*>();
  return *all;
}

}  // namespace

CrashPoint::CrashPoint(std::string name) : name_(std::move(name)) {
  All().push_back(this);
  absl::string_view at = Variable("TIPSTAFF_CRASH_AT");
  int time = 1;
  if (const size_t star = at.rfind('*'); star != absl::string_view::npos) {
    if (!absl::SimpleAtoi(at.substr(star + 1), &time)) time = 1;
    at = at.substr(0, star);
  }
  if (at == name_) crash_at_ = time;
}

void CrashPoint::Pass() const {
  if (crash_at_ == 0 || ++passed_ != crash_at_) return;
  ::kill(::getpid(), SIGKILL);
  for (;;) ::pause();  // not a step further
}

bool ListCrashPoints() {
  if (Variable("TIPSTAFF_CRASH_POINTS") != "list") return false;
  std::vector<std::string> names;
  for (const CrashPoint* point : All()) names.push_back(point->name());
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) std::printf("%s\n", name.c_str());
  return true;
}

bool IsLeftOut(absl::string_view rule) { return LeftOut() == rule; }
void LeaveOut(std::string rule) { LeftOut() = std::move(rule); }

}  // namespace tipstaff::base

#endif
