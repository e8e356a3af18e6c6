#include "mediator/upstream/credential.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "mediator/base/file.h"
#include "mediator/json/write.h"

namespace tipstaff::upstream {
namespace {

// Shorter ones stand in other texts by chance.
constexpr size_t kLeastSought = 6;

// Base64 of `plain` wherever it stands in what is encoded: the digits that no neighbour changes.
void AddBase64(absl::string_view plain, std::vector<std::string>& forms) {
  for (size_t before = 0; before < 3; ++before) {
    const std::string padded = absl::StrCat(std::string(before, '\0'), plain);
    for (std::string encoded : {absl::Base64Escape(padded), absl::WebSafeBase64Escape(padded)}) {
      const size_t skipped = before == 0 ? 0 : before + 1;
      const size_t whole = padded.size() * 8 / 6;
      if (whole <= skipped + kLeastSought) continue;
      forms.push_back(encoded.substr(skipped, whole - skipped));
    }
  }
}

std::vector<std::string> FormsOf(const std::string& plain) {
  if (plain.size() < kLeastSought) return {};
  std::vector<std::string> forms = {plain};
  const std::string quoted = json::Quote(plain);
  forms.push_back(quoted.substr(1, quoted.size() - 2));
  AddBase64(plain, forms);
  // The longest first, so that none is masked in part.
  std::sort(forms.begin(), forms.end(), [](const std::string& a, const std::string& b) {
    return a.size() != b.size() ? a.size() > b.size() : a < b;
  });
  forms.erase(std::unique(forms.begin(), forms.end()), forms.end());
  return forms;
}

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

bool Secret::IsIn(absl::string_view text) const {
  const std::vector<std::string> forms = FormsOf(plain);
  return std::any_of(forms.begin(), forms.end(),
                     [text](const std::string& form) { return absl::StrContains(text, form); });
}

std::string Secret::Mask(std::string text) const {
  for (const std::string& form : FormsOf(plain)) {
    absl::StrReplaceAll({{form, "[secret]"}}, &text);
  }
  return text;
}

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
  return Secret{credential.name, absl::StrReplaceAll(credential.format, {{"{}", *plain}}),
                *std::move(plain)};
}

}  // namespace tipstaff::upstream
