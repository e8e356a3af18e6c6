// Planted texts: what hostile content may ask an agent to carry out, put where an agent will read
// it so that its way out shows.
#pragma once

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "mediator/json/document.h"
#include "mediator/policy/planted.h"

namespace tipstaff::policy {

struct Sighting {
  std::string pointer;  // of the argument; "" for one that is spread over several
  size_t canary = 0;    // its number, from 0
  std::string form;     // "as it is", "in base64", "in base64, in hex"
  bool certain = true;  // false: there is more to look through than is looked through
};

// Finds planted texts in arguments: plain, in another case or width, with or without accents, split
// by spaces, punctuation or over several values in their order, escaped (escapes.h), in hex or
// base64 of UTF-8 or UTF-16, whatever stands between the digits, and in these within one another to
// three levels; each of that backwards as a whole, too. Not what is compressed, encrypted, put in
// other words, encoded piece by piece, or split over names and values. What was decoded is text
// where no two bytes in a row are none: a planted text is not found by chance. The work has an end.
// Immutable and thread-safe.
class Canaries {
 public:
  // InvalidArgument for one that has fewer than 8 letters and digits, or is over 256 bytes, and for
  // the 17th.
  absl::Status Add(absl::string_view planted);

  bool empty() const { return planted_.size() == 0; }
  std::optional<Sighting> FindIn(json::Value arguments) const;

 private:
  internal::Planted planted_;
};

}  // namespace tipstaff::policy
