// Reading a stub's folder.
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "mediator/base/file.h"
#include "mediator/base/status.h"
#include "mediator/base/units.h"
#include "stubs/engine/limits.h"
#include "stubs/engine/stub.h"

namespace tipstaff::engine {
namespace {

bool BelongsToStub(absl::string_view path) {
  if (path == "stub.yaml") return true;
  for (const absl::string_view folder : {"schema/", "fixtures/", "replies/"}) {
    if (absl::StartsWith(path, folder)) return true;
  }
  return absl::EndsWith(path, ".lua") && path.find('/') == absl::string_view::npos;
}

}  // namespace

absl::StatusOr<StubFiles> ReadStubFiles(const std::string& folder) {
  TIPSTAFF_ASSIGN_OR_RETURN(const std::vector<std::string> paths, base::ListFiles(folder));
  StubFiles stub{folder, {}};
  size_t bytes = 0;
  for (const std::string& path : paths) {
    if (!BelongsToStub(path)) continue;
    TIPSTAFF_ASSIGN_OR_RETURN(std::string content,
                              base::ReadFile(absl::StrCat(folder, "/", path), kMaxFileBytes));
    bytes += content.size();
    if (bytes > kMaxFilesBytes) {
      return absl::FailedPreconditionError(absl::StrCat(
          "the files of stub `", folder, "` are larger than ", base::ShowBytes(kMaxFilesBytes)));
    }
    stub.files.emplace(path, std::move(content));
  }
  if (!stub.files.contains("stub.yaml")) {
    return absl::NotFoundError(absl::StrCat("no stub.yaml in `", folder, "`"));
  }
  return stub;
}

}  // namespace tipstaff::engine
