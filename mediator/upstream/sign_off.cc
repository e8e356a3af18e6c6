#include "mediator/upstream/sign_off.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "mediator/base/digest.h"
#include "mediator/base/escape.h"
#include "mediator/base/status.h"
#include "mediator/json/builder.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"
#include "mediator/keys/dsse.h"

namespace tipstaff::upstream {
namespace {

absl::Status Denied(const config::McpServer& server, absl::string_view why) {
  return absl::PermissionDeniedError(
      absl::StrCat("upstream `", server.name, "`: ", why, ": ", ApproveCommand(server)));
}

absl::StatusOr<SignOff> ReadPayload(absl::string_view payload) {
  TIPSTAFF_ASSIGN_OR_RETURN(const json::Document document, json::Parse(payload));
  const auto text = [&](absl::string_view key) {
    return std::string(document.root().StringOr(key, ""));
  };
  SignOff sign_off{text("upstream"), text("by"), text("configuration"),
                   text("pins"),     {},         text("why")};
  std::string error;
  if (!absl::ParseTime(absl::RFC3339_full, text("until"), &sign_off.until, &error)) {
    return absl::InvalidArgumentError("`until` is no time");
  }
  return sign_off;
}

// Keys of the owner.
absl::StatusOr<std::vector<keys::KnownKey>> KeysOf(const std::string& owner,
                                                   absl::Span<const config::Person> people) {
  for (const config::Person& person : people) {
    if (person.name == owner && !person.key.empty()) return keys::ReadTrustedKeys(person.key);
  }
  return absl::NotFoundError(absl::StrCat("its owner `", owner, "` is nobody with a key"));
}

}  // namespace

std::string ApproveCommand(const config::McpServer& server) {
  return absl::StrCat("tipstaff upstream approve ", server.name, " --as ", server.owner,
                      " --sign-with FOLDER --until YYYY-MM-DD");
}

std::string Payload(const SignOff& sign_off) {
  json::Builder b;
  b.StartObject().Field("by", sign_off.by).Field("configuration", sign_off.configuration_digest);
  b.Field("pins", sign_off.pins_digest);
  b.Field("until", absl::FormatTime("%Y-%m-%d%ET%H:%M:%SZ", sign_off.until, absl::UTCTimeZone()));
  b.Field("upstream", sign_off.upstream).Field("why", sign_off.why).EndObject();
  return json::Canonical(std::move(b).Build()->root());
}

std::string ConfigurationDigest(const config::McpServer& server) {
  return base::ToHex(base::DigestOf(config::Encode(server)));
}

std::string PinsDigest(absl::string_view pins_text) {
  return base::ToHex(base::DigestOf(pins_text));
}

absl::StatusOr<SignOff> CheckSignOff(const config::McpServer& server, absl::string_view pins_text,
                                     absl::string_view envelope,
                                     absl::Span<const config::Person> people, absl::Time now) {
  const absl::StatusOr<std::vector<keys::KnownKey>> keys = KeysOf(server.owner, people);
  if (!keys.ok()) return Denied(server, keys.status().message());
  const auto find = [&](absl::string_view kid) -> const keys::PublicKey* {
    const auto it = std::find_if(keys->begin(), keys->end(),
                                 [kid](const keys::KnownKey& key) { return key.kid == kid; });
    return it == keys->end() ? nullptr : &it->key;
  };
  const auto verified = keys::VerifyEnvelope(envelope, kSignOffType, find);
  if (!verified.ok()) {
    return Denied(server, absl::StrCat("the sign-off is not one by its owner `", server.owner,
                                       "`: ", verified.status().message()));
  }
  const absl::StatusOr<SignOff> sign_off = ReadPayload(verified->payload);
  if (!sign_off.ok()) {
    return Denied(server,
                  absl::StrCat("the sign-off cannot be read: ", sign_off.status().message()));
  }
  if (sign_off->upstream != server.name || sign_off->by != server.owner) {
    return Denied(server,
                  absl::StrCat("the sign-off is for `", base::EscapeAndCut(sign_off->upstream, 60),
                               "` by `", base::EscapeAndCut(sign_off->by, 60), "`"));
  }
  if (sign_off->configuration_digest != ConfigurationDigest(server)) {
    return Denied(server, "its configuration has changed since it was approved");
  }
  if (sign_off->pins_digest != PinsDigest(pins_text)) {
    return Denied(server, "its pins have changed since they were approved");
  }
  if (now >= sign_off->until) {
    return Denied(server,
                  absl::StrCat("its sign-off ended on ",
                               absl::FormatTime("%Y-%m-%d", sign_off->until - absl::Microseconds(1),
                                                absl::UTCTimeZone())));
  }
  return *sign_off;
}

}  // namespace tipstaff::upstream
