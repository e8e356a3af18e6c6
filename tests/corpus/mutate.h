// Every single change of a document that a person could make by mistake.
#pragma once

#include <string>
#include <vector>

#include "mediator/json/document.h"

namespace tipstaff::corpus {

struct Mutation {
  std::string what;  // "/permissions/0/id misspelt"
  std::string text;  // JSON, which is YAML too
};

// For each key: misspelt, left out, and its value replaced by one of each other kind; for each item
// of a list the last two.
std::vector<Mutation> MutationsOf(json::Value root);

}  // namespace tipstaff::corpus
