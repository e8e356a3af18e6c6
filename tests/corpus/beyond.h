// What loaders know and a JSON Schema cannot say.
#pragma once

#include "absl/strings/string_view.h"
#include "mediator/source/diagnostic.h"

namespace tipstaff::corpus {

// Why a schema cannot see what the error is about, "" when it can and has to.
absl::string_view BeyondSchema(const source::Diagnostic& error);

}  // namespace tipstaff::corpus
