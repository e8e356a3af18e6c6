// Which characters a string may hold.
#pragma once

#include <optional>

#include "absl/strings/string_view.h"

namespace tipstaff::schema {

enum class TextMode : uint8_t {
  kLine,   // no control character, line or paragraph separator, bidirectional override
  kLines,  // as kLine, but line feed, tab and the separators may stand
  kAny,
};

std::optional<TextMode> ParseTextMode(absl::string_view name);  // "line", "lines", "any"
absl::string_view TextModeInWords(TextMode mode);

// The first code point of `text` (UTF-8) that `mode` refuses. Invalid UTF-8 is refused as U+FFFD.
std::optional<char32_t> FirstRefused(absl::string_view text, TextMode mode);

}  // namespace tipstaff::schema
