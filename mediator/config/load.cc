#include <algorithm>
#include <filesystem>

#include "absl/strings/str_cat.h"
#include "mediator/base/units.h"
#include "mediator/config/codes.h"
#include "mediator/config/config.h"
#include "mediator/config/people.h"
#include "mediator/config/reader.h"
#include "mediator/config/shape.h"
#include "mediator/config/upstreams.h"
#include "mediator/json/write.h"
#include "mediator/source/read.h"

namespace tipstaff::config {
namespace {

using internal::Reader;

// "/run_abcdefghijkl/guest.sock" follows the folder of the runs.
constexpr size_t kRunSocketBytes = sizeof "/run_abcdefghijkl/guest.sock" - 1;

void CheckSocketPath(json::Value at, absl::string_view what, const std::string& path,
                     size_t more_bytes, Reader& reader) {
  if (path.size() + more_bytes <= kMaxSocketPathBytes) return;
  const std::string message =
      absl::StrCat("the path for ", what, " has ", path.size() + more_bytes, " bytes, and a Unix ",
                   "socket's holds ", kMaxSocketPathBytes);
  reader.Error(at, kPathTooLong, message, "choose a shorter folder");
}

void LoadFirecracker(json::Value value, Reader& reader, Config& config) {
  if (!value.exists() || !reader.IsMapping(value, "`firecracker`", kFirecrackerKeys)) return;
  if (!value.Find("dir").exists()) {
    reader.ErrorAtKey(value, kMissingKey, "`firecracker` needs `dir`");
  }
  const std::optional<std::string> dir = reader.Path(value, "dir");
  const std::optional<uint32_t> port = reader.Port(value, "firecracker");
  if (dir && port) config.firecracker = Firecracker{.dir = *dir, .port = *port};
}

void LoadChannels(json::Value channels, Reader& reader, Config& config) {
  if (!channels.exists() || !reader.IsMapping(channels, "`channels`", kChannelKeys)) return;
  if (const auto runs = reader.Path(channels, "runs")) config.runs_dir = *runs;
  LoadFirecracker(channels.Find("firecracker"), reader, config);
  const json::Value vsock = channels.Find("vsock");
  if (vsock.exists() && reader.IsMapping(vsock, "`vsock`", kVsockKeys)) {
    config.vsock_port = reader.Port(vsock, "vsock");
  }
}

void LoadFolders(json::Value root, absl::string_view key, Reader& reader,
                 std::vector<std::string>& folders) {
  const std::optional<std::vector<std::string>> given = reader.Texts(root, key);
  if (!given) return;
  if (given->empty()) {
    reader.Error(root.Find(key), kBadValue, absl::StrCat("`", key, "` is empty"),
                 "leave it out for the folder of that name");
  }
  folders.clear();
  for (const std::string& folder : *given) {
    std::string resolved = reader.Resolve(folder);
    if (std::find(folders.begin(), folders.end(), resolved) != folders.end()) {
      reader.Error(root.Find(key), kTwice, absl::StrCat("`", resolved, "` is listed twice"),
                   "remove one");
      continue;
    }
    folders.push_back(std::move(resolved));
  }
}

// What holds for keys that are left out.
Config Initial(const Reader& reader) {
  Config config;
  config.runs_dir = reader.Resolve("run");
  config.admin_socket = reader.Resolve("run/admin.sock");
  config.ledger = reader.Resolve("tipstaff.db");
  config.keys_dir = reader.Resolve("keys");
  config.policies = {reader.Resolve("policies")};
  config.stubs = {reader.Resolve("stubs")};
  return config;
}

uint64_t LoadRunBudget(json::Value root, Reader& reader) {
  const json::Value value = root.Find("run_budget");
  if (!value.exists()) return kDefaultRunBudget;
  const auto size =
      base::ParseBytes(value.is_string() ? std::string(value.string()) : json::Dump(value));
  if (size.ok() && *size >= kMinRunBudget) return *size;
  reader.Error(value, size.ok() || value.is_string() ? kBadValue : kWrongType,
               "`run_budget` takes a size of at least 1MiB", "for instance 256MiB");
  return kDefaultRunBudget;
}

Config Read(json::Value root, Reader& reader) {
  Config config = Initial(reader);
  if (!reader.IsMapping(root, "tipstaff.yaml", kFileKeys)) return config;
  LoadChannels(root.Find("channels"), reader, config);
  if (const auto admin = reader.Path(root, "admin")) config.admin_socket = *admin;
  if (const auto ledger = reader.Path(root, "ledger")) config.ledger = *ledger;
  if (const auto keys = reader.Path(root, "keys")) config.keys_dir = *keys;
  LoadFolders(root, "policies", reader, config.policies);
  LoadFolders(root, "stubs", reader, config.stubs);
  config.run_budget = LoadRunBudget(root, reader);
  config.people = internal::LoadPeople(root.Find("people"), reader);
  internal::LoadUpstreams(root.Find("upstreams"), reader, config);
  const json::Value runs = root.Find("channels").Find("runs"), admin = root.Find("admin");
  CheckSocketPath(runs.exists() ? runs : root, "the sockets of runs", config.runs_dir,
                  kRunSocketBytes, reader);
  CheckSocketPath(admin.exists() ? admin : root, "the admin socket", config.admin_socket, 0,
                  reader);
  return config;
}

// `folder` of the working folder where it is.
std::vector<std::string> Here(const std::string& folder) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(folder, ignored)) return {};
  return {folder};
}

}  // namespace

std::optional<Config> Load(const std::string& path, source::Diagnostics& diagnostics) {
  const std::shared_ptr<const source::File> file = source::ReadSource(path, diagnostics);
  if (file == nullptr) return std::nullopt;
  const std::optional<source::Document> document = source::ParseYaml(file, diagnostics);
  if (!document) return std::nullopt;
  source::Diagnostics found;
  Reader reader(*document, found);
  Config config = Read(document->root(), reader);
  config.path = path;
  config.text = file->text;
  diagnostics.insert(diagnostics.end(), found.begin(), found.end());
  if (source::HasErrors(found)) return std::nullopt;
  return config;
}

Config Defaults(const std::string& state_dir, const std::string& share_dir) {
  return {.runs_dir = absl::StrCat(state_dir, "/run"),
          .admin_socket = absl::StrCat(state_dir, "/run/admin.sock"),
          .ledger = absl::StrCat(state_dir, "/tipstaff.db"),
          .keys_dir = absl::StrCat(state_dir, "/keys"),
          .policies = Here("policies"),
          .stubs = Here("stubs"),
          .shipped_policies = absl::StrCat(share_dir, "/policies"),
          .shipped_stubs = absl::StrCat(share_dir, "/stubs")};
}

}  // namespace tipstaff::config
