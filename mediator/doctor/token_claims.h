// What a run token says, taken at its word: nothing of it is verified here, and only the mediator
// that made it can.
#pragma once

#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace tipstaff::doctor {

struct TokenClaims {
  std::string type;  // of the header: "tipstaff-run+jwt"
  std::string run;
  absl::Time issued;
  absl::Time expires;
};

// Nullopt for what is no token of Tipstaff's (docs/tokens.md).
std::optional<TokenClaims> ReadClaims(absl::string_view token);

// Whether a JSON Web Token of any kind stands at the beginning of `text`.
bool LooksLikeToken(absl::string_view text);

}  // namespace tipstaff::doctor
