// Texts that an upstream was given and nobody else may see.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"

namespace tipstaff::upstream {

// Shorter ones are no secrets ("1", "debug"), and would be found everywhere.
inline constexpr size_t kMinSecretBytes = 8;

// Immutable. Finds them as they are written, and with slashes escaped as some write them in JSON;
// in no other encoding.
class Secrets {
 public:
  // Of `Bearer TEXT`, TEXT by itself too.
  explicit Secrets(const std::vector<std::string>& texts = {}) {
    for (const std::string& text : texts) {
      Add(text);
      if (const size_t space = text.rfind(' '); space != std::string::npos) {
        Add(text.substr(space + 1));
      }
    }
  }

  bool AreIn(absl::string_view text) const {
    return std::any_of(texts_.begin(), texts_.end(), [text](const std::string& secret) {
      return absl::StrContains(text, secret);
    });
  }
  // In bytes; 0: there is none.
  size_t longest() const {
    size_t longest = 0;
    for (const std::string& text : texts_) longest = std::max(longest, text.size());
    return longest;
  }

 private:
  void Add(std::string text) {
    if (text.size() < kMinSecretBytes) return;
    if (absl::StrContains(text, '/')) {
      texts_.push_back(absl::StrReplaceAll(text, {{"/", "\\/"}}));
    }
    texts_.push_back(std::move(text));
  }
  std::vector<std::string> texts_;
};

}  // namespace tipstaff::upstream
