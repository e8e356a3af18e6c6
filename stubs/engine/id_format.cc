#include "stubs/engine/id_format.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "mediator/base/status.h"

namespace tipstaff::engine {
namespace {

constexpr int kMaxWidth = 32;

// The number after a colon: "04" of "seq:04".
absl::StatusOr<int> ParseWidth(absl::string_view digits, absl::string_view field) {
  int width = 0;
  const bool plain = std::all_of(digits.begin(), digits.end(), absl::ascii_isdigit);
  if (!plain || !absl::SimpleAtoi(digits, &width) || width < 1 || width > kMaxWidth) {
    return absl::InvalidArgumentError(
        absl::StrCat("bad width in `{", field, "}`: expected a number from 1 to ", kMaxWidth));
  }
  return width;
}

}  // namespace

absl::StatusOr<IdFormat> IdFormat::Parse(absl::string_view text) {
  IdFormat format;
  bool varies = false;
  while (!text.empty()) {
    const size_t open = text.find_first_of("{}");
    if (open != 0) {
      format.pieces_.push_back({Piece::Kind::kText, std::string(text.substr(0, open))});
      text.remove_prefix(std::min(open, text.size()));
      continue;
    }
    const size_t close = text.find('}');
    if (text[0] == '}' || close == absl::string_view::npos) {
      return absl::InvalidArgumentError("a brace without its other half");
    }
    const absl::string_view field = text.substr(1, close - 1);
    text.remove_prefix(close + 1);
    const size_t colon = field.find(':');
    const absl::string_view name = field.substr(0, colon);
    const bool has_width = colon != absl::string_view::npos;
    if (name != "seq" && name != "rand") {
      return absl::InvalidArgumentError(
          absl::StrCat("unknown part `{", field, "}`: expected {seq}, {seq:04} or {rand:8}"));
    }
    int width = 0;
    if (has_width || name == "rand") {
      TIPSTAFF_ASSIGN_OR_RETURN(width, ParseWidth(has_width ? field.substr(colon + 1) : "", field));
    }
    format.pieces_.push_back(
        {name == "seq" ? Piece::Kind::kSequence : Piece::Kind::kRandom, "", width});
    varies = true;
  }
  if (!varies) {
    return absl::InvalidArgumentError("every id would be the same: it needs {seq} or {rand:8}");
  }
  return format;
}

std::string IdFormat::Format(uint64_t sequence, RandomStream& random) const {
  std::string id;
  for (const Piece& piece : pieces_) {
    switch (piece.kind) {
      case Piece::Kind::kText:
        id += piece.text;
        break;
      case Piece::Kind::kRandom:
        id += random.Text(piece.width);
        break;
      case Piece::Kind::kSequence: {
        const std::string digits = absl::StrCat(sequence);
        const size_t width = piece.width;
        if (digits.size() < width) id.append(width - digits.size(), '0');
        id += digits;
      }
    }
  }
  return id;
}

}  // namespace tipstaff::engine
