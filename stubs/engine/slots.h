// Planted text: where a rehearsal puts hostile instructions or a canary into what a stub holds.
#pragma once

#include <map>
#include <set>
#include <string>

#include "absl/status/statusor.h"
#include "mediator/json/document.h"

namespace tipstaff::engine {

using SlotTexts = std::map<std::string, std::string>;  // by the slot's name

// A copy of `row` in which every "${slot:NAME}" inside a text (not a key) is replaced by the slot's
// text. What is put in is not looked at again. Adds the names that occur to `used`. NotFound, with
// the name as its message, for a slot that is not in `texts`; InvalidArgument for a "${slot:"
// without its brace.
absl::StatusOr<json::Document> FillSlots(json::Value row, const SlotTexts& texts,
                                         std::set<std::string>& used);

}  // namespace tipstaff::engine
