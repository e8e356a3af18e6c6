#include "mediator/config/folders.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "mediator/base/escape.h"

namespace tipstaff::config {
namespace {

namespace fs = std::filesystem;

// Where to look for one kind: all of `folders`, and in `shipped` for what none of them has.
struct Places {
  const std::vector<std::string>& folders;
  const std::string& shipped;

  std::vector<std::string> All() const {
    std::vector<std::string> all = folders;
    if (!shipped.empty()) all.push_back(shipped);
    return all;
  }
};

struct Kind {
  const char* noun;
  const char* file;
  const char* key;  // in tipstaff.yaml
};
constexpr Kind kSkill = {"skill", "skill.yaml", "policies"};
constexpr Kind kStub = {"stub", "stub.yaml", "stubs"};

// A name is one part of a path and never leads out of the folder.
bool IsName(absl::string_view name) {
  return !name.empty() && name.size() <= 64 && name[0] != '.' &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return absl::ascii_isalnum(c) || c == '_' || c == '-' || c == '.';
         });
}

bool Has(const std::string& folder, absl::string_view name, const Kind& kind) {
  std::error_code ignored;
  const fs::path file = fs::path(folder) / std::string(name) / kind.file;
  // What is there and cannot be read as a file is said when it is read, not passed over.
  return fs::exists(fs::symlink_status(file, ignored)) && !fs::is_directory(file, ignored);
}

std::vector<std::string> List(const std::vector<std::string>& folders, const Kind& kind) {
  std::set<std::string> names;
  for (const std::string& folder : folders) {
    std::error_code error;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
      const std::string name = it->path().filename().string();
      if (IsName(name) && Has(folder, name, kind)) names.insert(name);
    }
  }
  return {names.begin(), names.end()};
}

absl::Status NotFound(const std::vector<std::string>& folders, absl::string_view name,
                      const Kind& kind) {
  const std::vector<std::string> names = List(folders, kind);
  const std::string nearest = source::NearestName(name, names);
  std::string advice;
  if (!nearest.empty()) {
    advice = absl::StrCat("did you mean `", nearest, "`?");
  } else if (names.empty()) {
    advice = absl::StrCat("no folder there has a ", kind.file, "; `", kind.key,
                          "` of tipstaff.yaml says where to look");
  } else {
    advice = absl::StrCat("there is `", absl::StrJoin(names, "`, `"), "`");
  }
  return absl::NotFoundError(absl::StrCat("no ", kind.noun, " `", name, "` in `",
                                          absl::StrJoin(folders, "`, `"), "`: ", advice));
}

absl::StatusOr<std::string> Find(const Places& places, absl::string_view name, const Kind& kind) {
  if (!IsName(name)) {
    return absl::InvalidArgumentError(
        absl::StrCat("`", base::EscapeAndCut(name, 60), "` cannot name a ", kind.noun,
                     ": expected 1 to 64 letters, digits, `_`, `-` and `.`"));
  }
  std::vector<std::string> found;
  for (const std::string& folder : places.folders) {
    if (Has(folder, name, kind)) found.push_back(absl::StrCat(folder, "/", name));
  }
  if (found.empty() && !places.shipped.empty() && Has(places.shipped, name, kind)) {
    found.push_back(absl::StrCat(places.shipped, "/", name));
  }
  if (found.empty()) return NotFound(places.All(), name, kind);
  if (found.size() == 1) return absl::StrCat(found[0], "/", kind.file);
  return absl::InvalidArgumentError(absl::StrCat(kind.noun, " `", name, "` is in `",
                                                 absl::StrJoin(found, "` and `"),
                                                 "`: rename or remove one"));
}

Places SkillPlaces(const Config& config) { return {config.policies, config.shipped_policies}; }
Places StubPlaces(const Config& config) { return {config.stubs, config.shipped_stubs}; }

}  // namespace

absl::StatusOr<std::string> FindSkill(const Config& config, absl::string_view name) {
  return Find(SkillPlaces(config), name, kSkill);
}

absl::StatusOr<std::string> FindStub(const Config& config, absl::string_view name) {
  return Find(StubPlaces(config), name, kStub);
}

std::vector<std::string> ListSkills(const Config& config) {
  return List(SkillPlaces(config).All(), kSkill);
}

std::vector<std::string> ListStubs(const Config& config) {
  return List(StubPlaces(config).All(), kStub);
}

}  // namespace tipstaff::config
