#include "mediator/ledger/record_hash.h"

#include <gtest/gtest.h>

#include <set>

namespace tipstaff::ledger {
namespace {

using call::RecordKind;

call::Record Make(RecordKind kind, int64_t micros, std::string body, std::string payload) {
  return {kind, absl::FromUnixMicros(micros), std::move(body), std::move(payload)};
}

// Computed by a Python program written from docs/ledger-format.md, which lists them.
TEST(RecordHash, MatchesTheDocumentedVectors) {
  const base::Digest first = RecordHash(
      kChainStart, "run_aaaaaaaaaaaa", 1,
      Make(RecordKind::kRunOpened, 1'767'225'600'000'000, R"({"skills":["report-triage"]})", ""));
  EXPECT_EQ(base::ToHex(first), "49eb9b5044d57c52dec16d92ff29fa72539f1180ee3f9b31c76d90900b39894d");
  const base::Digest second = RecordHash(
      first, "run_aaaaaaaaaaaa", 2,
      Make(RecordKind::kDecided, 1'767'225'600'000'123, R"({"call":"c1"})", R"({"id":7})"));
  EXPECT_EQ(base::ToHex(second),
            "79b2020bef3ade73b3cb310df2adb1d25b2aa998eda2dbf8a07fd463a50387f1");
  EXPECT_EQ(base::ToHex(RecordHash(kChainStart, "r", 1,
                                   Make(RecordKind::kClosed, -1, "{}", std::string(1, '\0')))),
            "c4e066ce8eb2b4f605e0ec27905bf1e04fb1e46d42722eea7a1be7ca268e2872")
      << "a time before 1970, and a payload of one zero byte, which is not the same as none";
}

TEST(RecordHash, EveryFieldCounts) {
  base::Digest other = kChainStart;
  other[31] = 1;
  const call::Record record = Make(RecordKind::kDecided, 1, "body", "payload");
  std::set<base::Digest> seen = {
      RecordHash(kChainStart, "run", 1, record),
      RecordHash(other, "run", 1, record),
      RecordHash(kChainStart, "rum", 1, record),
      RecordHash(kChainStart, "run", 2, record),
      RecordHash(kChainStart, "run", 1, Make(RecordKind::kHeld, 1, "body", "payload")),
      RecordHash(kChainStart, "run", 1, Make(RecordKind::kDecided, 2, "body", "payload")),
      RecordHash(kChainStart, "run", 1, Make(RecordKind::kDecided, 1, "bodi", "payload")),
      RecordHash(kChainStart, "run", 1, Make(RecordKind::kDecided, 1, "body", "payloae")),
      RecordHash(kChainStart, "run", 1, Make(RecordKind::kDecided, 1, "body", "")),
      // Bytes that move from one field to the next.
      RecordHash(kChainStart, "run", 1, Make(RecordKind::kDecided, 1, "bodyp", "ayload")),
      RecordHash(kChainStart, "ru", 1, Make(RecordKind::kDecided, 1, "nbody", "payload")),
  };
  EXPECT_EQ(seen.size(), 11u);
}

TEST(RecordHash, APayloadsDigestThatIsKnownChangesNothing) {
  const call::Record record = Make(RecordKind::kDecided, 1, "body", "payload");
  call::Record known = record;
  known.payload_digest = base::DigestOf("payload");
  EXPECT_EQ(RecordHash(kChainStart, "run", 1, known), RecordHash(kChainStart, "run", 1, record));
}

}  // namespace
}  // namespace tipstaff::ledger
