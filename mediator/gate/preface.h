// The 24 bytes every HTTP/2 client begins with (RFC 9113, section 3.4). A connection is handed to
// gRPC only once they are there, as gRPC waits for them without an end.
#pragma once

#include "absl/strings/string_view.h"

namespace tipstaff::gate {

inline constexpr absl::string_view kPreface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

enum class Preface { kWhole, kPart, kWrong };

// What a connection's first bytes are; those after the preface do not matter.
inline Preface CheckPreface(absl::string_view first) {
  const size_t known = first.size() < kPreface.size() ? first.size() : kPreface.size();
  if (first.substr(0, known) != kPreface.substr(0, known)) return Preface::kWrong;
  return known == kPreface.size() ? Preface::kWhole : Preface::kPart;
}

}  // namespace tipstaff::gate
