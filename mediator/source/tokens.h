// Where a YAML token ends. yaml-cpp tells where one begins; spans, and the checks that yaml-cpp
// leaves out, need its end as well.
#pragma once

#include <cstddef>

#include "absl/strings/string_view.h"

namespace tipstaff::source {

enum class Style { kPlain, kQuoted, kBlock };

// How the scalar at `offset` is written, from its first character.
Style StyleAt(absl::string_view text, size_t offset);

// The offset after the closing quote of the scalar that opens at `offset`; npos when it is never
// closed (yaml-cpp then takes the rest of the file).
size_t EndOfQuoted(absl::string_view text, size_t offset);

// The offset at or after `offset` of the first quote that opens a scalar and is never closed; npos.
size_t FindUnclosedQuote(absl::string_view text, size_t offset);

// Whether the quoted scalar in `quoted`, quotes included, holds an escape that YAML does not have
// (yaml-cpp takes \' inside double quotes).
bool HasUnknownEscape(absl::string_view quoted);

// The offset after a block scalar's header: `|`, `>-`, `|2+`.
size_t EndOfBlockHeader(absl::string_view text, size_t offset);

// The first offset from `offset` that holds no space or tab.
size_t SkipBlanks(absl::string_view text, size_t offset);

// Whether the word at `offset` is `word` and ends there, as a plain scalar in flow would.
bool IsWordAt(absl::string_view text, size_t offset, absl::string_view word);

// '\0' past the end.
char CharAt(absl::string_view text, size_t offset);

}  // namespace tipstaff::source
