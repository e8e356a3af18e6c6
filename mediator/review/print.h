// Rows for people and for programs.
#pragma once

#include <string>

#include "absl/strings/string_view.h"
#include "mediator/json/builder.h"
#include "mediator/review/timeline.h"

namespace tipstaff::review {

// The table of `tipstaff log`: a heading, then a line a row. Everything that came from outside is
// escaped. No trailing newline.
std::string TableHeading();
std::string TableLine(const Row& row);
// One JSON object, for a line of --format json. With `whole`, the arguments, the result and what a
// stub changed as well (the row must have been read with payloads).
std::string RowJson(const Row& row, bool whole = false);
// A member `key` of the object that is being built: what came nearest, or what did not hold.
void AddNearest(absl::string_view key, const call::Nearest& near, json::Builder& b);
// Everything about one decision, over several lines.
std::string Details(const Row& row);

}  // namespace tipstaff::review
