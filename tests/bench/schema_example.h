// Values that a schema accepts.
#pragma once

#include "mediator/json/document.h"

namespace tipstaff::bench {

// A value for `schema` with every member that its `properties` list (or, without `all`, that it
// requires), where it is as simple as tools' schemas are: types, enum, const, local references,
// limits. Texts are as long as they may be, up to `text_bytes`. It may turn out not to pass: ask.
json::Document ExampleOf(json::Value schema, bool all, size_t text_bytes);

}  // namespace tipstaff::bench
