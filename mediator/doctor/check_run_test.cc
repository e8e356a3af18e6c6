// A run's socket and token, as they turn out on machines.
#include "mediator/doctor/testing/made_up_machine.h"

namespace tipstaff::doctor {
namespace {

using Break = std::function<void(Scene&)>;

TEST(CheckSocketTest, EachFaultHasItsFix) {
  const struct {
    const char* name;
    Break how;
    const char *what, *fix;
  } kRows[] = {
      {"gone", [](Scene& s) { s.machine.paths.erase(kSocket); }, "is not there", "run list"},
      {"a folder made by a container engine",
       [](Scene& s) { s.machine.Add(kSocket, PathFacts::Kind::kFolder, 0755); }, "is not a socket",
       "container engine"},
      {"another user's", [](Scene& s) { s.machine.Add(kSocket, PathFacts::Kind::kSocket, 0); },
       "may not connect", "user who opened"},
      {"in a folder of another user's",
       [](Scene& s) { s.machine.Add(kSocket, PathFacts::Kind::kHidden, 0); },
       "may not look into the folder", "user who opened"},
      {"nobody listens", [](Scene& s) { s.machine.listeners.erase(kSocket); }, "nobody listens on",
       "tipstaff serve"},
      {"too long",
       [](Scene& s) {
         s.SetClient("claude-code", Scene::Entry(kGuest, "/" + std::string(107, 's')));
       },
       "has 108 bytes, and the kernel takes 107", "shorter folder"},
      {"relative", [](Scene& s) { s.SetClient("claude-code", Scene::Entry(kGuest, "guest.sock")); },
       "is relative", "whole path"},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    Scene scene;
    row.how(scene);
    scene.Expect("socket", Level::kProblem, row.what, row.fix);
    scene.Expect("protocol", Level::kNotChecked, "needs a socket", "");
    EXPECT_TRUE(scene.machine.conversations.empty());
  }
}

TEST(CheckSocketTest, ALongestPathIsTaken) {
  Scene scene;
  const std::string longest = "/" + std::string(106, 's');
  scene.SetClient("claude-code", Scene::Entry(kGuest, longest));
  scene.Expect("socket", Level::kProblem, "is not there", "run list");
}

TEST(CheckTokenTest, EachFaultHasItsFix) {
  const auto put = [](const std::string& text) {
    return [text](Scene& s) { s.machine.AddFile(kToken, text); };
  };
  const absl::Time now = MadeUpMachine().now;
  const absl::Duration hour = absl::Hours(1);
  const struct {
    const char* name;
    Break how;
    Level level;
    const char *what, *fix;
  } kRows[] = {
      {"gone", [](Scene& s) { s.machine.paths.erase(kToken); }, Level::kProblem, "is not there",
       "token file that"},
      {"unreadable", [](Scene& s) { s.machine.Add(kToken, PathFacts::Kind::kFile, 0); },
       Level::kProblem, "no", "user who opened"},
      {"hidden", [](Scene& s) { s.machine.Add(kToken, PathFacts::Kind::kHidden, 0); },
       Level::kProblem, "may not look into", "token file that"},
      {"open to others",
       [now, hour](Scene& s) { s.machine.AddFile(kToken, RunToken(now, now + hour), 0640); },
       Level::kWarning, "others than its owner may read", "chmod 600"},
      {"empty", put(" \n"), Level::kProblem, "is empty", "run open"},
      {"a variable", put("${TOKEN}"), Level::kProblem, "begins with `$`", "run open"},
      {"no token", put("hello"), Level::kProblem, "no token of Tipstaff's", "run open"},
      {"another program's token", put(TokenText("JWT", R"({"run":"x"})")), Level::kProblem,
       "no token of Tipstaff's", "run open"},
      {"a submission token", put(TokenText("tipstaff-submission+jwt", R"({"run":"run_x"})")),
       Level::kProblem, "has a submission token", "run open"},
      {"expired", put(RunToken(now - hour, now)), Level::kProblem, "was valid until", "run open"},
      {"a clock behind", put(RunToken(now + absl::Minutes(2), now + hour)), Level::kProblem,
       "was issued at", "NTP"},
      {"a clock a little behind", put(RunToken(now + absl::Seconds(30), now + hour)), Level::kOk,
       "by its own word", ""},
      {"nearly expired", put(RunToken(now - hour, now + absl::Minutes(4))), Level::kWarning,
       "valid for 4m only", "--time"},
      {"of another run", put(RunToken(now, now + hour, "run_zzzzzzzzzzzz")), Level::kProblem,
       "is for run run_zzzzzzzzzzzz, and the socket is that of run_abcdefghijkl", "same run"},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    Scene scene;
    row.how(scene);
    scene.Expect("token", row.level, row.what, row.fix);
    for (const Finding& finding : scene.Examine()) {
      EXPECT_EQ(finding.what.find("eyJ"), std::string::npos) << "no finding shows a token";
    }
  }
}

// A socket that is mounted elsewhere is in a folder of any name.
TEST(CheckTokenTest, AMountedSocketNamesNoRun) {
  Scene scene;
  scene.machine.Add("/mnt/guest.sock", PathFacts::Kind::kSocket, 0600);
  scene.machine.listeners["/mnt/guest.sock"] = absl::OkStatus();
  scene.SetClient("claude-code", Scene::Entry(kGuest, "/mnt/guest.sock"));
  scene.Expect("token", Level::kOk, "for run run_abcdefghijkl", "");
}

}  // namespace
}  // namespace tipstaff::doctor
