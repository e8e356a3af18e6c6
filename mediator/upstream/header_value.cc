#include "mediator/upstream/header_value.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "mediator/upstream/limits.h"

namespace tipstaff::upstream {
namespace {

constexpr absl::string_view kBegin = "=?base64?", kEnd = "?=";

}  // namespace

bool IsPlainValue(absl::string_view text) {
  return absl::StripAsciiWhitespace(text) == text &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c <= 0x7E; });
}

std::string HeaderValue(absl::string_view text) {
  const bool looks_encoded = absl::StartsWith(text, kBegin) && absl::EndsWith(text, kEnd);
  if (IsPlainValue(text) && !looks_encoded) return std::string(text);
  return absl::StrCat(kBegin, absl::Base64Escape(text), kEnd);
}

bool IsSessionId(absl::string_view text) {
  return !text.empty() && text.size() <= kMaxSessionBytes &&
         std::all_of(text.begin(), text.end(), absl::ascii_isgraph);
}

bool IsHeaderName(absl::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return absl::ascii_isalnum(c) || absl::StrContains("!#$%&'*+-.^_`|~", c);
  });
}

}  // namespace tipstaff::upstream
