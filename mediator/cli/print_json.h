// What --format json prints: one document in one line.
#pragma once

#include "mediator/json/builder.h"

namespace tipstaff::cli {

void PrintJson(json::Builder b);

}  // namespace tipstaff::cli
