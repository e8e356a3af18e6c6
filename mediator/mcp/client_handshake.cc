// Finding out what a server is. A handshake asks at most twice with each of `server/discover` and
// `initialize` (again only with a version that the server named), so it ends whatever is said.
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "mediator/json/builder.h"
#include "mediator/json/write.h"
#include "mediator/mcp/client_session.h"
#include "mediator/mcp/message.h"

namespace tipstaff::mcp {
namespace {

constexpr absl::string_view kDiscover = "server/discover";
constexpr absl::string_view kInitialize = "initialize";
constexpr int kMaxTries = 2;

// The newest of `ours` that is in `theirs`; "" for none.
std::string Common(absl::Span<const absl::string_view> ours,
                   const std::vector<std::string>& theirs) {
  for (const absl::string_view version : ours) {
    if (std::find(theirs.begin(), theirs.end(), version) != theirs.end()) {
      return std::string(version);
    }
  }
  return "";
}

std::string UnknownVersions(const std::vector<std::string>& versions) {
  constexpr size_t kShown = 8;
  const std::vector<std::string> shown(versions.begin(),
                                       versions.begin() + std::min(versions.size(), kShown));
  return absl::StrCat("the server speaks only versions that are not known here: ",
                      absl::StrJoin(shown, ", ",
                                    [](std::string* out, const std::string& version) {
                                      absl::StrAppend(out, Shown(version));
                                    }),
                      versions.size() > kShown ? ", ..." : "");
}

std::string ErrorText(const Answer& answer) {
  return absl::StrCat("error ", answer.code, " ", Shown(answer.error().StringOr("message", "")));
}

// A document of that value, or {} when it is no object.
json::Document ObjectOf(json::Value value) {
  json::Builder builder(kMaxMessageDepth);
  if (value.is_object()) {
    builder.Copy(value);
  } else {
    builder.StartObject().EndObject();
  }
  absl::StatusOr<json::Document> document = std::move(builder).Build();
  return document.ok() ? *std::move(document) : json::MustParse("{}");
}

}  // namespace

void ClientSession::Begin(absl::Time now) {
  if (next_ == Generation::kModern) {
    version_ = std::string(ModernVersions()[0]);
    return Probe(now);
  }
  version_ = std::string(LegacyVersions()[0]);
  Initialize(now);
}

void ClientSession::Probe(absl::Time now) {
  ++probes_;
  phase_ = Phase::kProbing;
  const RequestMeta meta{.generation = Generation::kModern, .version = version_};
  const std::string params = absl::StrCat(R"({"_meta":)", RequestMetaJson(meta, self_), "}");
  SendHandshake(kDiscover, params, now, kProbeTime);
}

void ClientSession::Initialize(absl::Time now) {
  ++initializes_;
  phase_ = Phase::kInitializing;
  const std::string params =
      absl::StrCat(R"({"protocolVersion":)", json::Quote(version_),
                   R"(,"capabilities":{},"clientInfo":)", ServerInfoJson(self_), "}");
  SendHandshake(kInitialize, params, now, kInitializeTime);
}

void ClientSession::SendHandshake(absl::string_view method, absl::string_view params,
                                  absl::Time now, absl::Duration time) {
  const bool modern = phase_ == Phase::kProbing;
  handshake_id_ = ++last_id_;
  deadline_ = now + time;
  out_.push_back(SendRequest{handshake_id_, RequestMessage(handshake_id_, method, params, ""),
                             std::string(method), "", modern ? version_ : "", modern});
}

void ClientSession::OnHandshakeAnswer(const Answer& answer, absl::Time now) {
  handshake_id_ = 0;
  deadline_.reset();
  const bool probing = phase_ == Phase::kProbing;
  switch (answer.kind) {
    case Answer::Kind::kMalformed:
      return OnHandshakeFailure(absl::StrCat("the answer is of no use: ", answer.malformed), now);
    case Answer::Kind::kError:
      return probing ? OnProbeError(answer, now) : OnInitializeError(answer, now);
    case Answer::Kind::kResult:
      return probing ? OnDiscovered(answer.result(), now) : OnInitialized(answer.result(), now);
  }
}

void ClientSession::OnDiscovered(json::Value result, absl::Time now) {
  std::vector<std::string> versions;
  for (const json::Value version : result.Find("supportedVersions").items()) {
    if (version.is_string()) versions.emplace_back(version.string());
  }
  if (versions.empty() || result.StringOr("resultType", "complete") != "complete") {
    return OnHandshakeFailure("the result is none of `server/discover`", now);
  }
  const std::string version = Common(ModernVersions(), versions);
  if (version.empty()) {
    if (Common(LegacyVersions(), versions).empty()) return GiveUp(UnknownVersions(versions));
    return OnHandshakeFailure("the server names legacy versions alone", now);
  }
  BecomeReady({.generation = Generation::kModern,
               .version = version,
               .capabilities = ObjectOf(result.Find("capabilities")),
               .server_info = ObjectOf(result.Find("_meta").Find(kServerInfoKey)),
               .instructions = std::string(result.StringOr("instructions", ""))});
}

void ClientSession::OnProbeError(const Answer& answer, absl::Time now) {
  const std::vector<std::string> versions = SupportedVersions(answer.error());
  if (answer.code != kUnsupportedVersion || versions.empty()) {
    return OnHandshakeFailure(ErrorText(answer), now);
  }
  if (const std::string version = Common(ModernVersions(), versions); !version.empty()) {
    if (probes_ < kMaxTries) {
      version_ = version;
      return Probe(now);
    }
    return GiveUp(absl::StrCat("the server names version ", Shown(version), " and refuses it"));
  }
  if (Common(LegacyVersions(), versions).empty()) return GiveUp(UnknownVersions(versions));
  OnHandshakeFailure(ErrorText(answer), now);
}

void ClientSession::OnInitialized(json::Value result, absl::Time now) {
  const absl::string_view version = result.StringOr("protocolVersion", "");
  if (!IsLegacyVersion(version)) {
    return OnHandshakeFailure(
        absl::StrCat("the server answers with version ", Shown(version), "; known here are ",
                     absl::StrJoin(LegacyVersions(), ", ")),
        now);
  }
  BecomeReady({.generation = Generation::kLegacy,
               .version = std::string(version),
               .capabilities = ObjectOf(result.Find("capabilities")),
               .server_info = ObjectOf(result.Find("serverInfo")),
               .instructions = std::string(result.StringOr("instructions", ""))});
}

// Legacy servers name their versions with -32602, modern ones theirs with -32022: a modern one that
// was too slow for the probe is found out here.
void ClientSession::OnInitializeError(const Answer& answer, absl::Time now) {
  const std::vector<std::string> versions = SupportedVersions(answer.error());
  const std::string legacy = Common(LegacyVersions(), versions);
  const std::string modern = Common(ModernVersions(), versions);
  if (!legacy.empty() && legacy != version_ && initializes_ < kMaxTries) {
    version_ = legacy;
    return Initialize(now);
  }
  if (!modern.empty() && answer.code == kUnsupportedVersion && probes_ < kMaxTries) {
    version_ = modern;
    return Probe(now);
  }
  OnHandshakeFailure(ErrorText(answer), now);
}

void ClientSession::OnHandshakeFailure(absl::string_view why, absl::Time now) {
  handshake_id_ = 0;
  deadline_.reset();
  const bool probing = phase_ == Phase::kProbing;
  const std::string text = absl::StrCat("`", probing ? kDiscover : kInitialize, "`: ", why);
  const bool other_tried = probing ? initializes_ > 0 : probes_ > 0;
  if (other_tried) return GiveUp(text);
  Fall(probing ? Generation::kLegacy : Generation::kModern, text, now);
}

// On stdio with a new process: some servers fix the generation with the first message.
void ClientSession::Fall(Generation to, absl::string_view why, absl::Time now) {
  next_ = to;
  if (wire_ == Wire::kStdio) return Break(why, now);
  Note(why);
  Begin(now);
}

void ClientSession::Break(absl::string_view why, absl::Time now) {
  phase_ = Phase::kReconnecting;
  handshake_id_ = 0;
  deadline_ = now + kInitializeTime;
  out_.push_back(Reconnect{std::string(why)});
}

void ClientSession::BecomeReady(Peer peer) {
  phase_ = Phase::kReady;
  proven_ = true;
  next_ = peer.generation;
  version_ = peer.version;
  probes_ = initializes_ = 0;
  peer_ = std::move(peer);
  if (peer_.generation == Generation::kLegacy) {
    constexpr absl::string_view kInitialized = "notifications/initialized";
    out_.push_back(SendNotification{NotificationMessage(kInitialized, "{}"),
                                    std::string(kInitialized), version_, false});
  }
  for (Asked& asked : std::exchange(waiting_, {})) SendAsked(std::move(asked));
  out_.push_back(Ready{peer_});
}

void ClientSession::GiveUp(absl::string_view why) {
  phase_ = Phase::kUnusable;
  handshake_id_ = 0;
  deadline_.reset();
  if (!proven_) next_ = Generation::kModern;
  EndWaiting(why);
  out_.push_back(Unusable{std::string(why)});
}

}  // namespace tipstaff::mcp
