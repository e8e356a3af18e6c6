// The run's token: its file, and what it says of itself.
#include <filesystem>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "mediator/base/clock.h"
#include "mediator/base/escape.h"
#include "mediator/base/ids.h"
#include "mediator/base/units.h"
#include "mediator/doctor/checks.h"
#include "mediator/doctor/token_claims.h"

namespace tipstaff::doctor {
namespace {

constexpr size_t kMaxBytes = 16 << 10;
constexpr mode_t kOthers = 077;
constexpr absl::Duration kSoon = absl::Minutes(5);
constexpr char kRunToken[] = "tipstaff-run+jwt";

std::string Shown(const std::string& path) {
  return absl::StrCat("`", base::EscapeAndCut(path, 160), "`");
}

// The file's text; a finding where it cannot be had.
std::optional<std::string> ReadToken(Examination& e) {
  const std::string& path = e.subject.token_file;
  const PathFacts facts = e.machine.Look(path);
  if (!facts.exists()) {
    e.Problem(absl::StrCat(Shown(path), facts.kind == PathFacts::Kind::kHidden
                                            ? " is in a folder that this user may not look into"
                                            : " is not there"),
              "name the token file that `tipstaff run open` printed; in a container, mount it");
    return std::nullopt;
  }
  absl::StatusOr<std::string> text = e.machine.Read(path, kMaxBytes);
  if (!text.ok()) {
    e.Problem(std::string(text.status().message()),
              "start the client as the user who opened the run");
    return std::nullopt;
  }
  if ((facts.mode & kOthers) != 0) {
    e.Warn(absl::StrCat("others than its owner may read ", Shown(path)),
           absl::StrCat("chmod 600 ", base::Escape(path)));
  }
  return std::string(absl::StripAsciiWhitespace(*text));
}

// The run that the socket's folder is named after; "" for a socket that is mounted elsewhere.
std::string RunOfSocket(const Subject& subject) {
  const std::string name = std::filesystem::path(subject.socket).parent_path().filename().string();
  return base::IsRunId(name) ? name : "";
}

void CheckTimes(Examination& e, const TokenClaims& claims) {
  const absl::Time now = e.machine.Now();
  const std::string at = base::ShowTime(now);
  if (claims.issued > now + absl::Minutes(1)) {
    return e.Problem(absl::StrCat("the token was issued at ", base::ShowTime(claims.issued),
                                  ", and this machine's clock says ", at),
                     "set the clocks of this machine and the mediator's by the same source (NTP)");
  }
  if (claims.expires <= now) {
    return e.Problem(
        absl::StrCat("the token was valid until ", base::ShowTime(claims.expires),
                     ", and this machine's clock says ", at),
        "the run's time is over: open another (`tipstaff run open`); or the clock is wrong");
  }
  const std::string left = base::ShowDuration(absl::Trunc(claims.expires - now, absl::Seconds(1)));
  e.has_token = true;
  if (claims.expires - now < kSoon) {
    return e.Warn(absl::StrCat("the token is valid for ", left, " only"),
                  "open a run with a longer --time");
  }
  e.Ok(absl::StrCat("for run ", base::EscapeAndCut(claims.run, 40), ", valid for ", left,
                    " by its own word (only the mediator can verify it)"));
}

}  // namespace

void CheckToken(Examination& e) {
  const std::string& path = e.subject.token_file;
  if (path.empty()) {
    return e.NotChecked(
        e.url.empty() ? "no token file is named" : "the client goes by HTTP and has no run token",
        e.url.empty() ? "add --run RUN, --token-file PATH, or --client" : "");
  }
  const std::optional<std::string> token = ReadToken(e);
  if (!token) return;
  if (token->empty() || absl::StartsWith(*token, "$")) {
    return e.Problem(
        absl::StrCat(Shown(path), token->empty() ? " is empty"
                                                 : " begins with `$`: a variable that nobody "
                                                   "replaced"),
        "write the token of `tipstaff run open` into it");
  }
  const std::optional<TokenClaims> claims = ReadClaims(*token);
  if (!claims || claims->type != kRunToken) {
    return e.Problem(absl::StrCat(Shown(path), claims ? " has a submission token"
                                                      : " has no token of Tipstaff's in it"),
                     "name the token file that `tipstaff run open` printed");
  }
  const std::string run = RunOfSocket(e.subject);
  if (!run.empty() && run != claims->run) {
    return e.Problem(absl::StrCat("the token is for run ", base::EscapeAndCut(claims->run, 40),
                                  ", and the socket is that of ", run),
                     "take socket and token file of the same run");
  }
  CheckTimes(e, *claims);
}

}  // namespace tipstaff::doctor
