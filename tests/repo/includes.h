// What C++ and proto files include.
#pragma once

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace tipstaff::repo {

struct Include {
  int line = 0;      // from 1
  std::string path;  // as written, without quotes or brackets
};

// The #include lines of a C++ file, or the import lines of a .proto. Comments of either kind hide
// nothing: an include that is commented out at the start of its line is not seen.
std::vector<Include> IncludesOf(absl::string_view content);

// A generated header's source: "tipstaff/guest/v1/guest.pb.h" and "….grpc.pb.h" ->
// "schemas/proto/tipstaff/guest/v1/guest.proto"; likewise for an import. Any other path unchanged.
std::string SourceOfInclude(absl::string_view include);

}  // namespace tipstaff::repo
