// EchoClient over standard input and output.
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "mediator/base/status.h"
#include "mediator/json/parse.h"
#include "tests/bench/broker_load.h"
#include "tests/bench/broker_messages.h"
#include "tests/harness/process.h"

namespace tipstaff::bench {
namespace {

constexpr absl::Duration kPatience = absl::Seconds(20);

class StdioClient final : public EchoClient {
 public:
  explicit StdioClient(harness::Process process) : process_(std::move(process)) {}

  absl::Status Open() {
    TIPSTAFF_RETURN_IF_ERROR(process_.Write(InitializeMessage() + "\n"));
    TIPSTAFF_RETURN_IF_ERROR(process_.ReadLine(kPatience).status());
    return process_.Write(InitializedMessage() + "\n");
  }

  // Answers come in any order.
  absl::StatusOr<LoadResult> Run(int calls, int in_flight) override {
    LoadResult result;
    const uint64_t end = next_id_ + static_cast<uint64_t>(calls);
    const absl::Time begun = absl::Now();
    for (int i = 0; i < in_flight && next_id_ < end; ++i) TIPSTAFF_RETURN_IF_ERROR(Send());
    while (!begun_.empty()) {
      TIPSTAFF_ASSIGN_OR_RETURN(const std::string line, process_.ReadLine(kPatience));
      const absl::Time now = absl::Now();
      TIPSTAFF_ASSIGN_OR_RETURN(const json::Document document, json::Parse(line));
      const auto id = static_cast<uint64_t>(document.root().IntegerOr("id", 0));
      const auto node = begun_.extract(id);
      if (node.empty()) continue;  // a notification
      TIPSTAFF_RETURN_IF_ERROR(CheckEcho(line, id));
      result.latencies.push_back(now - node.mapped());
      if (next_id_ < end) TIPSTAFF_RETURN_IF_ERROR(Send());
    }
    result.wall = absl::Now() - begun;
    return result;
  }

 private:
  absl::Status Send() {
    const uint64_t id = next_id_++;
    begun_[id] = absl::Now();
    return process_.Write(EchoCall(id) + "\n");
  }

  harness::Process process_;
  uint64_t next_id_ = 1;
  std::map<uint64_t, absl::Time> begun_;  // calls in flight
};

}  // namespace

absl::StatusOr<std::unique_ptr<EchoClient>> EchoClient::OverStdio(
    const std::vector<std::string>& command) {
  TIPSTAFF_ASSIGN_OR_RETURN(harness::Process process, harness::Process::Start(command));
  auto client = std::make_unique<StdioClient>(std::move(process));
  TIPSTAFF_RETURN_IF_ERROR(client->Open());
  return client;
}

}  // namespace tipstaff::bench
