// BLAKE2b-256 digests: names of contents (files, arguments, results, records).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"

namespace tipstaff::base {

// 32 bytes, unkeyed BLAKE2b (RFC 7693). Shown as 64 lower-case hex digits.
using Digest = std::array<uint8_t, 32>;

Digest DigestOf(absl::string_view bytes);
// Keyed BLAKE2b, for what must not be found again by trying. `key` has 16 to 64 bytes.
Digest KeyedDigestOf(absl::string_view key, absl::string_view bytes);
std::string ToHex(const Digest& digest);
std::optional<Digest> DigestFromHex(absl::string_view hex);

}  // namespace tipstaff::base
