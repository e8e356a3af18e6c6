// Bytes that were decoded from a text, read as text again.
#pragma once

#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "mediator/policy/text_scan.h"

namespace tipstaff::policy::internal {

// Bytes are read as UTF-8, and those that were decoded also as UTF-16 of either order, from either
// byte on.
enum class ReadAs { kUtf8, kAnything };

// Scans of the same bytes at one place of them.
struct Scans {
  explicit Scans(const Planted& planted)
      : utf8(planted),
        utf16{{planted, false, 0}, {planted, true, 0}, {planted, false, 1}, {planted, true, 1}} {}

  Utf8Scan utf8;
  Utf16Scan utf16[4];
};

// Of one search: what was looked through already. The readings of a text have long stretches in
// common, which are looked through once: a stretch is known by its bytes and by all that the scans
// know before it. Thread-compatible.
class DecodedText {
 public:
  // `too_much` is asked before so many bytes are looked through.
  DecodedText(const Planted& planted, absl::FunctionRef<bool(size_t bytes)> too_much)
      : planted_(planted), too_much_(too_much) {}

  // Whether the search is over: `looking` says what of. `levels` is what its `look` depends on.
  bool Any(absl::string_view bytes, ReadAs as, int levels, const Looking& looking);

 private:
  static constexpr size_t kMostBytes = 32 << 20;

  bool TakeStretch(absl::string_view bytes, size_t begin, size_t end, ReadAs as, int levels,
                   const Looking& looking, Scans& scans);

  const Planted& planted_;
  absl::FunctionRef<bool(size_t)> too_much_;
  // The scans after a stretch, as if it began at 0, by what KeyOf() says of it.
  absl::flat_hash_map<std::string, Scans> after_;
  size_t bytes_ = 0;
};

// Of a text that holds characters as if they were bytes (controls, U+0080 to U+00FF): those bytes.
// Empty for any other text.
std::string CharactersAsBytes(absl::string_view text);

// Of bytes that are UTF-8 but for some: with each of those as the character of Latin-1 that it is.
// Empty for UTF-8.
std::string BytesAsCharacters(absl::string_view bytes);

}  // namespace tipstaff::policy::internal
