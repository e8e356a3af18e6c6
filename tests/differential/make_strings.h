// Texts that are near the edges of what keywords let through.
#pragma once

#include <string>
#include <vector>

#include "tests/differential/dice.h"

namespace tipstaff::differential {

struct PatternTexts {
  const char* pattern;             // means the same to ECMA-262, RE2 and std::regex
  std::vector<std::string> texts;  // that it matches
};
const std::vector<PatternTexts>& Patterns();
// Texts of a format, "" for none of these.
const std::vector<std::string>& TextsOfFormat(const std::string& format);
const std::vector<std::string>& Paths();
const std::vector<std::string>& Urls();
const std::vector<std::string>& Addresses();
// Names of members; some are not lines.
const std::vector<std::string>& Names();

// Any text; now and then one that some keyword refuses.
std::string AnyText(Dice& dice);
// The text with one thing about it changed.
std::string Changed(const std::string& text, Dice& dice);

}  // namespace tipstaff::differential
