// Planted texts, and the forms in which a call may carry them out.
#pragma once

#include <string>
#include <vector>

#include "tests/differential/dice.h"
#include "tests/differential/tree.h"

namespace tipstaff::differential {

// Of characters outside ASCII they have only what tests/reference/texts.h knows, and so have their
// forms.
const std::vector<std::string>& PlantedTexts();

// Puts the text somewhere into the arguments: in some form that is found, or in one that nearly is.
void Plant(const std::string& text, Dice& dice, Tree& arguments);

}  // namespace tipstaff::differential
