#include "tests/e2e/fixture.h"

#include <gmock/gmock.h>

#include "absl/strings/str_cat.h"
#include "mediator/json/write.h"

namespace tipstaff::e2e {

using ::testing::HasSubstr;

void Must(const absl::Status& status) {
  if (!status.ok()) throw std::runtime_error(status.ToString());
}

void ExpectFails(const harness::Finished& finished, int status,
                 const std::vector<std::string>& parts) {
  EXPECT_EQ(finished.status, status) << finished.err;
  EXPECT_EQ(finished.out, "");
  for (const std::string& part : parts) EXPECT_THAT(finished.err, HasSubstr(part));
}

std::string EvidenceArguments(const std::string& name) {
  return absl::StrCat(R"({"report_id":"rep_demo0001","name":)", json::Quote(name),
                      R"(,"content":"Received: from mx.outside.example"})");
}

std::string ResultArguments(const std::string& summary) {
  return absl::StrCat(R"({"report_id":"rep_demo0001","severity":"high","summary":)",
                      json::Quote(summary), "}");
}

void E2eTest::Start(harness::MediatorOptions options) {
  options.bin = TIPSTAFF_BIN_DIR;
  options.source = TIPSTAFF_SOURCE_DIR;
  options.folder = folder_.path();
  mediator_ = Must(harness::Mediator::Start(options));
}

harness::Finished E2eTest::Tipstaff(std::vector<std::string> arguments) {
  return Must(mediator_->Tipstaff(std::move(arguments)));
}

harness::Finished E2eTest::Bare(std::vector<std::string> arguments, const std::string& folder) {
  arguments.insert(arguments.begin(), TIPSTAFF_BIN_DIR "/tipstaff");
  return Must(harness::RunCommand(arguments, {.folder = folder.empty() ? folder_.path() : folder}));
}

harness::OpenedRun E2eTest::Open(std::vector<std::string> arguments) {
  return Must(mediator_->OpenRun(std::move(arguments)));
}

std::vector<std::string> ExecArguments(const std::vector<std::string>& options,
                                       const std::vector<std::string>& command) {
  std::vector<std::string> arguments = {
      "exec",   "--skill",    "report-triage", "--bind", "report_id=rep_demo0001",
      "--bind", "tenant=acme"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  arguments.push_back("--");
  arguments.insert(arguments.end(), command.begin(), command.end());
  return arguments;
}

harness::OpenedRun E2eTest::OpenTriage(const std::vector<std::string>& more) {
  std::vector<std::string> arguments = {
      "--skill", "report-triage", "--bind", "report_id=rep_demo0001", "--bind", "tenant=acme"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return Open(std::move(arguments));
}

harness::OpenedRun E2eTest::OpenReply(const std::vector<std::string>& more) {
  std::vector<std::string> arguments = {"--skill", "support-reply",
                                        "--bind",  "ticket_id=TCK-1001",
                                        "--bind",  "customer=priya.nair@customer.example"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return Open(std::move(arguments));
}

std::unique_ptr<harness::Agent> E2eTest::StartAgent(const harness::OpenedRun& run) {
  return Must(harness::Agent::Start(TIPSTAFF_BIN_DIR, run, Path("guest.log")));
}

std::vector<review::Row> E2eTest::Decisions(const std::string& run) {
  const auto reader = Must(ledger::Reader::Open(mediator_->ledger()));
  review::Timeline timeline(*reader, run, ledger::Reader::Payload::kFetch);
  std::vector<review::Row> all;
  for (;;) {
    std::vector<review::Row> rows = Must(timeline.Next());
    if (rows.empty()) return all;
    for (review::Row& row : rows) all.push_back(std::move(row));
  }
}

std::vector<ledger::StoredRecord> E2eTest::Records(const std::string& run) {
  return Must(Must(ledger::Reader::Open(mediator_->ledger()))
                  ->Records(run, 1, 10'000, ledger::Reader::Payload::kFetch));
}

Bystander::Bystander(harness::OpenedRun run, std::unique_ptr<harness::Agent> agent)
    : run_(std::move(run)), agent_(std::move(agent)) {
  ExpectUndisturbed();
}

void Bystander::ExpectUndisturbed() {
  const harness::CallResult read = Must(agent_->Call("reports_get_report", kReadArguments));
  EXPECT_EQ(read.reason, "permitted") << read.text;
}

}  // namespace tipstaff::e2e
