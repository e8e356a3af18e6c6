#include "mediator/cli/stub_save.h"

#include <filesystem>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "mediator/base/escape.h"
#include "mediator/base/file.h"
#include "mediator/base/status.h"
#include "mediator/cli/saved_test.h"

namespace tipstaff::cli {
namespace {

namespace fs = std::filesystem;

// Whether `path` is in or below `folder`.
bool IsBelow(const fs::path& path, const fs::path& folder) {
  std::error_code error;
  const fs::path relative = fs::relative(path, folder, error);
  return !error && !relative.empty() && *relative.begin() != "..";
}

}  // namespace

absl::StatusOr<SavedTest> SaveTest(const std::string& folder, const std::string& name,
                                   const StubSession& session) {
  const fs::path tests = fs::path(folder) / "tests";
  fs::path path = absl::StrContains(name, '/') ? fs::path(name) : tests / name;
  if (path.extension() != ".yaml") path += ".yaml";
  const std::string stem = path.stem().string();
  // Files that begin with a dot are no tests.
  if (stem.empty() || stem[0] == '.') {
    return absl::InvalidArgumentError(
        absl::StrCat("`", base::EscapeAndCut(name, 60), "` is no name for a file of tests"));
  }
  const std::string title = absl::StrReplaceAll(stem, {{"_", " "}, {"-", " "}});
  TIPSTAFF_ASSIGN_OR_RETURN(const std::string text, RenderTest(title, session));
  if (!absl::StrContains(name, '/')) {
    std::error_code error;
    fs::create_directories(tests, error);
    if (error) {
      return base::ErrnoToStatus(error.value(),
                                 absl::StrCat("cannot make `", base::Escape(tests.string()), "`"));
    }
  }
  const absl::Status created = base::CreateFile(path.string(), text);
  if (absl::IsAlreadyExists(created)) {
    return absl::AlreadyExistsError(
        absl::StrCat("`", base::Escape(path.string()), "` is there already: choose another name"));
  }
  TIPSTAFF_RETURN_IF_ERROR(created);
  return SavedTest{path.string(), IsBelow(path, tests)};
}

}  // namespace tipstaff::cli
