#include "tests/bench/broker_options.h"

#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "mediator/base/status.h"

namespace tipstaff::bench {

const char kBrokerUsage[] = R"(usage: bench_broker [OPTIONS]

Measures `tools/call` of an MCP server's `echo` (256 bytes of text there and back), from one client that
speaks Streamable HTTP of the revision 2025-11-25 in one session over connections that are kept alive.
Answers in JSON and as events are taken alike, and each is checked. Arms:
  direct, http          the server (C++) over HTTP
  direct, stdio         the same on standard input and output
  tipstaff, http        tipstaff-guest --http, gate, mediator with policy and durable record, and that
                        server over HTTP
  tipstaff, stdio       the same with a process of the server for the run, confined
  mcp-proxy, stdio      npm's mcp-proxy with a process of the server, without its event store
  supergateway, stdio   npm's supergateway with a process of the server, --stateful
The arms take turns within each round; the numbers are medians over the rounds. (The two others take a
server on standard input and output only.)

  --rounds N           rounds (5)
  --calls N            calls of each arm in each round (3000)
  --in-flight N,M      calls in flight at once (1,16)
  --dir FOLDER         where ledgers and sockets go; on a disk (build/bench)
  --bin DIR            the folder with the programs (build/release/bin)
  --source DIR         the repository (.)
  --node PROGRAM       Node.js (node)
  --node-modules DIR   the other proxies (build/bench-node/node_modules); "none": without them
)";

namespace {

constexpr int kMaxCount = 10'000'000;

absl::Status SetCount(const std::string& name, absl::string_view text, int& count) {
  if (absl::SimpleAtoi(text, &count) && count >= 1 && count <= kMaxCount) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(name, " `", text, "`: a number from 1 to ", kMaxCount, " is needed"));
}

absl::Status Set(const std::string& name, const std::string& value, BrokerOptions& options) {
  if (name == "--rounds") return SetCount(name, value, options.rounds);
  if (name == "--calls") return SetCount(name, value, options.calls);
  if (name == "--in-flight") {
    options.in_flight.clear();
    for (const absl::string_view part : absl::StrSplit(value, ',')) {
      TIPSTAFF_RETURN_IF_ERROR(SetCount(name, part, options.in_flight.emplace_back()));
    }
    return absl::OkStatus();
  }
  const std::pair<const char*, std::string*> texts[] = {{"--dir", &options.folder},
                                                        {"--bin", &options.bin},
                                                        {"--source", &options.source},
                                                        {"--node", &options.node},
                                                        {"--node-modules", &options.node_modules}};
  for (const auto& [known, target] : texts) {
    if (name != known) continue;
    if (value.empty()) return absl::InvalidArgumentError(absl::StrCat(name, " is empty"));
    *target = value == "none" && target == &options.node_modules ? "" : value;
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat("unknown argument `", name, "`: see --help"));
}

}  // namespace

absl::StatusOr<BrokerOptions> ParseBrokerOptions(const std::vector<std::string>& arguments) {
  BrokerOptions options;
  for (size_t i = 0; i < arguments.size(); i += 2) {
    if (arguments[i] == "--help") {
      options.help = true;
      return options;
    }
    if (i + 1 == arguments.size()) {
      return absl::InvalidArgumentError(
          absl::StrCat("`", arguments[i], "` needs a value, or is unknown: see --help"));
    }
    TIPSTAFF_RETURN_IF_ERROR(Set(arguments[i], arguments[i + 1], options));
  }
  return options;
}

}  // namespace tipstaff::bench
