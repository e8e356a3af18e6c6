#include "mediator/upstream/stdio_view.h"

#include <cstdlib>
#include <filesystem>
#include <map>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "mediator/base/status.h"
#include "mediator/confine/places.h"
#include "mediator/confine/view.h"

namespace tipstaff::upstream {
namespace {

namespace fs = std::filesystem;

constexpr char kPath[] = "/usr/local/bin:/usr/bin:/bin";

bool HasNul(absl::string_view text) { return text.find('\0') != absl::string_view::npos; }

bool IsVariableName(absl::string_view name) {
  for (const char c : name) {
    if (!absl::ascii_isalnum(c) && c != '_') return false;
  }
  return !name.empty() && !absl::ascii_isdigit(name[0]);
}

// As it is written, without `.`, `..` and a slash at its end.
fs::path Plain(const std::string& folder) {
  const fs::path plain = fs::path(folder).lexically_normal();
  return plain.has_filename() ? plain : plain.parent_path();
}

absl::Status CheckRead(const std::string& folder) {
  const fs::path path(folder);
  if (!path.is_absolute() || HasNul(folder)) {
    return absl::InvalidArgumentError(
        absl::StrCat("`", base::Escape(folder), "` is not an absolute path of a folder to read"));
  }
  const fs::path whole = confine::Resolved(folder);
  if (whole == whole.root_path()) {
    return absl::InvalidArgumentError(
        "an upstream may not read all of `/`: name the folders that it needs");
  }
  for (const char* kernel : {"/proc", "/dev", "/sys"}) {
    if (confine::IsInside(whole, kernel) || confine::IsInside(Plain(folder), kernel)) {
      return absl::InvalidArgumentError(absl::StrCat(
          "an upstream may not read `", base::Escape(folder), "`: ", kernel, " leads to the host"));
    }
  }
  if (std::error_code error; !fs::exists(path, error)) {
    return absl::NotFoundError(
        absl::StrCat("`", base::Escape(folder), "`, which the upstream may read, is not there"));
  }
  return absl::OkStatus();
}

// Whether a folder of the view would show one of the hidden paths. A folder to read may not lie in
// a hidden one either.
absl::Status CheckApart(const StdioOptions& options) {
  for (const std::string& hidden : options.hidden) {
    const fs::path path = confine::Resolved(hidden);
    for (const std::string& folder : options.read) {
      const fs::path whole = confine::Resolved(folder);
      if (confine::IsInside(path, whole) || confine::IsInside(whole, path)) {
        return absl::FailedPreconditionError(absl::StrCat("`", base::Escape(folder),
                                                          "` would show `", base::Escape(hidden),
                                                          "` to the upstream: leave it out"));
      }
    }
    if (confine::IsInside(path, confine::Resolved(options.scratch))) {
      return absl::FailedPreconditionError(
          absl::StrCat("the scratch folder would show `", base::Escape(hidden),
                       "` to the upstream: change its place in tipstaff.yaml"));
    }
  }
  return absl::OkStatus();
}

std::map<std::string, std::string> Variables(const StdioOptions& options) {
  const char* path = options.unconfined ? std::getenv("PATH") : nullptr;
  const std::string scratch = options.unconfined ? options.scratch : kConfinedScratch;
  std::map<std::string, std::string> variables = {{"PATH", path != nullptr ? path : kPath},
                                                  {"HOME", scratch},
                                                  {"TMPDIR", scratch},
                                                  {"LANG", "C.UTF-8"}};
  for (const auto& [name, value] : options.environment) variables[name] = value;
  return variables;
}

}  // namespace

absl::Status CheckStdioOptions(const StdioOptions& options) {
  if (options.command.empty() || options.command[0].empty()) {
    return absl::InvalidArgumentError("there is no command to start the upstream with");
  }
  for (const std::string& argument : options.command) {
    if (HasNul(argument)) {
      return absl::InvalidArgumentError("an argument of the upstream's command has a NUL");
    }
  }
  for (const auto& [name, value] : options.environment) {
    if (!IsVariableName(name)) {
      return absl::InvalidArgumentError(
          absl::StrCat("`", base::Escape(name), "` is not the name of an environment variable"));
    }
    if (HasNul(value)) {
      return absl::InvalidArgumentError(
          absl::StrCat("the value of the environment variable `", name, "` has a NUL"));
    }
  }
  if (options.unconfined) return absl::OkStatus();
  for (const std::string& folder : options.read) TIPSTAFF_RETURN_IF_ERROR(CheckRead(folder));
  return absl::OkStatus();
}

std::vector<std::string> EnvironmentOf(const StdioOptions& options) {
  std::vector<std::string> environment;
  for (const auto& [name, value] : Variables(options)) {
    environment.push_back(absl::StrCat(name, "=", value));
  }
  return environment;
}

absl::StatusOr<std::vector<std::string>> ViewOf(const StdioOptions& options,
                                                ViewDescriptors descriptors) {
  TIPSTAFF_RETURN_IF_ERROR(CheckStdioOptions(options));
  TIPSTAFF_RETURN_IF_ERROR(confine::CheckHidden(options.hidden));
  TIPSTAFF_RETURN_IF_ERROR(CheckApart(options));
  std::vector<std::string> view = confine::ViewOptions(options.network);
  const auto add = [&view](std::initializer_list<std::string> more) {
    view.insert(view.end(), more);
  };
  // The view's first process holds the lock too: as long as it lives, and with it all others, the
  // lock is not free, whatever these close.
  add({"--sync-fd", absl::StrCat(descriptors.lock), "--info-fd", absl::StrCat(descriptors.info)});
  for (const std::string& folder : options.read) {
    const std::string plain = Plain(folder).string();
    if (!confine::IsInside(plain, "/usr")) add({"--ro-bind", plain, plain});
  }
  add({"--bind", options.scratch, kConfinedScratch});
  add({"--chdir", options.read.empty() ? kConfinedScratch : Plain(options.read[0]).string()});
  for (const auto& [name, value] : Variables(options)) add({"--setenv", name, value});
  return view;
}

}  // namespace tipstaff::upstream
