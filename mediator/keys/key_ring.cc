// The folder of keys, and KeyRing over it.
#include <fcntl.h>
#include <sodium.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "mediator/base/escape.h"
#include "mediator/base/fd.h"
#include "mediator/base/file.h"
#include "mediator/base/ids.h"
#include "mediator/base/status.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"
#include "mediator/keys/dsse.h"
#include "mediator/keys/jwk.h"
#include "mediator/keys/keys.h"
#include "mediator/keys/signed_note.h"
#include "mediator/keys/token.h"

namespace tipstaff::keys {
namespace {

constexpr absl::string_view kCurrent = "current";
constexpr absl::string_view kKeySuffix = ".jwk";
constexpr size_t kMaxKeyFileBytes = 4096;
constexpr size_t kMaxTrustBytes = 1 << 20;

struct Folder {
  std::map<std::string, PublicKey> keys;
  std::map<std::string, std::unique_ptr<PrivateKey>> private_keys;
};

class FolderKeyRing final : public KeyRing {
 public:
  FolderKeyRing(Folder folder, std::string current)
      : keys_(std::move(folder.keys)),
        current_(std::move(current)),
        signing_(std::move(folder.private_keys.at(current_))) {}

  absl::StatusOr<std::string> Mint(const RunClaims& claims) const override {
    return MintToken(claims, *signing_);
  }
  absl::StatusOr<RunClaims> Verify(absl::string_view token, absl::string_view audience,
                                   absl::Time now) const override {
    return VerifyToken<RunClaims>(token, audience, now,
                                  [this](absl::string_view kid) { return Find(kid); });
  }
  absl::StatusOr<std::string> MintSubmission(const SubmissionClaims& claims) const override {
    return MintToken(claims, *signing_);
  }
  absl::StatusOr<SubmissionClaims> VerifySubmission(absl::string_view token,
                                                    absl::string_view audience,
                                                    absl::Time now) const override {
    return VerifyToken<SubmissionClaims>(token, audience, now,
                                         [this](absl::string_view kid) { return Find(kid); });
  }
  std::string SignNote(absl::string_view text) const override {
    return keys::SignNote(text, *signing_);
  }
  std::string SignEnvelope(absl::string_view payload_type,
                           absl::string_view payload) const override {
    return keys::SignEnvelope(payload_type, payload, *signing_);
  }
  std::string Jwks() const override {
    std::vector<KnownKey> keys;
    for (const auto& [kid, key] : keys_) keys.push_back({kid, key});
    return JwksOf(keys);
  }
  const std::string& current() const override { return current_; }

 private:
  const PublicKey* Find(absl::string_view kid) const {
    const auto it = keys_.find(std::string(kid));
    return it == keys_.end() ? nullptr : &it->second;
  }

  const std::map<std::string, PublicKey> keys_;
  const std::string current_;
  const std::unique_ptr<const PrivateKey> signing_;
};

absl::Status MakeFolder(const std::string& folder) {
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) {
    return base::ErrnoToStatus(errno, absl::StrCat("cannot make the keys' folder `", folder, "`"));
  }
  struct stat info;
  if (::stat(folder.c_str(), &info) != 0) {
    return base::ErrnoToStatus(errno, absl::StrCat("cannot open the keys' folder `", folder, "`"));
  }
  if (!S_ISDIR(info.st_mode)) {
    return absl::FailedPreconditionError(
        absl::StrCat("the keys' folder `", folder, "` is not a folder"));
  }
  if ((info.st_mode & 022) != 0) {
    return absl::PermissionDeniedError(
        absl::StrCat("the keys' folder `", folder, "` can be written by others: chmod 700 it"));
  }
  return absl::OkStatus();
}

absl::Status CheckPrivate(const std::string& path) {
  struct stat info;
  if (::lstat(path.c_str(), &info) != 0) {
    return base::ErrnoToStatus(errno, absl::StrCat("cannot read key `", path, "`"));
  }
  if ((info.st_mode & 077) == 0) return absl::OkStatus();
  return absl::PermissionDeniedError(
      absl::StrCat("key `", path,
                   "` can be read or written by others: chmod 600 it, and make a "
                   "new key if somebody may have read it"));
}

absl::Status ReadKey(const std::string& folder, const std::string& name, Folder& keys) {
  const std::string path = absl::StrCat(folder, "/", name);
  TIPSTAFF_RETURN_IF_ERROR(CheckPrivate(path));
  TIPSTAFF_ASSIGN_OR_RETURN(std::string text, base::ReadFile(path, kMaxKeyFileBytes));
  absl::StatusOr<ParsedJwk> parsed = ParseJwk(text);
  sodium_memzero(text.data(), text.size());
  if (!parsed.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("key `", path, "`: ", parsed.status().message()));
  }
  if (name != absl::StrCat(parsed->kid, kKeySuffix)) {
    return absl::InvalidArgumentError(
        absl::StrCat("key `", path, "`: its name should be ", parsed->kid, kKeySuffix));
  }
  keys.keys[parsed->kid] = parsed->public_key;
  if (!parsed->seed.empty()) {
    keys.private_keys[parsed->kid] = std::make_unique<PrivateKey>(parsed->seed);
    sodium_memzero(parsed->seed.data(), parsed->seed.size());
  }
  return absl::OkStatus();
}

absl::StatusOr<Folder> ReadFolder(const std::string& folder) {
  TIPSTAFF_ASSIGN_OR_RETURN(const std::vector<std::string> names, base::ListFiles(folder));
  Folder keys;
  for (const std::string& name : names) {
    if (!absl::EndsWith(name, kKeySuffix) || absl::StrContains(name, '/')) continue;
    TIPSTAFF_RETURN_IF_ERROR(ReadKey(folder, name, keys));
  }
  return keys;
}

// One whose name no command takes for an option.
std::unique_ptr<PrivateKey> DrawKey() {
  for (;;) {
    std::string seed = base::RandomBytes(32);
    auto key = std::make_unique<PrivateKey>(seed);
    sodium_memzero(seed.data(), seed.size());
    if (Thumbprint(key->public_key()).front() != '-') return key;
  }
}

absl::StatusOr<std::string> CurrentKey(const std::string& folder, const Folder& keys) {
  const std::string path = absl::StrCat(folder, "/", kCurrent);
  const absl::StatusOr<std::string> text = base::ReadFile(path, kMaxKeyFileBytes);
  if (absl::IsNotFound(text.status())) {
    if (keys.private_keys.size() == 1) return keys.private_keys.begin()->first;
    return absl::InvalidArgumentError(
        absl::StrCat("the keys' folder `", folder, "` has ", keys.private_keys.size(),
                     " private keys and no file `current`: write the name of the one that signs "
                     "into it, without .jwk"));
  }
  TIPSTAFF_RETURN_IF_ERROR(text.status());
  absl::string_view kid = *text;
  absl::ConsumeSuffix(&kid, "\n");
  if (!keys.private_keys.contains(std::string(kid))) {
    return absl::InvalidArgumentError(absl::StrCat("`", path, "` names `",
                                                   base::EscapeAndCut(kid, 60),
                                                   "`, which is no private key in this folder"));
  }
  return std::string(kid);
}

}  // namespace

absl::StatusOr<std::string> AddSigningKey(const std::string& folder) {
  if (sodium_init() < 0) return absl::InternalError("libsodium does not start");
  TIPSTAFF_RETURN_IF_ERROR(MakeFolder(folder));
  const std::unique_ptr<PrivateKey> key = DrawKey();
  const std::string kid = Thumbprint(key->public_key());
  std::string jwk = key->ToJwk();
  const absl::Status written =
      base::WriteFile(absl::StrCat(folder, "/", kid, kKeySuffix), jwk, 0600);
  sodium_memzero(jwk.data(), jwk.size());
  TIPSTAFF_RETURN_IF_ERROR(written);
  TIPSTAFF_RETURN_IF_ERROR(
      base::WriteFile(absl::StrCat(folder, "/", kCurrent), absl::StrCat(kid, "\n"), 0600));
  return kid;
}

absl::StatusOr<std::vector<KnownKey>> ListKeys(const std::string& folder) {
  if (sodium_init() < 0) return absl::InternalError("libsodium does not start");
  struct stat info;
  if (::stat(folder.c_str(), &info) != 0 && errno == ENOENT) {
    return absl::NotFoundError(
        absl::StrCat("there is no keys' folder `", folder, "`; `tipstaff keys new` makes it"));
  }
  TIPSTAFF_RETURN_IF_ERROR(MakeFolder(folder));
  TIPSTAFF_ASSIGN_OR_RETURN(const Folder keys, ReadFolder(folder));
  const absl::StatusOr<std::string> current = CurrentKey(folder, keys);
  std::vector<KnownKey> known;
  for (const auto& [kid, key] : keys.keys) {
    known.push_back({kid, key, keys.private_keys.contains(kid), current.ok() && *current == kid});
  }
  return known;
}

absl::StatusOr<std::vector<KnownKey>> ReadTrustedKeys(const std::string& path) {
  if (sodium_init() < 0) return absl::InternalError("libsodium does not start");
  TIPSTAFF_ASSIGN_OR_RETURN(std::string text, base::ReadFile(path, kMaxTrustBytes));
  const auto bad = [&path](absl::string_view why) {
    return absl::InvalidArgumentError(absl::StrCat("`", path, "`: ", why));
  };
  const absl::StatusOr<json::Document> parsed = json::Parse(text);
  if (!parsed.ok()) return bad(absl::StrCat("not a JWK: ", parsed.status().message()));
  std::vector<std::string> jwks;
  if (const json::Value set = parsed->root().Find("keys"); set.is_array()) {
    for (json::Value one : set.items()) jwks.push_back(json::Dump(one));
  } else {
    jwks.push_back(text);
  }
  std::vector<KnownKey> keys;
  for (const std::string& jwk : jwks) {
    absl::StatusOr<ParsedJwk> key = ParseJwk(jwk);
    if (!key.ok()) return bad(key.status().message());
    sodium_memzero(key->seed.data(), key->seed.size());
    keys.push_back({key->kid, key->public_key});
  }
  sodium_memzero(text.data(), text.size());
  if (keys.empty()) return bad("it has no keys");
  return keys;
}

std::string JwksOf(const std::vector<KnownKey>& keys) {
  return absl::StrCat("{\"keys\":[",
                      absl::StrJoin(keys, ",",
                                    [](std::string* out, const KnownKey& one) {
                                      absl::StrAppend(out, ToPublicJwk(one.key));
                                    }),
                      "]}");
}

absl::Status RetireKey(const std::string& folder, const std::string& kid) {
  TIPSTAFF_ASSIGN_OR_RETURN(const std::vector<KnownKey> keys, ListKeys(folder));
  const auto key = std::find_if(keys.begin(), keys.end(),
                                [&kid](const KnownKey& one) { return one.kid == kid; });
  if (key == keys.end()) {
    return absl::NotFoundError(absl::StrCat("there is no key `", base::EscapeAndCut(kid, 60),
                                            "` in `", folder,
                                            "`; `tipstaff keys list` lists them"));
  }
  if (key->signs) {
    return absl::FailedPreconditionError(
        absl::StrCat("`", kid, "` is the key that signs; make another first: `tipstaff keys new`"));
  }
  return base::WriteFile(absl::StrCat(folder, "/", kid, kKeySuffix), ToPublicJwk(key->key), 0600);
}

absl::StatusOr<std::unique_ptr<KeyRing>> KeyRing::OpenOrCreate(const std::string& folder) {
  if (sodium_init() < 0) return absl::InternalError("libsodium does not start");
  TIPSTAFF_RETURN_IF_ERROR(MakeFolder(folder));
  TIPSTAFF_ASSIGN_OR_RETURN(Folder keys, ReadFolder(folder));
  if (keys.keys.empty()) {
    TIPSTAFF_RETURN_IF_ERROR(AddSigningKey(folder).status());
    TIPSTAFF_ASSIGN_OR_RETURN(keys, ReadFolder(folder));
  }
  TIPSTAFF_ASSIGN_OR_RETURN(const std::string current, CurrentKey(folder, keys));
  return std::make_unique<FolderKeyRing>(std::move(keys), current);
}

}  // namespace tipstaff::keys
