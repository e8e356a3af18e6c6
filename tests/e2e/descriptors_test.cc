// Descriptors that a child was not meant to have. The mediator's admin connections once went to
// every gate, and to the command of an `exec` that brought its own mediator: asio's accept does not
// set FD_CLOEXEC.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cstring>
#include <filesystem>
#include <set>

#include "absl/strings/str_cat.h"
#include "mediator/base/fd.h"
#include "mediator/base/file.h"
#include "tests/e2e/fixture.h"

namespace tipstaff::e2e {
namespace {

namespace fs = std::filesystem;

// Prints where each descriptor of a shell but the standard ones leads to.
constexpr char kPrintOthers[] =
    "for fd in /proc/$$/fd/*; do test ${fd##*/} -gt 2 && readlink $fd; done; true";

// What a process's descriptors lead to: "socket:[4711]", a path.
std::set<std::string> TargetsOf(const std::string& pid) {
  std::set<std::string> targets;
  for (const fs::directory_entry& entry : fs::directory_iterator("/proc/" + pid + "/fd")) {
    std::error_code closed_meanwhile;
    targets.insert(fs::read_symlink(entry.path(), closed_meanwhile).string());
  }
  return targets;
}

std::string OnlyChildOf(pid_t pid) {
  std::string children =
      Must(base::ReadFile(absl::StrCat("/proc/", pid, "/task/", pid, "/children")));
  children.erase(children.find_last_not_of(" \n") + 1);
  EXPECT_EQ(children.find(' '), std::string::npos) << children;
  return children;
}

base::Fd Connect(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
  base::Fd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  EXPECT_EQ(::connect(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  return socket;
}

class DescriptorsTest : public E2eTest {
 protected:
  // As a careless program that starts tipstaff may leave one open.
  base::Fd InheritableFolder() {
    return base::Fd(::open(Path("").c_str(), O_RDONLY | O_DIRECTORY));
  }
  std::string ExecsOthers() {
    const harness::Finished exec =
        Tipstaff({"exec", "--skill", "report-triage", "--bind", "report_id=rep_demo0001", "--bind",
                  "tenant=acme", "--", "sh", "-c", kPrintOthers});
    EXPECT_EQ(exec.status, 0) << exec.err;
    return exec.out;
  }
};

TEST_F(DescriptorsTest, AConfinedCommandHasTheStandardOnesOnly) {
  Start();
  const base::Fd inheritable = InheritableFolder();
  EXPECT_EQ(ExecsOthers(), "");
  ASSERT_EQ(Must(mediator().Stop()), 0);
  EXPECT_EQ(ExecsOthers(), "") << "with a mediator of its own";
}

TEST_F(DescriptorsTest, AGateSharesItsListenerWithTheMediatorAndNothingElse) {
  const base::Fd inheritable = InheritableFolder();
  Start();
  // Accepted before the run is opened: both come over the same socket.
  const base::Fd operators = Connect(mediator().admin_socket());
  const harness::OpenedRun run = OpenTriage();
  EXPECT_EQ(Must(StartAgent(run)->Call("reports_get_report", kReadArguments)).reason, "permitted");

  const std::set<std::string> gates = TargetsOf(OnlyChildOf(mediator().pid()));
  const std::set<std::string> mediators = TargetsOf(absl::StrCat(mediator().pid()));
  std::vector<std::string> shared_sockets;
  for (const std::string& target : gates) {
    if (!target.starts_with("socket:") || !mediators.contains(target)) continue;
    shared_sockets.push_back(target);
  }
  EXPECT_EQ(shared_sockets.size(), 1u) << "the listener is one, whatever else is too many";
  const fs::path folder = fs::path(Path("")).parent_path();  // without the slash at its end
  EXPECT_FALSE(gates.contains(folder.string())) << "of whoever started the mediator";
}

// A login shell's soft limit is too low for the runs that may be open.
TEST_F(DescriptorsTest, TheMediatorTakesAllDescriptorsThatItMay) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  rlimit lower = before;
  lower.rlim_cur = 256;
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &lower), 0);
  Start();
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  rlimit mediators{};
  ASSERT_EQ(::prlimit(mediator().pid(), RLIMIT_NOFILE, nullptr, &mediators), 0);
  EXPECT_EQ(mediators.rlim_cur, before.rlim_max);
}

}  // namespace
}  // namespace tipstaff::e2e
