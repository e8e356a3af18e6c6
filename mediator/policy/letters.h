// What readers and decoders make of a character, whatever its case, width, style or accents: from
// Unicode's tables.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "mediator/base/utf8.h"

namespace tipstaff::policy::internal {

// Immutable and thread-safe.
class Letters {
 public:
  static const Letters& Get();  // made when first asked for, which takes some milliseconds

  // The letters and digits of any script that `c` is made of, folded and without marks: `s` and `s`
  // for U+00DF, none for a space.
  absl::Span<const uint32_t> Of(uint32_t c) const {
    if (c >= kKept) return {};
    const uint32_t& kept = letters_[c];
    return kept < kSeveral ? absl::MakeConstSpan(&kept, kept == 0 ? 0 : 1)
                           : several_.find(c)->second;
  }

  // The ASCII that `c` becomes in compatibility form (NFKC): `A` for a full-width one. Empty for
  // what becomes, or stays, anything else; ASCII is what it is.
  absl::string_view Ascii(uint32_t c) const {
    if (c >= kKept || ascii_[c] == '\0') return "";
    return ascii_[c] != kLonger ? absl::string_view(&ascii_[c], 1) : longer_.find(c)->second;
  }

 private:
  static constexpr uint32_t kKept = 0x40000;  // the planes with letters
  static constexpr uint32_t kSeveral = 0x110000;
  static constexpr char kLonger = '\x80';

  Letters();
  void Keep(uint32_t c);

  std::vector<uint32_t> letters_;  // by character: 0 for none
  absl::flat_hash_map<uint32_t, std::vector<uint32_t>> several_;
  std::vector<char> ascii_;  // by character: '\0' for none
  absl::flat_hash_map<uint32_t, std::string> longer_;
};

// base::FirstCodePoint(), quicker where most are ASCII.
inline base::CodePoint NextCodePoint(absl::string_view text) {
  const uint8_t byte = static_cast<uint8_t>(text[0]);
  return byte < 0x80 ? base::CodePoint{byte, 1, true} : base::FirstCodePoint(text);
}

// As UTF-8; nothing for what is no character.
void AppendCharacter(uint32_t c, std::string& out);

// `text`, which is UTF-8, with what has an Ascii() form in that.
std::string InAscii(absl::string_view text);

}  // namespace tipstaff::policy::internal
