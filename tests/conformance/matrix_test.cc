// Clients x transports x servers: each client, over each transport, through guest agent and
// mediator to each server in bubblewrap.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <stdexcept>

#include "absl/strings/str_cat.h"
#include "mediator/base/file.h"
#include "mediator/base/testing/temp_folder.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"
#include "tests/conformance/upstreams.h"
#include "tests/harness/http_guest.h"
#include "tests/harness/mediator.h"

namespace tipstaff::conformance {
namespace {

using ::testing::ElementsAreArray;
using ::testing::HasSubstr;

constexpr char kClients[] = TIPSTAFF_CLIENTS_DIR;

template <typename T>
T Must(absl::StatusOr<T> value) {
  if (!value.ok()) throw std::runtime_error(value.status().ToString());
  return *std::move(value);
}

// A mediator with one server, which all tests of that server share: each has a run of its own.
class Place {
 public:
  Place(const std::string& name, const Packages& packages) {
    const std::string files = folder_.Path("files"), skills = folder_.Path("skills");
    std::filesystem::create_directories(files);
    std::filesystem::create_directories(skills + "/harmless");
    upstream_ = MakeUpstream(name, packages, files);
    EXPECT_TRUE(base::WriteFile(files + "/greeting.txt", "hello from a file\n").ok());
    EXPECT_TRUE(base::WriteFile(skills + "/harmless/skill.yaml", SkillOf(upstream_)).ok());
    harness::MediatorOptions options{.bin = TIPSTAFF_BIN_DIR,
                                     .source = TIPSTAFF_SOURCE_DIR,
                                     .folder = folder_.path(),
                                     .policies = skills};
    options.servers = {upstream_.server};
    mediator_ = Must(harness::Mediator::Start(options));
  }

  const Upstream& upstream() const { return upstream_; }
  harness::OpenedRun OpenRun() { return Must(mediator_->OpenRun({"--skill", "harmless"})); }
  // A file that is not there yet.
  std::string NewFile() { return folder_.Path(absl::StrCat("guest-", ++files_, ".log")); }

 private:
  base::TempFolder folder_;
  Upstream upstream_;
  std::unique_ptr<harness::Mediator> mediator_;
  int files_ = 0;
};

struct Client {
  const char* name;
  const char* script;
  bool python = false;
};

void PrintTo(const Client& client, std::ostream* out) { *out << client.name; }

constexpr Client kAllClients[] = {{"sdk_v1", "sdk_v1.mjs"},
                                  {"sdk_v2", "sdk_v2.mjs"},
                                  {"inspector", "inspector.mjs"},
                                  {"pypi_mcp", "pypi_mcp.py", true},
                                  {"pypi_fastmcp", "pypi_fastmcp.py", true}};

class Matrix : public ::testing::TestWithParam<std::tuple<const char*, Client, const char*>> {
 protected:
  static void TearDownTestSuite() { places_.clear(); }

  static Place& PlaceOf(const std::string& server, const Packages& packages) {
    std::unique_ptr<Place>& place = places_[server];
    if (place == nullptr) place = std::make_unique<Place>(server, packages);
    return *place;
  }

  // What the client printed.
  static json::Document Run(const Client& client, const Packages& packages,
                            const std::string& task) {
    const std::string script = absl::StrCat(kClients, "/", client.script);
    const harness::Finished finished =
        Must(harness::RunCommand({client.python ? "python3" : packages.node, script, task},
                                 {.environment = {absl::StrCat("PYTHONPATH=", PythonPackages()),
                                                  "PYTHONDONTWRITEBYTECODE=1"}},
                                 absl::Seconds(60)));
    if (finished.status != 0) {
      throw std::runtime_error(absl::StrCat(client.name, ": ", finished.out, finished.err));
    }
    return Must(json::Parse(finished.out, {.max_depth = 4 * json::kMaxDepth}));
  }

 private:
  static std::map<std::string, std::unique_ptr<Place>> places_;
};
std::map<std::string, std::unique_ptr<Place>> Matrix::places_;

std::string Json(const Asked& asked, int after_ms = 0) {
  return absl::StrCat(R"({"name":)", json::Quote(asked.tool), R"(,"arguments":)", asked.arguments,
                      R"(,"after_ms":)", after_ms, "}");
}

void ExpectAnswer(json::Value result, const std::string& part) {
  EXPECT_FALSE(result.BoolOr("isError", false)) << json::Dump(result);
  EXPECT_THAT(std::string(result.Find("content").At(0).StringOr("text", "")), HasSubstr(part));
}

TEST_P(Matrix, ListsCallsIsRefusedAndCancels) {
  const auto& [server, client, transport] = GetParam();
  const Packages packages = Must(FindPackages());
  if (client.python && PythonPackages().empty()) {
    GTEST_SKIP() << "the Python clients are not installed: run `./dev setup test`";
  }
  Place& place = PlaceOf(server, packages);
  const Upstream& upstream = place.upstream();
  const harness::OpenedRun run = place.OpenRun();

  std::unique_ptr<harness::HttpGuest> guest;
  std::string way =
      absl::StrCat(R"("stdio":{"command":)", json::Quote(TIPSTAFF_BIN_DIR "/tipstaff-guest"),
                   R"(,"args":["--connect",)", json::Quote(run.socket), R"(,"--token-file",)",
                   json::Quote(run.token_file), "]}");
  if (std::string(transport) == "http") {
    guest = Must(harness::HttpGuest::Start(TIPSTAFF_BIN_DIR, run, place.NewFile()));
    way = absl::StrCat(R"("url":)", json::Quote(guest->url()));
  }
  const json::Document report =
      Run(client, packages,
          absl::StrCat("{", way, R"(,"call":)", Json(upstream.call), R"(,"refused":)",
                       Json(upstream.refused), R"(,"cancel":)",
                       Json(upstream.cancel, upstream.cancel_after_ms), "}"));

  std::vector<std::string> tools;
  for (const json::Value tool : report.root().Find("tools").items()) {
    tools.emplace_back(tool.string());
  }
  std::vector<std::string> permitted = upstream.server.reads;
  std::sort(permitted.begin(), permitted.end());
  EXPECT_THAT(tools, ElementsAreArray(permitted)) << "what is permitted, and nothing else";
  ExpectAnswer(report.root().Find("call"), upstream.answer);
  const json::Value refused = report.root().Find("refused");
  EXPECT_TRUE(refused.BoolOr("isError", false)) << json::Dump(refused);
  EXPECT_EQ(refused.Find("_meta").Find("tipstaff/decision").StringOr("reason", ""),
            "argument_refused");
  if (upstream.cancel_after_ms > 0) {
    EXPECT_EQ(report.root().StringOr("cancelled", ""), "cancelled");
  }
  ExpectAnswer(report.root().Find("after"), upstream.answer);
}

INSTANTIATE_TEST_SUITE_P(All, Matrix,
                         ::testing::Combine(::testing::Values("everything", "filesystem", "memory",
                                                              "code_runner", "dbhub"),
                                            ::testing::ValuesIn(kAllClients),
                                            ::testing::Values("stdio", "http")),
                         [](const auto& info) {
                           return absl::StrCat(std::get<0>(info.param), "_",
                                               std::get<1>(info.param).name, "_",
                                               std::get<2>(info.param));
                         });

}  // namespace
}  // namespace tipstaff::conformance
