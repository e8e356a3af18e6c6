#include "mediator/source/read.h"

#include <filesystem>

#include "absl/strings/str_cat.h"
#include "mediator/base/file.h"
#include "mediator/source/codes.h"

namespace tipstaff::source {

std::shared_ptr<const File> ReadSource(const std::string& path, Diagnostics& diagnostics) {
  const auto refuse = [&](const char* code, std::string message) {
    diagnostics.push_back({.code = code,
                           .message = std::move(message),
                           .file = std::make_shared<File>(File{.path = path})});
    return nullptr;
  };
  std::error_code unknown;
  const uintmax_t bytes = std::filesystem::file_size(path, unknown);
  if (!unknown && bytes > kMaxFileBytes) {
    return refuse(kTooLarge, absl::StrCat("the file has ", bytes, " bytes, more than the ",
                                          kMaxFileBytes, " that are read"));
  }
  absl::StatusOr<std::string> text = base::ReadFile(path, kMaxFileBytes);
  if (!text.ok()) return refuse(kUnreadable, std::string(text.status().message()));
  return std::make_shared<File>(File{.path = path, .text = *std::move(text)});
}

}  // namespace tipstaff::source
