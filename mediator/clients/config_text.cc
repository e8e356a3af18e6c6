#include "mediator/clients/config_text.h"

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "mediator/clients/json_text.h"
#include "mediator/json/parse.h"

namespace tipstaff::clients {
namespace {

// Other programs' files may nest deeper than calls.
constexpr json::ParseOptions kDeep = {.max_depth = 200};

// json::Parse() says at which byte; people count lines.
absl::Status WithPlace(const absl::Status& status, absl::string_view text) {
  constexpr absl::string_view kMark = " at byte ";
  const absl::string_view message = status.message();
  const size_t mark = message.find(kMark);
  if (mark == absl::string_view::npos) return status;
  absl::string_view digits = message.substr(mark + kMark.size());
  const absl::string_view rest =
      digits.substr(digits.find_first_not_of("0123456789") == absl::string_view::npos
                        ? digits.size()
                        : digits.find_first_not_of("0123456789"));
  digits.remove_suffix(rest.size());
  size_t at = 0;
  if (!absl::SimpleAtoi(digits, &at)) return status;
  return absl::InvalidArgumentError(
      absl::StrCat(LineAndColumn(text, at), ": ", message.substr(0, mark), rest));
}

}  // namespace

absl::StatusOr<ConfigFile> ParseConfig(absl::string_view text) {
  if (absl::StartsWith(text, "\xEF\xBB\xBF")) {
    return absl::InvalidArgumentError(
        "1:1: it begins with a byte order mark, which JSON does not have: save it without one");
  }
  absl::StatusOr<json::Document> strict = json::Parse(text, kDeep);
  if (strict.ok()) return ConfigFile{*std::move(strict), false};
  const std::string plain = WithoutComments(text);
  if (plain == text) return WithPlace(strict.status(), text);
  absl::StatusOr<json::Document> lenient = json::Parse(plain, kDeep);
  if (!lenient.ok()) return WithPlace(lenient.status(), text);
  return ConfigFile{*std::move(lenient), true};
}

}  // namespace tipstaff::clients
