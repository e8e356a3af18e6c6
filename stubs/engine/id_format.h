// The shape of the ids that a stub gives out: "msg_{seq:04}", "rcpt_{rand:8}".
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "stubs/engine/random.h"

namespace tipstaff::engine {

class IdFormat {
 public:
  // {seq} counts from 1 and {seq:04} is padded to four digits; {rand:8} is eight characters of a-z
  // and 2-7. At least one of them is needed. InvalidArgument says what is wrong.
  static absl::StatusOr<IdFormat> Parse(absl::string_view text);

  std::string Format(uint64_t sequence, RandomStream& random) const;

 private:
  struct Piece {
    enum class Kind { kText, kSequence, kRandom };
    Kind kind;
    std::string text;
    int width = 0;
  };
  std::vector<Piece> pieces_;
};

}  // namespace tipstaff::engine
