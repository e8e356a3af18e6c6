#include "mediator/run/records.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mediator/json/parse.h"
#include "mediator/json/write.h"

namespace tipstaff::run {
namespace {

using ::testing::ElementsAre;

const absl::Time kTime = absl::FromUnixMicros(1'777'000'000'123'456);

TEST(Records, OpenedGoesBothWays) {
  Opened opened;
  opened.run = "run_abcdefghijkl";
  opened.skills = {{"triage", {"policies/triage/skill.yaml", "aa"}}};
  opened.grant_digest = "bb";
  opened.bindings = json::MustParse(R"({"report_id":"rep_1","reviewers":["a"]})");
  opened.stubs = {{"mail", "mailbox", {{"stub.yaml", "cc"}, {"send.lua", "dd"}}}};
  opened.test_systems = {{"board",
                          "change-board",
                          {"./board", "--account", "a b"},
                          "/srv/board",
                          StopKind::kQueryable,
                          absl::Milliseconds(250),
                          {"tools.yaml", "ff"}}};
  opened.config = {"tipstaff.yaml", "ee"};
  opened.channel = "unix:run/x/guest.sock";
  opened.seed = "s";
  opened.canaries = {"planted \"text\" 1", "another one"};
  opened.opened_by = "uid:0";
  opened.opened_at = kTime;
  opened.expires_at = kTime + absl::Hours(1);
  opened.facts = {{"commit", "f00"}};
  opened.unconfined = "debugging";
  const call::Record record = EncodeOpened(opened);
  const absl::StatusOr<Opened> read = DecodeOpened(record);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(EncodeOpened(*read).body, record.body);
  EXPECT_EQ(read->stubs[0].files[1].path, "send.lua");
  EXPECT_EQ(read->test_systems[0].command, opened.test_systems[0].command);
  EXPECT_EQ(read->test_systems[0].stop, StopKind::kQueryable);
  EXPECT_EQ(read->test_systems[0].timeout, absl::Milliseconds(250));
  EXPECT_EQ(read->canaries, opened.canaries);
  EXPECT_EQ(read->facts.at("commit"), "f00");
  EXPECT_EQ(read->opened_at, kTime);
}

// Whatever a text came from: a record that cannot be read back shuts its run for good.
TEST(Records, AreReadBackWhateverTheirTextsAre) {
  Settled settled;
  settled.number = 1;
  settled.outcome.kind = call::OutcomeKind::kOk;
  settled.outcome.note = "cut \xc3";
  settled.time = kTime;
  const absl::StatusOr<Settled> read = DecodeSettled(EncodeSettled(settled));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->outcome.note, "cut \uFFFD");
}

TEST(Records, DecidedGoesBothWaysAndCutsTheArgumentsOfADenial) {
  Decided decided;
  decided.number = 7;
  decided.call_id = "k:1";
  decided.tool = "mail.send_message";
  decided.decision.verdict = call::Verdict::kDeny;
  decided.decision.reason = call::Reason::kOutOfScope;
  decided.decision.effect = call::Effect::kWrite;
  decided.decision.nearest =
      call::Nearest{"triage", "note", "/to/0", "in", "one of x", "y", "skill.yaml", 3, 9};
  decided.arguments = std::string(10000, 'x');
  decided.arguments_size = decided.arguments.size();
  decided.arguments_digest = "aa";
  decided.time = kTime;
  const call::Record denied = EncodeDecided(decided);
  EXPECT_EQ(denied.payload.size(), kKeptOfDenied);
  const absl::StatusOr<Decided> read = DecodeDecided(denied);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->decision.nearest->pointer, "/to/0");
  EXPECT_EQ(read->arguments_size, 10000);
  EXPECT_EQ(EncodeDecided(*read).body, denied.body);

  decided.decision.verdict = call::Verdict::kAllow;
  EXPECT_EQ(EncodeDecided(decided).payload.size(), 10000) << "kept whole when permitted";
  decided.arguments_digest = base::ToHex(base::DigestOf(decided.arguments));
  EXPECT_EQ(EncodeDecided(decided).payload_digest, base::DigestOf(decided.arguments));
}

TEST(Records, SettledKeepsResultAndChanges) {
  Settled settled;
  settled.number = 7;
  settled.outcome.kind = call::OutcomeKind::kOk;
  settled.outcome.result = R"({"content":[]})";
  // As deep as a row of a stub may nest, and its wrapping.
  std::string deep = std::string(32, '[') + std::string(32, ']');
  settled.outcome.changes = R"({"t":[{"row":)" + deep + "}]}";
  settled.outcome.duration = absl::Microseconds(42);
  settled.outcome.note = "send.lua:3: oops";
  settled.time = kTime;
  EXPECT_EQ(EncodeSettled(settled).payload_digest, base::DigestOf(settled.outcome.result));
  const absl::StatusOr<Settled> read = DecodeSettled(EncodeSettled(settled));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->outcome.result, settled.outcome.result);
  EXPECT_EQ(read->outcome.changes, settled.outcome.changes);
  EXPECT_EQ(read->outcome.note, "send.lua:3: oops");
  EXPECT_EQ(read->outcome.duration, absl::Microseconds(42));
  EXPECT_EQ(read->result_size, settled.result_size);
}

TEST(Records, AResultThatIsLeftOutIsNamed) {
  Settled settled{.number = 7, .result_size = 1234, .time = kTime};
  settled.outcome.kind = call::OutcomeKind::kOk;
  settled.outcome.result = std::string(1000, 'r');
  settled.outcome.note = "n";
  settled.withheld = {{"/token", 12, {}, {}}};
  const call::Record whole = EncodeSettled(settled);
  call::Record record = whole;
  ASSERT_TRUE(LeaveOutResult(record));
  EXPECT_EQ(record.payload, "");
  EXPECT_FALSE(record.payload_digest.has_value());
  EXPECT_EQ(record.time, kTime);
  EXPECT_EQ(record.body, json::Canonical(json::MustParse(record.body).root()));
  EXPECT_THAT(record.body,
              ::testing::HasSubstr(base::ToHex(base::DigestOf(settled.outcome.result))))
      << "whoever has it can show that it is the one";
  const absl::StatusOr<Settled> read = DecodeSettled(record);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_TRUE(read->result_left_out);
  EXPECT_FALSE(DecodeSettled(whole)->result_left_out);
  EXPECT_EQ(read->number, 7);
  EXPECT_EQ(read->outcome.kind, call::OutcomeKind::kOk);
  EXPECT_EQ(read->outcome.note, "n");
  EXPECT_EQ(read->result_size, 1234);
  EXPECT_EQ(read->withheld.size(), 1);

  EXPECT_FALSE(LeaveOutResult(record)) << "once";
  call::Record other = EncodeStep(call::RecordKind::kAccepted, 7, kTime);
  EXPECT_FALSE(LeaveOutResult(other));
  call::Record damaged = whole;
  damaged.body = "{";
  EXPECT_FALSE(LeaveOutResult(damaged));
  EXPECT_EQ(damaged.payload, whole.payload);
}

TEST(Records, SettledKeepsThatItWasTurnedAway) {
  Settled settled;
  settled.outcome = call::Failure(call::OutcomeKind::kRefused, "invalid_token");
  EXPECT_FALSE(DecodeSettled(EncodeSettled(settled))->outcome.turned_away);
  settled.outcome.turned_away = true;
  EXPECT_TRUE(DecodeSettled(EncodeSettled(settled))->outcome.turned_away);
  EXPECT_FALSE(DecodeSettled(EncodeSettled(settled))->outcome.timed_out);
  settled.outcome.timed_out = true;
  EXPECT_TRUE(DecodeSettled(EncodeSettled(settled))->outcome.timed_out);
}

TEST(Records, WhatIsWithheldIsNamed) {
  const std::vector<Withheld> withheld = {{"/token", 12, {"type"}, {"maxBytes", "pattern"}},
                                          {"", 5, {}, {}}};
  Decided decided;
  decided.arguments_size = 70;
  decided.arguments = R"({"token":{"withheld":"00"}})";
  decided.withheld = withheld;
  Settled settled;
  settled.result_size = 80;
  settled.withheld = withheld;
  settled.changes_withheld = true;
  const absl::StatusOr<Decided> decided_again = DecodeDecided(EncodeDecided(decided));
  const absl::StatusOr<Settled> settled_again = DecodeSettled(EncodeSettled(settled));
  ASSERT_TRUE(decided_again.ok() && settled_again.ok());
  EXPECT_EQ(decided_again->arguments_size, 70);
  EXPECT_EQ(settled_again->result_size, 80);
  EXPECT_TRUE(settled_again->changes_withheld);
  for (const std::vector<Withheld>* read : {&decided_again->withheld, &settled_again->withheld}) {
    ASSERT_EQ(read->size(), 2);
    EXPECT_EQ((*read)[0].pointer, "/token");
    EXPECT_EQ((*read)[0].size, 12);
    EXPECT_EQ((*read)[0].holds, withheld[0].holds);
    EXPECT_EQ((*read)[0].fails, withheld[0].fails);
    EXPECT_EQ((*read)[1].pointer, "");
  }
}

TEST(Records, DamagedBodiesAreDataLoss) {
  EXPECT_EQ(DecodeDecided({call::RecordKind::kDecided, kTime, "[]", ""}).status().code(),
            absl::StatusCode::kDataLoss);
  EXPECT_EQ(DecodeDecided({call::RecordKind::kDecided, kTime, R"({"verdict":"yes"})", ""})
                .status()
                .code(),
            absl::StatusCode::kDataLoss);
  EXPECT_EQ(DecodeSettled({call::RecordKind::kOutcome, kTime, "{", ""}).status().code(),
            absl::StatusCode::kDataLoss);
  EXPECT_EQ(DecodeClosed({call::RecordKind::kOutcome, kTime, "{}", ""}).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(Records, ClosedHasTheCount) {
  const absl::StatusOr<Closed> read =
      DecodeClosed(EncodeClosed({"revoked", "uid:0", "done", 12, {4, 3, 2}, "accepted"}, kTime));
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->ended, "revoked");
  EXPECT_EQ(read->records, 12);
  EXPECT_EQ(read->tally.allowed, 4);
  EXPECT_EQ(read->tally.denied, 3);
  EXPECT_EQ(read->tally.held, 2);
  EXPECT_EQ(read->why, "done");
  EXPECT_EQ(read->result, "accepted");
}

}  // namespace
}  // namespace tipstaff::run
