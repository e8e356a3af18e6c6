// A ledger that takes no records for a while: what is asked meanwhile is refused, not left waiting.
#include <fcntl.h>
#include <gmock/gmock.h>

#include "absl/time/clock.h"
#include "mediator/base/fd.h"
#include "tests/e2e/fixture.h"

namespace tipstaff::e2e {
namespace {

// SQLite's write lock of a ledger, taken by somebody else (sqlite.org/walformat.html, section
// 2.3.1: byte 120 of the shared memory's file).
base::Fd LockForWriting(const std::string& ledger) {
  base::Fd file(::open((ledger + "-shm").c_str(), O_RDWR | O_CLOEXEC));
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = 120;
  lock.l_len = 1;
  EXPECT_EQ(::fcntl(file.get(), F_OFD_SETLK, &lock), 0);
  return file;
}

// `run close` once waited for a record that had failed, for two minutes, and so did `exec`.
TEST_F(E2eTest, ARunThatCannotBeClosedIsSaidToBeOpenAndIsClosedLater) {
  Start();
  const harness::OpenedRun run = OpenTriage();
  base::Fd lock = LockForWriting(mediator().ledger());
  const absl::Time begin = absl::Now();
  ExpectFails(Tipstaff({"run", "close", run.run}), 5, {run.run, "is not closed", "try again"});
  EXPECT_LT(absl::Now() - begin, absl::Seconds(20));
  const json::Document list = Must(mediator().TipstaffJson({"run", "list"}));
  ASSERT_EQ(list.root().size(), 1u);
  EXPECT_EQ(list.root().At(0).StringOr("access", ""), "open") << "what is on record counts";
  lock.reset();
  EXPECT_EQ(Tipstaff({"run", "close", run.run}).status, 0);
  EXPECT_EQ(Must(mediator().TipstaffJson({"run", "list"})).root().size(), 0u);
}

}  // namespace
}  // namespace tipstaff::e2e
