#include "tests/harness/approved_server.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/time/clock.h"
#include "mediator/base/file.h"
#include "mediator/base/status.h"
#include "mediator/json/write.h"
#include "tests/harness/mediator.h"

namespace tipstaff::harness {
namespace {

constexpr char kOwner[] = "dana";
constexpr char kKeyFile[] = "dana.jwks";
constexpr char kKeyFolder[] = "owner-keys";

// What it printed, or what it complained of.
absl::StatusOr<std::string> Run(const Mediator& mediator, std::vector<std::string> arguments) {
  const std::string said = absl::StrCat("`tipstaff ", arguments[0], " ", arguments[1], "`");
  TIPSTAFF_ASSIGN_OR_RETURN(Finished finished, mediator.Tipstaff(std::move(arguments)));
  if (finished.status == 0) return std::move(finished.out);
  return absl::InternalError(
      absl::StrCat(said, " exited with ", finished.status, ": ", finished.err));
}

absl::Status MakeKey(const Mediator& mediator) {
  const std::string folder = mediator.options().folder;
  const std::string keys = absl::StrCat(folder, "/", kKeyFolder);
  // The configuration names the public key, and no command reads one without it.
  const auto bare = [&](const char* verb) -> absl::StatusOr<std::string> {
    TIPSTAFF_ASSIGN_OR_RETURN(Finished finished, RunCommand({mediator.options().bin + "/tipstaff",
                                                             "keys", verb, "--folder", keys},
                                                            {.folder = folder}));
    if (finished.status == 0) return std::move(finished.out);
    return absl::InternalError(absl::StrCat("`tipstaff keys ", verb, "`: ", finished.err));
  };
  TIPSTAFF_RETURN_IF_ERROR(bare("new").status());
  TIPSTAFF_ASSIGN_OR_RETURN(const std::string jwks, bare("jwks"));
  return base::WriteFile(absl::StrCat(folder, "/", kKeyFile), jwks);
}

// A pinned tool is a write until somebody has looked at it.
absl::Status SetReads(const std::string& file, const ApprovedServer& server) {
  TIPSTAFF_ASSIGN_OR_RETURN(std::string pins, base::ReadFile(file));
  for (const std::string& tool : server.reads) {
    const std::string head = absl::StrCat(R"({"name": )", json::Quote(tool), R"(, "effect": )");
    if (absl::StrReplaceAll({{head + R"("write")", head + R"("read")"}}, &pins) == 1) continue;
    return absl::NotFoundError(
        absl::StrCat("`", server.name, "` lists no tool `", tool, "`: its pins:\n", pins));
  }
  return base::WriteFile(file, pins);
}

}  // namespace

std::string ServersConfig(const std::vector<ApprovedServer>& servers) {
  if (servers.empty()) return "";
  std::string text = absl::StrCat("people:\n  ", kOwner, ": {key: ", kKeyFile, "}\nupstreams:\n");
  for (const ApprovedServer& server : servers) {
    absl::StrAppend(&text, "  ", server.name, ":\n    ", server.how, "\n    owner: ", kOwner,
                    "\n    stop: ", server.stop, "\n");
    for (const std::string& line : server.more) absl::StrAppend(&text, "    ", line, "\n");
  }
  return text;
}

absl::Status ApproveServers(const Mediator& mediator, const std::vector<ApprovedServer>& servers) {
  if (servers.empty()) return absl::OkStatus();
  TIPSTAFF_RETURN_IF_ERROR(MakeKey(mediator));
  for (const ApprovedServer& server : servers) {
    TIPSTAFF_RETURN_IF_ERROR(Run(mediator, {"upstream", "pin", server.name}).status());
    TIPSTAFF_RETURN_IF_ERROR(
        SetReads(absl::StrCat(mediator.options().folder, "/pins/", server.name, ".json"), server));
    TIPSTAFF_RETURN_IF_ERROR(ApproveServer(mediator, server.name));
  }
  return absl::OkStatus();
}

absl::Status ApproveServer(const Mediator& mediator, const std::string& name) {
  const std::string until =
      absl::FormatTime("%Y-%m-%d", absl::Now() + absl::Hours(48), absl::UTCTimeZone());
  const std::string keys = absl::StrCat(mediator.options().folder, "/", kKeyFolder);
  return Run(mediator,
             {"upstream", "approve", name, "--as", kOwner, "--sign-with", keys, "--until", until})
      .status();
}

}  // namespace tipstaff::harness
