#include "mediator/cli/shell_word.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"

namespace tipstaff::cli {

std::string ShellWord(const std::string& text) {
  const bool plain =
      !text.empty() && text[0] != '-' && std::all_of(text.begin(), text.end(), [](char c) {
        return absl::ascii_isalnum(c) || absl::StrContains("-_./", absl::string_view(&c, 1));
      });
  return plain ? text : absl::StrCat("'", absl::StrReplaceAll(text, {{"'", "'\\''"}}), "'");
}

}  // namespace tipstaff::cli
