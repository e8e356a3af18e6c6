// The mediator's side of a machine: programs, configuration, ledger, disk, confinement, upstreams.
#include "mediator/doctor/testing/made_up_machine.h"

namespace tipstaff::doctor {
namespace {

using Break = std::function<void(Scene&)>;

TEST(CheckMediatorTest, EachFaultHasItsFix) {
  const struct {
    const char* name;
    Break how;
    const char* check;
    Level level;
    const char *what, *fix;
  } kRows[] = {
      {"no guest program", [](Scene& s) { s.machine.paths.erase(kGuest); }, "tipstaff-guest",
       Level::kProblem, "is not there", "install"},
      {"not executable", [](Scene& s) { s.machine.AddFile(kGate, "", 0644); }, "tipstaff-gate",
       Level::kProblem, "cannot be executed", "chmod +x"},
      {"a folder", [](Scene& s) { s.machine.Add(kGate, PathFacts::Kind::kFolder, 0755); },
       "tipstaff-gate", Level::kProblem, "is no file", "install"},
      {"no mediator", [](Scene& s) { s.machine.paths.erase(kAdmin); }, "mediator", Level::kWarning,
       "no mediator runs", "tipstaff serve"},
      {"a mediator that died", [](Scene& s) { s.machine.listeners.erase(kAdmin); }, "mediator",
       Level::kProblem, "left behind", "tipstaff serve"},
      {"another user's mediator",
       [](Scene& s) { s.machine.listeners[kAdmin] = absl::PermissionDeniedError("no"); },
       "mediator", Level::kProblem, "may not connect", "docs/approvals.md"},
      {"ledger's folder",
       [](Scene& s) { s.machine.Add("/srv/state", PathFacts::Kind::kFolder, 0500); }, "ledger",
       Level::kProblem, "may not write in `/srv/state`", "chown"},
      {"ledger's folder is a file", [](Scene& s) { s.machine.AddFile("/srv/state", ""); }, "ledger",
       Level::kProblem, "`/srv/state` is no folder", "`ledger:`"},
      {"a ledger of another user's", [](Scene& s) { s.machine.AddFile(kLedger, "", 0400); },
       "ledger", Level::kProblem, "may not write `/srv/state/tipstaff.db`", "chown"},
      {"little room",
       [](Scene& s) {
         s.machine.room = Room{500 << 20, uint64_t{9} << 30};
       },
       "disk", Level::kWarning, "500.0 MiB of 9.0 GiB are free", "make room"},
      {"no room",
       [](Scene& s) {
         s.machine.room = Room{1 << 20, uint64_t{9} << 30};
       },
       "disk", Level::kProblem, "1.0 MiB of 9.0 GiB are free", "make room"},
      {"no bubblewrap",
       [](Scene& s) {
         s.machine.confines = absl::NotFoundError(
             "bubblewrap is not installed, so nothing can be confined: apt-get install bubblewrap");
       },
       "confinement", Level::kProblem, "bubblewrap is not installed, so nothing can be confined",
       "apt-get install bubblewrap; else `exec` needs --unconfined"},
      {"no user namespaces",
       [](Scene& s) {
         s.machine.confines = absl::FailedPreconditionError(
             "this machine cannot confine a program (bwrap: No permission): allow user namespaces");
       },
       "confinement", Level::kProblem, "cannot confine a program (bwrap: No permission)",
       "allow user namespaces; else"},
      {"no configuration",
       [](Scene& s) {
         s.subject.config.reset();
         s.subject.config_problem = "`x.yaml` does not check";
       },
       "configuration", Level::kProblem, "`x.yaml` does not check", "--config"},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    Scene scene;
    row.how(scene);
    scene.Expect(row.check, row.level, row.what, row.fix);
    EXPECT_EQ(HasProblem(scene.Examine()), row.level == Level::kProblem);
  }
}

// A first start makes the folder: what counts is the one above that is there.
TEST(CheckMediatorTest, AFolderThatIsNotThereYet) {
  Scene scene;
  scene.machine.paths.erase("/srv/state");
  scene.machine.Add("/srv", PathFacts::Kind::kFolder, 0700);
  scene.Expect("ledger", Level::kOk, kLedger, "");
  scene.machine.Add("/srv", PathFacts::Kind::kFolder, 0500);
  scene.Expect("ledger", Level::kProblem, "may not write in `/srv`", "chown");
  scene.machine.paths.erase("/srv");
  scene.Expect("ledger", Level::kProblem, "`/` is no folder", "`ledger:`");
}

config::McpServer Server(std::vector<std::string> command) {
  config::McpServer server;
  server.name = "tickets";
  server.command = std::move(command);
  server.read = {"/opt/tickets"};
  return server;
}

TEST(CheckUpstreamsTest, EachFaultHasItsFix) {
  const struct {
    const char* name;
    std::vector<std::string> command;
    Break how;
    Level level;
    const char *what, *fix;
  } kRows[] = {
      {"well",
       {"node", "server.js"},
       [](Scene& s) { s.machine.AddFile("/usr/bin/node", "", 0755); },
       Level::kOk,
       "`tickets` can be used",
       ""},
      {"no node",
       {"node"},
       [](Scene&) {},
       Level::kProblem,
       "`node` is not installed",
       "apt-get install nodejs npm"},
      {"node of the user's own",
       {"node"},
       [](Scene& s) { s.machine.AddFile("/h/dana/bin/node", "", 0755); },
       Level::kProblem,
       "is `/h/dana/bin/node`, which the confined server does not find",
       "`read:`"},
      {"npx without network",
       {"npx", "x"},
       [](Scene& s) { s.machine.AddFile("/usr/bin/npx", "", 0755); },
       Level::kWarning,
       "`npx` fetches what it runs, and the server has no network",
       "install the package"},
      {"npx with network",
       {"npx", "x"},
       [](Scene& s) {
         s.machine.AddFile("/usr/bin/npx", "", 0755);
         s.subject.config->mcp_servers[0].network = true;
       },
       Level::kOk,
       "can be used",
       ""},
      {"not confined",
       {"node"},
       [](Scene& s) {
         s.machine.AddFile("/h/dana/bin/node", "", 0755);
         s.subject.config->mcp_servers[0].unconfined = "a test";
       },
       Level::kOk,
       "can be used",
       ""},
      {"hidden from it",
       {"/srv/x"},
       [](Scene& s) { s.machine.AddFile("/srv/x", "", 0755); },
       Level::kProblem,
       "not in the confined server's view",
       "`read:`"},
      {"in its folder",
       {"/opt/tickets/x"},
       [](Scene& s) { s.machine.AddFile("/opt/tickets/x", "", 0755); },
       Level::kOk,
       "can be used",
       ""},
      {"gone", {"/usr/x"}, [](Scene&) {}, Level::kProblem, "`/usr/x` is not there", "`command:`"},
      {"not signed for",
       {"./x"},
       [](Scene& s) { s.machine.usable["tickets"] = absl::NotFoundError("nobody signed"); },
       Level::kProblem,
       "upstream `tickets`: nobody signed",
       "upstream approve tickets"},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    Scene scene;
    scene.subject.config->mcp_servers = {Server(row.command)};
    row.how(scene);
    scene.Expect("upstreams", row.level, row.what, row.fix);
  }
}

}  // namespace
}  // namespace tipstaff::doctor
