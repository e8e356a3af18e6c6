// What an operator learns of a ledger's integrity: `verify`, `checkpoint`, `keys`.
#include <gmock/gmock.h>

#include <filesystem>

#include "absl/strings/str_cat.h"
#include "mediator/base/file.h"
#include "mediator/json/parse.h"
#include "mediator/ledger/testing/raw_sql.h"
#include "tests/e2e/fixture.h"

namespace tipstaff::e2e {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class VerifyTest : public E2eTest {
 protected:
  void SetUp() override {
    Start();
    run_ = OpenTriage();
    const harness::Finished called =
        Tipstaff({"call", "reports.get_report", kReadArguments, "--run", run_.run});
    ASSERT_EQ(called.status, 0) << called.err;
  }
  void Close() { ASSERT_EQ(Tipstaff({"run", "close", run_.run}).status, 0); }

  harness::OpenedRun run_;
};

TEST_F(VerifyTest, TellsWholeFromOpenFromUnvouchedFromDamaged) {
  const harness::Finished open = Tipstaff({"verify"});
  EXPECT_EQ(open.status, 4) << open.out;
  EXPECT_THAT(open.out, HasSubstr(absl::StrCat("not known: run `", run_.run, "` is open")));
  Close();
  const harness::Finished whole = Tipstaff({"verify"});
  EXPECT_EQ(whole.status, 0) << whole.out;
  EXPECT_THAT(
      whole.out,
      AllOf(HasSubstr("1 run (1 closed)"), HasSubstr("Whole: no record of a run was changed"),
            HasSubstr("it cannot be excluded that the key's holder rewrote it")));
  EXPECT_EQ(Tipstaff({"verify", run_.run}).status, 0);

  // Somewhere else, with the file alone: whose key that is, nobody there knows.
  std::filesystem::create_directory(Path("elsewhere"));
  const harness::Finished unvouched = Bare({"verify", mediator().ledger()}, Path("elsewhere"));
  EXPECT_EQ(unvouched.status, 4) << unvouched.out;
  EXPECT_THAT(unvouched.out, HasSubstr("a key that nobody vouched for"));
  const harness::Finished jwks = Tipstaff({"keys", "jwks"});
  ASSERT_TRUE(base::WriteFile(Path("trusted.jwks"), jwks.out, 0600).ok());
  const harness::Finished note = Tipstaff({"checkpoint"});
  ASSERT_TRUE(base::WriteFile(Path("kept.note"), note.out, 0600).ok());
  const harness::Finished vouched = Bare({"verify", mediator().ledger(), "--trust",
                                          Path("trusted.jwks"), "--checkpoint", Path("kept.note")},
                                         Path("elsewhere"));
  EXPECT_EQ(vouched.status, 0) << vouched.out << vouched.err;
  EXPECT_THAT(vouched.out, HasSubstr("The checkpoint from elsewhere agrees"));

  ASSERT_EQ(ledger::RawSql(mediator().ledger(),
                           "DROP TRIGGER record_is_not_changed; UPDATE record SET payload = x'00' "
                           "WHERE seq = 2"),
            "");
  const harness::Finished damaged = Tipstaff({"verify", "--format", "json"});
  EXPECT_EQ(damaged.status, 3) << damaged.out;
  const json::Document found = json::MustParse(damaged.out);
  EXPECT_THAT(std::string(found.root().Find("damage").At(0).string()),
              HasSubstr(absl::StrCat("run `", run_.run, "` record 2: its content")));
}

TEST_F(VerifyTest, KeysComeAndGoAndWhatTheySignedStays) {
  Close();
  const std::string old = json::MustParse(Tipstaff({"keys", "list", "--format", "json"}).out)
                              .root()
                              .At(0)
                              .StringOr("kid", "")
                              .data();
  const std::string kid = old.substr(0, 43);
  ExpectFails(Tipstaff({"keys", "retire", kid}), 5, {"is the key that signs; make another first"});
  EXPECT_EQ(Tipstaff({"keys", "new"}).status, 0);
  EXPECT_THAT(Tipstaff({"keys", "list"}).out, HasSubstr(kid + "  could sign"));
  EXPECT_EQ(Tipstaff({"keys", "retire", kid}).status, 0);
  EXPECT_THAT(Tipstaff({"keys", "list"}).out, HasSubstr(kid + "  retired"));
  EXPECT_EQ(Tipstaff({"verify"}).status, 0);
  ExpectFails(Tipstaff({"keys", "retire", "nobody"}), 2, {"there is no key `nobody`"});
  ExpectFails(Tipstaff({"verify", "--trust", Path("none")}), 2, {Path("none")});
  ASSERT_TRUE(base::WriteFile(Path("bad"), "{}", 0600).ok());
  ExpectFails(Tipstaff({"verify", "--trust", Path("bad")}), 2, {"not an Ed25519 key"});
  ExpectFails(Tipstaff({"verify", "--checkpoint", Path("bad")}), 2, {"not a signed note"});
  ASSERT_TRUE(base::WriteFile(Path("empty"), "", 0600).ok());
  ExpectFails(Tipstaff({"verify", "--checkpoint", Path("empty")}), 2, {"not a signed note"});
  ExpectFails(Tipstaff({"verify", "--checkpoint", ""}), 2, {""});
  ExpectFails(Tipstaff({"verify", "a.db", "--ledger", "b.db"}), 2, {"name one ledger"});
  EXPECT_EQ(Tipstaff({"verify", mediator().ledger()}).status, 0) << "its own ledger, by its name";
}

}  // namespace
}  // namespace tipstaff::e2e
