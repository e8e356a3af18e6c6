// Texts in a configuration that somebody wrote for a shell, and the client passes on as they are.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "mediator/clients/client.h"

namespace tipstaff::clients {

// The value of a variable of the client's environment, as far as it is known: this program's.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;

struct Expanded {
  std::string text;        // with what the client replaces replaced, as far as that is known
  std::string unexpanded;  // the first thing that arrives as it is written: "$HOME", "~"; "": none
  std::string unset;       // the first variable that it would replace and that is not set; "": none
  bool is_known = true;    // false: something else than a variable of the environment was replaced
};

// As the client reads the `text` of a command, argument or address.
Expanded Expand(const Client& client, absl::string_view text, const Environment& environment);

}  // namespace tipstaff::clients
