// The channels a guest can come through: each belongs to one run, and no two runs share anything.
// AF_VSOCK is tested in a guest of the project's own, never from the machine itself.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <filesystem>

#include "absl/strings/str_cat.h"
#include "mediator/base/file.h"
#include "mediator/json/write.h"
#include "tests/e2e/fixture.h"
#include "tests/e2e/raw_guest.h"

namespace tipstaff::e2e {
namespace {

namespace fs = std::filesystem;

using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kTool[] = "reports.get_report";
constexpr char kDraft[] =
    R"({"to":["priya.nair@customer.example"],"subject":"Re: yours","body":"Dear priya.nair@customer.example"})";
constexpr char kSearch[] = R"({"query":"priya.nair@customer.example"})";

const std::vector<std::string> kTriage = {"run",           "open",       "--skill",
                                          "report-triage", "--bind",     "report_id=rep_demo0001",
                                          "--bind",        "tenant=acme"};

std::vector<std::string> TriageWith(std::vector<std::string> more) {
  std::vector<std::string> arguments = kTriage;
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

mode_t ModeOf(const std::string& path) {
  struct stat info {};
  EXPECT_EQ(::lstat(path.c_str(), &info), 0) << path;
  return info.st_mode & 07777;
}

class ChannelsTest : public E2eTest {
 protected:
  void StartWithVms() {
    fs::create_directory(Path("vms"));
    harness::MediatorOptions options;
    options.more_config = "  firecracker: {dir: vms, port: 5005}\n";
    Start(options);
  }
};

TEST_F(ChannelsTest, ARunsOwnSocketIsItsOwnersAlone) {
  Start();
  const harness::OpenedRun run = OpenTriage();
  EXPECT_EQ(ModeOf(run.socket), 0600u);
  EXPECT_EQ(ModeOf(run.token_file), 0600u);
  EXPECT_EQ(ModeOf(fs::path(run.socket).parent_path()), 0700u);
  EXPECT_EQ(ModeOf(mediator().admin_socket()), 0600u);
  Bystander(run, StartAgent(run)).ExpectUndisturbed();
  EXPECT_EQ(Tipstaff({"run", "close", run.run}).status, 0);
  EXPECT_FALSE(fs::exists(fs::path(run.socket).parent_path())) << "socket and token are gone";
}

TEST_F(ChannelsTest, TwoRunsDoNotSeeEachOthersState) {
  Start();
  const harness::OpenedRun runs[] = {OpenReply(), OpenReply()};
  const auto one = StartAgent(runs[0]), other = StartAgent(runs[1]);
  const auto call = [](harness::Agent& agent, const char* tool, const char* arguments) {
    const harness::CallResult result = Must(agent.Call(tool, arguments));
    EXPECT_EQ(result.reason, "permitted") << result.text;
    return result.text;
  };
  call(*one, "tickets_get_ticket", R"({"ticket_id":"TCK-1001"})");
  const std::string drafted = call(*one, "mail_draft_message", kDraft);
  EXPECT_THAT(drafted, HasSubstr(R"("folder":"drafts")"));
  EXPECT_THAT(call(*one, "mail_search_messages", kSearch), HasSubstr("Re: yours"));
  EXPECT_THAT(call(*other, "mail_search_messages", kSearch), Not(HasSubstr("Re: yours")));
  // What has to come before a draft counts for each run by itself, and so do the ids.
  EXPECT_EQ(Must(other->Call("mail_draft_message", kDraft)).reason, "precondition");
  call(*other, "tickets_get_ticket", R"({"ticket_id":"TCK-1001"})");
  EXPECT_EQ(call(*other, "mail_draft_message", kDraft), drafted);
}

TEST_F(ChannelsTest, AVmsSocketIsWhereFirecrackerConnects) {
  StartWithVms();
  const harness::OpenedRun run = OpenTriage({"--vm", "vm-1"});
  EXPECT_EQ(run.socket, fs::canonical(Path("vms")).string() + "/vm-1/v.sock_5005");
  EXPECT_EQ(ModeOf(run.socket), 0600u);
  Bystander guest(run, StartAgent(run));
  const json::Document shown = Must(mediator().TipstaffJson({"run", "show", run.run}));
  EXPECT_EQ(shown.root().StringOr("channel", ""), "firecracker:vm-1");

  ExpectFails(Tipstaff(TriageWith({"--vm", "vm-1"})), 5,
              {absl::StrCat("`firecracker:vm-1` belongs to ", run.run), "close it first"});
  guest.ExpectUndisturbed();
  const harness::OpenedRun beside = OpenTriage({"--vm", "vm-2"});
  Bystander(beside, StartAgent(beside)).ExpectUndisturbed();

  EXPECT_EQ(Tipstaff({"run", "close", run.run}).status, 0);
  EXPECT_FALSE(fs::exists(run.socket));
  const harness::OpenedRun next = OpenTriage({"--vm", "vm-1"});
  EXPECT_EQ(next.socket, run.socket);
  Bystander(next, StartAgent(next)).ExpectUndisturbed();
}

// The channel is the identity: what belongs to the VM's earlier run opens nothing.
TEST_F(ChannelsTest, TheTokenOfAVmsEarlierRunIsRefused) {
  StartWithVms();
  const harness::OpenedRun run = OpenTriage({"--vm", "vm-1"});
  const std::string token = Must(base::ReadFile(run.token_file));
  RawGuest connected(run.socket);
  EXPECT_EQ(connected.Hello(token).code, "OK");
  EXPECT_EQ(Tipstaff({"run", "close", run.run}).status, 0);
  const harness::OpenedRun next = OpenTriage({"--vm", "vm-1"});
  RawGuest guest(next.socket);
  EXPECT_EQ(guest.Hello(token).code, "PERMISSION_DENIED");
  EXPECT_EQ(connected.Call("c1", kTool, kReadArguments).reason, "run_closed");
  EXPECT_TRUE(Decisions(next.run).empty());
}

// Hostile case 46, and names that would lead elsewhere.
TEST_F(ChannelsTest, AVmsNameAndPlaceLeadNowhereElse) {
  StartWithVms();
  fs::create_directories(Path("vms/linked"));
  fs::create_symlink(Path("elsewhere.sock"), Path("vms/linked/v.sock_5005"));
  fs::create_directories(Path("vms/taken"));
  Must(base::WriteFile(Path("vms/taken/v.sock_5005"), "precious"));
  fs::create_directories(Path("elsewhere"));
  fs::create_directory_symlink(Path("elsewhere"), Path("vms/away"));
  struct Row {
    const char* vm;
    int status;
    const char* says;
  };
  for (const Row& row : {Row{"../vm", 2, "a VM's name is"}, Row{"a/b", 2, "a VM's name is"},
                         Row{"..", 2, "a VM's name is"}, Row{".hidden", 2, "a VM's name is"},
                         Row{"a b", 2, "a VM's name is"}, Row{"", 2, "--vm: is empty"},
                         Row{"linked", 5, "is a symbolic link"}, Row{"taken", 5, "is no socket"},
                         Row{"away", 5, "is a symbolic link or no folder"}}) {
    SCOPED_TRACE(row.vm);
    ExpectFails(Tipstaff(TriageWith({"--vm", row.vm})), row.status, {row.says});
  }
  EXPECT_FALSE(fs::exists(Path("elsewhere.sock")));
  EXPECT_TRUE(fs::is_empty(Path("elsewhere")));
  EXPECT_EQ(Must(base::ReadFile(Path("vms/taken/v.sock_5005"))), "precious");
  EXPECT_EQ(json::Dump(Must(mediator().TipstaffJson({"run", "list"})).root()), "[]");
}

TEST_F(ChannelsTest, AChannelThatIsNotConfiguredIsRefusedWithTheFix) {
  Start();
  struct Row {
    const char* name;
    std::vector<std::string> options;
    int status;
    std::vector<std::string> says;
  };
  const Row rows[] = {
      {"a VM", {"--vm", "vm-1"}, 5, {"add `channels.firecracker` to tipstaff.yaml"}},
      {"a CID", {"--cid", "7"}, 5, {"AF_VSOCK is off: add `channels.vsock` to tipstaff.yaml"}},
      {"a CID that is none", {"--cid", "seven"}, 2, {"--cid"}},
      {"no CID", {"--cid", "0"}, 2, {"--cid"}},
      {"both", {"--cid", "7", "--vm", "vm-1"}, 2, {"--cid", "--vm"}},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    ExpectFails(Tipstaff(TriageWith(row.options)), row.status, row.says);
  }
}

}  // namespace
}  // namespace tipstaff::e2e
