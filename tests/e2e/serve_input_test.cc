// What can be wrong when a mediator starts: it says so and ends, and one that runs goes on.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <filesystem>

#include "absl/strings/str_cat.h"
#include "mediator/base/file.h"
#include "mediator/ledger/testing/raw_sql.h"
#include "tests/e2e/fixture.h"

namespace tipstaff::e2e {
namespace {

namespace fs = std::filesystem;

using ::testing::HasSubstr;

// A mediator that runs, and a folder for another that will not.
class ServeInputTest : public E2eTest {
 protected:
  void SetUp() override {
    Start();
    const harness::OpenedRun run = OpenTriage();
    bystander_ = std::make_unique<Bystander>(run, StartAgent(run));
    fs::create_directory(Path("other"));
  }
  void TearDown() override {
    bystander_->ExpectUndisturbed();
    EXPECT_THAT(Tipstaff({"run", "list"}).out, HasSubstr(bystander_->run()));
  }
  std::string Other(const std::string& name) { return Path("other/" + name); }
  harness::Finished Serve(const std::string& config) {
    Must(base::WriteFile(Other("tipstaff.yaml"), config));
    return Bare({"serve"}, Path("other"));
  }

  std::unique_ptr<Bystander> bystander_;
};

struct BadConfig {
  const char* name;
  std::string text;
  std::vector<std::string> says;
};

TEST_F(ServeInputTest, ABadConfigurationNamesItsLineAndTheFix) {
  const BadConfig kCases[] = {
      {"broken YAML", "ledger: a.db\nchannels: {runs: run\n", {"error[Y001]", "tipstaff.yaml:"}},
      {"a tab", "channels:\n\truns: run\n", {"error[Y007]", "tipstaff.yaml:2:1"}},
      {"an unknown key",
       "ledgr: a.db\n",
       {"error[C001]", "tipstaff.yaml:1:1", "unknown key `ledgr`", "did you mean `ledger`?"}},
      {"a key twice",
       "ledger: a.db\nadmin: a.sock\nledger: b.db\n",
       {"error[Y009]", "tipstaff.yaml:3:1", "`ledger`"}},
      {"a number where a path is", "ledger: 5\n", {"tipstaff.yaml:1:9", "must be a text", "quote"}},
      {"what other YAML reads as true", "ledger: yes\n", {"error[Y015]", "tipstaff.yaml:1:9"}},
      {"an anchor", "ledger: &a a.db\n", {"error[Y011]", "tipstaff.yaml:1:"}},
      {"an empty file", "", {"error[Y004]", "tipstaff.yaml"}},
      {"a port that no guest can dial",
       "channels:\n  vsock: {port: 80}\n",
       {"tipstaff.yaml:2:17", "out of range"}},
  };
  for (const BadConfig& bad : kCases) {
    SCOPED_TRACE(bad.name);
    std::vector<std::string> says = bad.says;
    says.push_back("tipstaff: `tipstaff.yaml` does not check; see above");
    ExpectFails(Serve(bad.text), 2, says);
    EXPECT_FALSE(fs::exists(Other("tipstaff.db"))) << "nothing is made";
  }
}

TEST_F(ServeInputTest, AConfigurationThatIsNotThere) {
  ExpectFails(Bare({"serve", "--config", "nowhere.yaml"}), 2, {"nowhere.yaml", "No such file"});
}

TEST_F(ServeInputTest, NoFolderForTheLedger) {
  ExpectFails(Serve("ledger: nowhere/tipstaff.db\n"), 2, {Other("nowhere")});
  EXPECT_FALSE(fs::exists(Other("run/admin.sock")));
}

TEST_F(ServeInputTest, ASecondMediatorOnTheSameLedger) {
  ExpectFails(Serve(absl::StrCat("ledger: ", mediator().ledger(), "\n")), 5,
              {mediator().ledger(), absl::StrCat("in use by process ", mediator().pid()),
               "stop it first, or use another ledger"});
}

TEST_F(ServeInputTest, AnAdminSocketThatAnotherMediatorHas) {
  ExpectFails(Serve(absl::StrCat("admin: ", mediator().admin_socket(), "\n")), 5,
              {mediator().admin_socket(), "is in use: another process listens there"});
  EXPECT_TRUE(fs::is_socket(mediator().admin_socket()));
}

TEST_F(ServeInputTest, AnAdminSocketInTheWayOfAFile) {
  Must(base::WriteFile(Other("precious"), "do not delete"));
  ExpectFails(Serve("admin: precious\n"), 5, {"precious", "is no socket"});
  EXPECT_EQ(Must(base::ReadFile(Other("precious"))), "do not delete");
}

TEST_F(ServeInputTest, AnAdminSocketWithTooLongAName) {
  ExpectFails(Serve(absl::StrCat("admin: ", std::string(120, 'x'), "/a.sock\n")), 2,
              {"choose a shorter"});
}

TEST_F(ServeInputTest, ALedgerOfANewerVersionIsLeftAlone) {
  const std::string path = Other("newer.db");
  // What this version makes, said to be of a later one.
  const std::string config = absl::StrCat("ledger: newer.db\nadmin: a.sock\n");
  Must(base::WriteFile(Other("tipstaff.yaml"), config));
  { const auto made = Must(ledger::Ledger::Open(path)); }
  ledger::RawSql(path, "PRAGMA user_version = 99");
  ExpectFails(Bare({"serve"}, Path("other")), 5, {path, "99", "use a newer tipstaff"});
  ExpectFails(Bare({"log"}, Path("other")), 5, {"newer.db", "99", "use a newer tipstaff"});
  EXPECT_EQ(ledger::RawSql(path, "PRAGMA user_version"), "99");
}

TEST_F(ServeInputTest, ALedgerThatIsNone) {
  Must(base::WriteFile(Other("notes.db"), "not a database, but somebody's notes\n"));
  ExpectFails(Serve("ledger: notes.db\n"), 3, {"notes.db", "is not a ledger"});
  ExpectFails(Bare({"log"}, Path("other")), 3, {"notes.db", "is not a ledger"});
  EXPECT_EQ(Must(base::ReadFile(Other("notes.db"))), "not a database, but somebody's notes\n");
}

TEST_F(ServeInputTest, AKeyThatOthersCanRead) {
  fs::copy(mediator().keys_folder(), Other("keys"));
  for (const auto& entry : fs::directory_iterator(Other("keys"))) {
    fs::permissions(entry.path(), fs::perms(0644));
  }
  fs::permissions(Other("keys"), fs::perms(0700));
  ExpectFails(Serve("ledger: a.db\n"), 5, {".jwk"});
}

TEST_F(ServeInputTest, CommandsThatNeedAMediatorSayHowToStartOne) {
  Must(base::WriteFile(Other("tipstaff.yaml"), "ledger: a.db\n"));
  const std::vector<std::vector<std::string>> commands = {
      {"run", "list"},
      {"run", "open", "--skill", "report-triage"},
      {"run", "close", "run_aaaaaaaaaaaa"},
      {"call", "reports.get_report", "{}", "--run", "run_aaaaaaaaaaaa"},
  };
  for (const std::vector<std::string>& command : commands) {
    SCOPED_TRACE(command[0] + " " + command[1]);
    ExpectFails(Bare(command, Path("other")), 5,
                {"no mediator answers on", "run/admin.sock", "start one with `tipstaff serve`"});
  }
}

TEST_F(ServeInputTest, OptionsThatThereAreNot) {
  struct Row {
    const char* name;
    std::vector<std::string> arguments;
    const char* says;
  };
  for (const Row& row :
       {Row{"no command", {}, "subcommand"}, Row{"an unknown command", {"sevre"}, "sevre"},
        Row{"an unknown option", {"serve", "--port", "80"}, "--port"},
        Row{"an unknown level", {"serve", "--log-level", "all"}, "--log-level"},
        Row{"bytes that are no text",
            {"run", "revoke", "run_a", "--why", "a\xff"},
            "the argument `a\\xff` is not UTF-8"},
        Row{"no value", {"serve", "--config"}, "--config"}}) {
    SCOPED_TRACE(row.name);
    ExpectFails(Bare(row.arguments), 2, {row.says});
  }
}

}  // namespace
}  // namespace tipstaff::e2e
