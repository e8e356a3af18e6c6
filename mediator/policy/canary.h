// Planted texts: what hostile content may ask an agent to carry out, put where an agent will read
// it so that its way out shows.
#pragma once

#include <atomic>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "mediator/json/document.h"
#include "mediator/policy/planted.h"

namespace tipstaff::policy {

// Bytes looked through in all, for every reading of the arguments anew, before it is not certain
// any more: more than everyday content of the greatest size takes (canary_everyday_test.cc), and
// some five seconds' work.
inline constexpr size_t kMostCanaryWork = 256 << 20;

struct Sighting {
  std::string pointer;  // of the argument; "" for one that is spread over several
  size_t canary = 0;    // its number, from 0
  std::string form;     // "as it is", "in base64", "in base64, in hex"
  bool certain = true;  // false: there is more to look through than is looked through
};

// What a search of some arguments came to. Made by a search alone: that nothing was found must not
// be said of what nobody looked through.
class CanaryResult {
 public:
  const std::optional<Sighting>& sighting() const { return sighting_; }

 private:
  friend class Canaries;
  explicit CanaryResult(std::optional<Sighting> sighting) : sighting_(std::move(sighting)) {}

  std::optional<Sighting> sighting_;
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
  CanaryResult Search(json::Value arguments) const;
  // The same, and nothing where it takes more than so much work, or `given_up` is set meanwhile.
  std::optional<CanaryResult> SearchWithin(size_t work, json::Value arguments,
                                           const std::atomic<bool>* given_up = nullptr) const;
  std::optional<Sighting> FindIn(json::Value arguments) const {
    return Search(arguments).sighting();
  }

 private:
  struct Found;
  Found Find(json::Value arguments, size_t most_work, const std::atomic<bool>* given_up) const;

  internal::Planted planted_;
};

}  // namespace tipstaff::policy
