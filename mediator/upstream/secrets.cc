#include "mediator/upstream/secrets.h"

#include <algorithm>

#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "mediator/json/write.h"

namespace tipstaff::upstream {
namespace {

// Base64 of `plain` wherever it stands in what is encoded: the digits that no neighbour changes.
void AddBase64(absl::string_view plain, std::vector<std::string>& forms) {
  for (size_t before = 0; before < 3; ++before) {
    const std::string padded = absl::StrCat(std::string(before, '\0'), plain);
    const size_t skipped = before == 0 ? 0 : before + 1;
    const size_t whole = padded.size() * 8 / 6;
    if (whole < skipped + kMinSecretBytes) continue;
    for (const std::string& encoded :
         {absl::Base64Escape(padded), absl::WebSafeBase64Escape(padded)}) {
      forms.push_back(encoded.substr(skipped, whole - skipped));
    }
  }
}

}  // namespace

Secrets::Secrets(const std::vector<std::string>& texts) {
  for (const std::string& text : texts) {
    Add(text);
    if (const size_t space = text.rfind(' '); space != std::string::npos) {
      Add(text.substr(space + 1));
    }
  }
  std::sort(forms_.begin(), forms_.end(), [](const std::string& a, const std::string& b) {
    return a.size() != b.size() ? a.size() > b.size() : a < b;
  });
  forms_.erase(std::unique(forms_.begin(), forms_.end()), forms_.end());
}

void Secrets::Add(const std::string& text) {
  if (text.size() < kMinSecretBytes) return;
  const std::string quoted = json::Quote(text);
  const std::string escaped = quoted.substr(1, quoted.size() - 2);
  for (const std::string& form : {text, escaped, absl::StrReplaceAll(escaped, {{"/", "\\/"}})}) {
    forms_.push_back(form);
  }
  AddBase64(text, forms_);
}

bool Secrets::AreIn(absl::string_view text) const {
  return std::any_of(forms_.begin(), forms_.end(),
                     [text](const std::string& form) { return absl::StrContains(text, form); });
}

bool Secrets::AreIn(json::Value value) const {
  if (forms_.empty()) return false;
  if (value.is_string()) return AreIn(value.string());
  for (json::Value item : value.items()) {
    if (AreIn(item)) return true;
  }
  for (const json::Member& member : value.members()) {
    if (AreIn(member.key) || AreIn(member.value)) return true;
  }
  return false;
}

std::string Secrets::Mask(std::string text) const {
  for (const std::string& form : forms_) absl::StrReplaceAll({{form, "[secret]"}}, &text);
  return text;
}

}  // namespace tipstaff::upstream
