#include "tests/repo/tree.h"

#include <filesystem>
#include <system_error>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "mediator/base/file.h"
#include "mediator/base/status.h"

namespace tipstaff::repo {
namespace {

bool IsLeftOut(const std::string& path) {
  const std::string name = std::filesystem::path(path).filename();
  return path == "build" || name == ".git" || name == "node_modules";
}

}  // namespace

absl::StatusOr<Tree> ReadTree(const std::string& root) {
  Tree tree;
  std::error_code error;
  std::filesystem::recursive_directory_iterator entry(root, error);
  if (error) return absl::NotFoundError(absl::StrCat("cannot list `", root, "`"));
  for (; entry != std::filesystem::recursive_directory_iterator(); entry.increment(error)) {
    const std::string path = std::filesystem::relative(entry->path(), root, error).string();
    if (error) return absl::UnknownError(absl::StrCat("cannot list `", root, "`"));
    if (IsLeftOut(path)) {
      entry.disable_recursion_pending();
    } else if (entry->symlink_status(error).type() == std::filesystem::file_type::regular) {
      TIPSTAFF_ASSIGN_OR_RETURN(tree[path], base::ReadFile(entry->path().string()));
    }
  }
  return tree;
}

std::string FolderOf(absl::string_view path) {
  const size_t slash = path.rfind('/');
  return std::string(slash == absl::string_view::npos ? "" : path.substr(0, slash));
}

bool IsTest(absl::string_view path) {
  return absl::EndsWith(path, "_test.cc") || absl::StrContains(path, "/testing/") ||
         absl::StartsWith(path, "tests/");
}

bool IsCpp(absl::string_view path) {
  return absl::EndsWith(path, ".cc") || absl::EndsWith(path, ".h");
}

}  // namespace tipstaff::repo
