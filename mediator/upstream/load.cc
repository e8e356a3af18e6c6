#include "mediator/upstream/load.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "mediator/base/file.h"
#include "mediator/base/status.h"
#include "mediator/upstream/sign_off.h"

namespace tipstaff::upstream {

absl::StatusOr<PinnedServer> ParsePins(const config::McpServer& server, std::string text) {
  absl::StatusOr<Pins> pins = Pins::Parse(text);
  const std::string what = absl::StrCat("upstream `", server.name, "`: `", server.pins, "`");
  if (!pins.ok()) {
    return absl::InvalidArgumentError(absl::StrCat(what, ": ", pins.status().message()));
  }
  if (pins->upstream() != server.name) {
    return absl::InvalidArgumentError(
        absl::StrCat(what, " has the pins of `", base::EscapeAndCut(pins->upstream(), 60), "`"));
  }
  const bool queries = !server.query_tool.empty();
  if (queries && pins->Find(call::Kind::kTool, server.query_tool) == nullptr) {
    return absl::InvalidArgumentError(
        absl::StrCat(what, " has no tool `", server.query_tool, "`, which `query` names"));
  }
  return PinnedServer{server, *std::move(pins), std::move(text)};
}

absl::StatusOr<PinnedServer> ReadPins(const config::McpServer& server) {
  absl::StatusOr<std::string> text = base::ReadFile(server.pins);
  if (absl::IsNotFound(text.status())) {
    return absl::NotFoundError(absl::StrCat(
        "upstream `", server.name, "` is not pinned yet: tipstaff upstream pin ", server.name));
  }
  if (!text.ok()) return text.status();
  return ParsePins(server, *std::move(text));
}

absl::StatusOr<ApprovedServer> ReadApproval(PinnedServer pinned,
                                            absl::Span<const config::Person> people,
                                            absl::Time now) {
  const config::McpServer& server = pinned.server;
  absl::StatusOr<std::string> text = base::ReadFile(server.sign_off);
  if (absl::IsNotFound(text.status())) {
    return absl::PermissionDeniedError(
        absl::StrCat("upstream `", server.name, "` is not approved: ", ApproveCommand(server)));
  }
  if (!text.ok()) return text.status();
  TIPSTAFF_ASSIGN_OR_RETURN(const SignOff sign_off,
                            CheckSignOff(server, pinned.pins_text, *text, people, now));
  auto system = std::make_shared<McpSystem>(
      McpSystem{std::move(pinned.server), std::move(pinned.pins), sign_off.until});
  return ApprovedServer{std::move(system), *std::move(text), sign_off.by};
}

}  // namespace tipstaff::upstream
