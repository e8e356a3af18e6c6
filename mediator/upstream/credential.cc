#include "mediator/upstream/credential.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "mediator/base/file.h"

namespace tipstaff::upstream {
namespace {

absl::Status Problem(absl::string_view what) {
  return absl::FailedPreconditionError(absl::StrCat("its credential: ", what));
}

std::string PlaceOf(const config::SecretSource& from) {
  return from.variable.empty() ? absl::StrCat("`", from.file, "`")
                               : absl::StrCat("the variable `", from.variable, "`");
}

absl::StatusOr<std::string> ReadFrom(const config::SecretSource& from) {
  if (!from.variable.empty()) {
    const char* value = std::getenv(from.variable.c_str());
    if (value != nullptr) return std::string(value);
    return Problem(absl::StrCat("the variable `", from.variable,
                                "` is not set in the mediator's environment"));
  }
  struct stat status {};
  if (::stat(from.file.c_str(), &status) == 0 && (status.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    return Problem(absl::StrCat("`", from.file, "` can be read by others: chmod 600 it"));
  }
  absl::StatusOr<std::string> text = base::ReadFile(from.file);
  if (!text.ok()) return Problem(text.status().message());
  while (!text->empty() && (text->back() == '\n' || text->back() == '\r')) text->pop_back();
  return text;
}

}  // namespace

absl::StatusOr<Secret> ReadSecret(const config::Credential& credential) {
  absl::StatusOr<std::string> plain = ReadFrom(credential.from);
  if (!plain.ok()) return plain.status();
  if (plain->empty()) return Problem(absl::StrCat(PlaceOf(credential.from), " is empty"));
  const bool clean = std::all_of(plain->begin(), plain->end(), [](char c) {
    return static_cast<unsigned char>(c) >= 0x20 && c != 0x7f;
  });
  if (!clean) {
    return Problem(absl::StrCat(PlaceOf(credential.from), " has a control character in it"));
  }
  Secret secret{credential.name, absl::StrReplaceAll(credential.format, {{"{}", *plain}}), Secrets()};
  secret.texts = Secrets({secret.value, *plain});
  return secret;
}

}  // namespace tipstaff::upstream
