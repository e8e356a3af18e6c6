// Whether arguments carry a planted text out, as docs/policy-language.md has it: plain, escaped, in
// hex or base64, in these within one another to three levels, and backwards as a whole.
//
// Of characters outside ASCII it knows those of IsKnown() (texts.h) and a few more that are no
// letters. What others are made of takes Unicode's tables: where a text would be one with another
// letter, or none, in the place of one or two such, it is not said.
#pragma once

#include <string>
#include <vector>

#include "mediator/json/document.h"

namespace tipstaff::reference {

enum class Carries { kNo, kPerhaps, kYes };

Carries CarriesOut(const std::vector<std::string>& canaries, json::Value arguments);

}  // namespace tipstaff::reference
