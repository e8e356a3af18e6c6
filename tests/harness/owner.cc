#include "tests/harness/owner.h"

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "mediator/base/file.h"
#include "mediator/base/status.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"
#include "mediator/keys/dsse.h"
#include "mediator/keys/keys.h"
#include "mediator/upstream/sign_off.h"

namespace tipstaff::harness {
namespace {

absl::Status Run(const Mediator& mediator, std::vector<std::string> arguments) {
  const std::string what = absl::StrCat(arguments[0], " ", arguments[1]);
  TIPSTAFF_ASSIGN_OR_RETURN(const Finished finished, mediator.Tipstaff(std::move(arguments)));
  if (finished.status == 0) return absl::OkStatus();
  return absl::InternalError(
      absl::StrCat("`tipstaff ", what, "` exited with ", finished.status, ": ", finished.err));
}

// As an owner would, with an editor.
absl::Status SetEffect(const Effect& effect, std::string& text) {
  const std::string before =
      absl::StrCat("{\"name\": ", json::Quote(effect.tool), ", \"effect\": \"");
  const size_t at = text.find(before);
  const size_t end = at == std::string::npos ? at : text.find('"', at + before.size());
  if (end == std::string::npos) {
    return absl::NotFoundError(absl::StrCat("the pins have no tool `", effect.tool, "`"));
  }
  const std::string key =
      effect.key.empty() ? "" : absl::StrCat(", \"idempotency_key\": ", json::Quote(effect.key));
  text.replace(at, end + 1 - at, absl::StrCat(before, effect.effect, "\"", key));
  return absl::OkStatus();
}

}  // namespace

std::string KeysOfDana(const std::string& folder) { return folder + "/dana"; }

absl::StatusOr<std::string> ConfigOfDana(const std::string& folder) {
  TIPSTAFF_ASSIGN_OR_RETURN(const auto ring, keys::KeyRing::OpenOrCreate(KeysOfDana(folder)));
  TIPSTAFF_RETURN_IF_ERROR(base::WriteFile(folder + "/dana.jwks", ring->Jwks()));
  return "people:\n  dana: {key: dana.jwks}\n";
}

std::string PinsFile(const Mediator& mediator, const std::string& server) {
  return absl::StrCat(mediator.options().folder, "/pins/", server, ".json");
}

std::string SignOffFile(const Mediator& mediator, const std::string& server) {
  return absl::StrCat(mediator.options().folder, "/signoffs/", server, ".dsse");
}

absl::Status Pin(const Mediator& mediator, const std::string& server) {
  return Run(mediator, {"upstream", "pin", server});
}

absl::Status SetEffects(const Mediator& mediator, const std::string& server,
                        const std::vector<Effect>& effects) {
  const std::string path = PinsFile(mediator, server);
  TIPSTAFF_ASSIGN_OR_RETURN(std::string text, base::ReadFile(path));
  for (const Effect& effect : effects) TIPSTAFF_RETURN_IF_ERROR(SetEffect(effect, text));
  return base::WriteFile(path, text);
}

absl::Status Approve(const Mediator& mediator, const std::string& server) {
  const std::string until =
      absl::FormatTime("%Y-%m-%d", absl::Now() + absl::Hours(24 * 30), absl::UTCTimeZone());
  return Run(mediator, {"upstream", "approve", server, "--as", "dana", "--until", until,
                        "--sign-with", KeysOfDana(mediator.options().folder)});
}

absl::Status ApproveUntil(const Mediator& mediator, const std::string& server, absl::Time until) {
  // What is signed differs from what the command signs by its end only.
  TIPSTAFF_RETURN_IF_ERROR(Approve(mediator, server));
  const std::string path = SignOffFile(mediator, server);
  TIPSTAFF_ASSIGN_OR_RETURN(const std::string signed_text, base::ReadFile(path));
  const std::string folder = KeysOfDana(mediator.options().folder);
  TIPSTAFF_ASSIGN_OR_RETURN(const auto ring, keys::KeyRing::OpenOrCreate(folder));
  TIPSTAFF_ASSIGN_OR_RETURN(const auto known, keys::ListKeys(folder));
  const auto find = [&](absl::string_view kid) -> const keys::PublicKey* {
    for (const keys::KnownKey& key : known) {
      if (key.kid == kid) return &key.key;
    }
    return nullptr;
  };
  TIPSTAFF_ASSIGN_OR_RETURN(const keys::VerifiedEnvelope envelope,
                            keys::VerifyEnvelope(signed_text, upstream::kSignOffType, find));
  TIPSTAFF_ASSIGN_OR_RETURN(const json::Document was, json::Parse(envelope.payload));
  const auto member = [&](absl::string_view key) {
    return std::string(was.root().StringOr(key, ""));
  };
  const std::string payload = upstream::Payload({.upstream = server,
                                                 .by = "dana",
                                                 .configuration_digest = member("configuration"),
                                                 .pins_digest = member("pins"),
                                                 .until = until,
                                                 .why = ""});
  return base::WriteFile(path, ring->SignEnvelope(upstream::kSignOffType, payload));
}

absl::Status MakeUsable(const Mediator& mediator, const std::string& server,
                        const std::vector<Effect>& effects) {
  TIPSTAFF_RETURN_IF_ERROR(Pin(mediator, server));
  TIPSTAFF_RETURN_IF_ERROR(SetEffects(mediator, server, effects));
  return Approve(mediator, server);
}

}  // namespace tipstaff::harness
