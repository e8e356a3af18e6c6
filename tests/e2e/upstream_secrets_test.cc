// A credential goes to its server and nowhere else, whatever the server does with it.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "mediator/base/file.h"
#include "tests/e2e/upstream_fixture.h"
#include "tests/harness/processes.h"

namespace tipstaff::e2e {
namespace {

namespace fs = std::filesystem;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr char kSecret[] = "plantedCredential/0xC0FFEE/4242";

struct Given {
  const char* name;
  bool http;
  bool from_file;
};

class UpstreamSecretsTest : public UpstreamTest, public ::testing::WithParamInterface<Given> {
 protected:
  // `credential` as the parameter says; only the file or variable that it names has the secret.
  void StartGiven() {
    const Given& given = GetParam();
    const std::string from = given.from_file ? "{file: token}" : "{env: PLANTED}";
    if (given.from_file) {
      Must(base::WriteFile(Path("token"), absl::StrCat(kSecret, "\n")));
      fs::permissions(Path("token"), fs::perms::owner_read | fs::perms::owner_write);
    }
    Must(base::WriteFile(Path("authorization"), absl::StrCat("Bearer ", kSecret)));
    if (given.http) {
      server_.emplace(std::vector<std::string>{"--authorization", Path("authorization")},
                      Path("http-server-own.log"));
    }
    const std::string credential =
        given.http
            ? absl::StrCat(
                  ", credential: {header: Authorization, format: \"Bearer {}\", from: ", from, "}")
            : absl::StrCat(", credential: {variable: FIX_TOKEN, from: ", from, "}");
    const std::string line =
        given.http ? HttpLine("fix", server_->url(), credential) : StdioLine("fix", {}, credential);
    const std::vector<std::string> environment =
        given.from_file ? std::vector<std::string>()
                        : std::vector{absl::StrCat("PLANTED=", kSecret)};
    StartUsable(line, environment);
  }

  // Files below the working folder that have it: ledger, logs, keys, sockets' folders, exports.
  std::vector<std::string> FilesWithSecret() const {
    std::vector<std::string> found;
    for (const auto& entry : fs::recursive_directory_iterator(folder())) {
      if (!entry.is_regular_file()) continue;
      const std::string name = entry.path().filename().string();
      // Where it is planted, and what the HTTP server itself, which has it, writes.
      if (name == "token" || name == "authorization" || name == "http-server-own.log") continue;
      std::ifstream in(entry.path(), std::ios::binary);
      const std::string bytes(std::istreambuf_iterator<char>(in), {});
      if (HasSecret(bytes)) found.push_back(entry.path().string());
    }
    return found;
  }
  static bool HasSecret(const std::string& bytes) {
    return absl::StrContains(bytes, kSecret) ||
           absl::StrContains(bytes, "plantedCredential\\/0xC0FFEE\\/4242") ||
           absl::StrContains(bytes, absl::Base64Escape(kSecret));
  }

 private:
  std::optional<HttpServer> server_;
};

TEST_P(UpstreamSecretsTest, NothingButTheServerHasTheCredential) {
  StartGiven();
  const harness::OpenedRun run = OpenFixture();
  const auto agent = StartAgent(run);
  Must(agent->Send(R"({"jsonrpc":"2.0","id":"l","method":"logging/setLevel",)"
                   R"("params":{"level":"debug"}})"));
  EXPECT_EQ(Must(agent->Call("fix_echo", R"({"text":"hello"})")).text, R"({"text":"hello"})")
      << "the server let it in";
  // It tells: in a log message, by its progress, on standard error and in its answer.
  Must(agent->Send(R"({"jsonrpc":"2.0","id":77,"method":"tools/call","params":)"
                   R"({"name":"fix_tell_credential","arguments":{"variable":"FIX_TOKEN"},)"
                   R"("_meta":{"progressToken":"mine"}}})"));
  std::string answer;
  while (answer.empty()) {
    const std::string line = Must(agent->process().ReadLine(absl::Seconds(40)));
    EXPECT_FALSE(HasSecret(line)) << line;
    if (absl::StrContains(line, "\"id\":77")) answer = line;
  }
  EXPECT_THAT(answer, HasSubstr("\"isError\":true"));
  EXPECT_THAT(answer, HasSubstr("whether the call took effect is not known"));
  EXPECT_THAT(answer, Not(HasSubstr("missing"))) << "the server had it";
  harness::Finished shown;
  // A read's outcome may come on record after its answer.
  EXPECT_TRUE(Await([&] {
    shown = Tipstaff({"show", absl::StrCat(run.run, "#2")});
    return absl::StrContains(shown.out, "outcome");
  }));
  EXPECT_THAT(shown.out, AnyOf(HasSubstr("it answered with its credential"),
                               HasSubstr("its answer has a credential in it, and is dropped")));

  for (const harness::CommandLine& line : harness::CommandLines()) {
    EXPECT_FALSE(HasSecret(line.text)) << line.pid << ": " << line.text;
  }
  Tipstaff({"run", "close", run.run});
  const harness::Finished exported = Tipstaff({"export", run.run, "-o", Path("bundle")});
  EXPECT_FALSE(HasSecret(exported.out + exported.err));
  for (const char* command : {"log", "why"}) {
    const harness::Finished said =
        Tipstaff({command, command == std::string("why") ? run.run + "#2" : run.run});
    EXPECT_FALSE(HasSecret(said.out + said.err)) << command;
  }
  EXPECT_THAT(FilesWithSecret(), IsEmpty());
  // The search itself finds what is there.
  Must(base::WriteFile(Path("found"), kSecret));
  EXPECT_EQ(FilesWithSecret().size(), 1u);
}

TEST_P(UpstreamSecretsTest, ACredentialThatIsNotThereIsSaidByItsPlace) {
  StartGiven();
  const bool from_file = GetParam().from_file;
  mediator().Kill();
  if (from_file) fs::remove(Path("token"));
  Must(mediator().StartAgain(from_file ? std::vector<std::string>()
                                       : std::vector<std::string>{"PLANTED="}));
  const harness::OpenedRun run = OpenFixture();
  const auto agent = StartAgent(run);
  const harness::CallResult echo = Must(agent->Call("fix_echo", R"({"text":"hello"})"));
  EXPECT_TRUE(echo.is_error);
  EXPECT_EQ(echo.reason, "permitted");
  EXPECT_THAT(echo.text, HasSubstr("the system could not be asked"));
  // A read's outcome may come on record after its answer.
  EXPECT_TRUE(Await([&] {
    return absl::StrContains(Tipstaff({"show", absl::StrCat(run.run, "#1")}).out,
                             from_file ? "/token`" : "`PLANTED`");
  }));
}

INSTANTIATE_TEST_SUITE_P(Places, UpstreamSecretsTest,
                         ::testing::Values(Given{"VariableFromVariable", false, false},
                                           Given{"VariableFromFile", false, true},
                                           Given{"HeaderFromVariable", true, false},
                                           Given{"HeaderFromFile", true, true}),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace tipstaff::e2e
