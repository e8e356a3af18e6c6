// An argument that holds more than is looked through for planted texts.
#pragma once

#include <iterator>
#include <random>
#include <string>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"

namespace tipstaff::policy {

// Many short texts in base64, after one another with digits between that may be none: each reading
// of them is another one. Of ASCII and full-width digits; a backslash of JSON is none of it.
inline std::string LaboriousText() {
  constexpr const char* kBetween[] = {" ", "-", "%25 ", "&amp;", "/x_", "\u00b2 ", "+0x1f "};
  std::mt19937 random(9);
  std::string text;
  while (text.size() < 240'000) {
    std::string words;
    while (words.size() < 600) {
      const size_t letters = 1 + random() % 7;
      for (size_t i = 0; i < letters; ++i) words += static_cast<char>('a' + random() % 26);
      words += kBetween[random() % std::size(kBetween)];
    }
    absl::StrAppend(&text, absl::Base64Escape(words), "\uff11-+0x%5c01 ");
  }
  return text;
}

}  // namespace tipstaff::policy
