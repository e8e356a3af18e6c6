// The standard's own meta-schemas, built into the program (schemas/json-schema).
#pragma once

#include "absl/types/span.h"

namespace tipstaff::schema::internal {

struct Metaschema {
  const char* uri;   // without a fragment
  const char* text;  // JSON
};

absl::Span<const Metaschema> Metaschemas();

}  // namespace tipstaff::schema::internal
