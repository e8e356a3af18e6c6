// Texts that an upstream was given and nobody else may see.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "mediator/json/document.h"

namespace tipstaff::upstream {

// Shorter ones are no secrets ("1", "debug"), and would be found everywhere.
inline constexpr size_t kMinSecretBytes = 6;

// Immutable; thread-safe. Finds each as it is written, escaped as in JSON, and in base64 of either
// alphabet, wherever it stands in what was encoded. No other encoding is seen.
class Secrets {
 public:
  // Of `Bearer TEXT`, TEXT by itself too.
  explicit Secrets(const std::vector<std::string>& texts = {});

  bool AreIn(absl::string_view text) const;
  // In any text or key of it, however JSON writes that.
  bool AreIn(json::Value value) const;
  // `text` with each of them replaced by "[secret]".
  std::string Mask(std::string text) const;
  // Of the forms that are looked for, in bytes; 0: there is none.
  size_t longest() const { return forms_.empty() ? 0 : forms_.front().size(); }

 private:
  void Add(const std::string& text);

  std::vector<std::string> forms_;  // the longest first, so that none is masked in part
};

}  // namespace tipstaff::upstream
